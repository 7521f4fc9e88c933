package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// A page is what the template and the script show.
type page struct {
	Title, Headline, Policy string
	Problems                []string
	Style                   template.CSS
	Script                  template.JS
	Data                    []pageFunction
}

// The fields of the data have short names since a page may hold 100,000 of them.
type (
	pageFunction struct {
		Name     string      `json:"name"`
		Package  string      `json:"pkg"`
		Traces   int         `json:"traces"`
		Retraces int         `json:"retraces"`
		Time     int64       `json:"time"` // in nanoseconds, as all times
		Lost     int64       `json:"lost"`
		Causes   []pageCause `json:"causes"` // of the retraces, the most frequent one first
		Groups   []pageGroup `json:"groups"`
	}
	pageCause struct {
		Text     string `json:"text"`
		Retraces int    `json:"retraces"`
		Lost     int64  `json:"lost"`
		Place    string `json:"place"` // the line to change
	}
	// A pageGroup holds the traces of a function that are shown as one.
	pageGroup struct {
		First     int        `json:"first"`     // rank among the function's groups
		Signature []string   `json:"signature"` // in turn: what is equal, what differs
		Traces    int        `json:"traces"`
		Time      int64      `json:"time"`
		Cause     string     `json:"cause"`
		Outcome   string     `json:"outcome,omitempty"`
		Sites     []pageItem `json:"sites"`
		Wrappers  []pageItem `json:"wrappers,omitempty"`
		Within    []pageItem `json:"within,omitempty"`
		Holds     []pageItem `json:"holds,omitempty"`
	}
	// A pageItem is a text and how many traces it is true of.
	pageItem struct {
		Text   string `json:"text"`
		Traces int    `json:"n"`
	}
)

// WriteHTML writes one page that needs nothing but a browser. Its script is the
// only one that its policy lets run, so that no name from a log can be one.
func (r *Report) WriteHTML(w io.Writer) error {
	parsed, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	p := page{
		Title:    printable("Traces" + r.programs()),
		Headline: r.headline(),
		Policy:   "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + sourceHash(pageStyle) + "; script-src " + sourceHash(pageScript),
		Problems: r.Problems,
		Style:    template.CSS(pageStyle), //nolint:gosec // ours
		Script:   template.JS(pageScript),
		Data:     make([]pageFunction, len(r.functions)),
	}
	for i, f := range r.functions {
		p.Data[i] = f.page(r.places)
	}
	return parsed.Execute(w, p)
}

// programs names what traced if that is one program.
func (r *Report) programs() string {
	names := map[string]bool{}
	for _, p := range r.processes {
		names[p.Program] = true
	}
	if len(names) != 1 {
		return ""
	}
	return " of " + r.processes[0].Program
}

func sourceHash(source string) string {
	hash := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

func (f *function) page(places places) pageFunction {
	result := pageFunction{
		Name:     printable(f.name),
		Package:  printable(f.Package),
		Traces:   len(f.traces),
		Retraces: f.retraces,
		Time:     int64(f.time),
		Lost:     int64(f.lost),
		Causes:   []pageCause{},
	}
	for _, c := range f.causes {
		result.Causes = append(result.Causes, pageCause{printable(c.text), c.traces, int64(c.lost), printable(c.place)})
	}
	for _, g := range f.groups(places) {
		result.Groups = append(result.Groups, g.page(len(result.Groups)+1))
	}
	return result
}

// A group holds traces of a function that differ in their places alone.
type group struct {
	signature                      []piece
	cause, outcome                 string
	traces                         int
	time                           time.Duration
	sites, wrappers, within, holds map[string]int
}

// groups returns the function's groups in the order of their first traces.
func (f *function) groups(places places) []*group {
	var groups []*group
	byKey := map[[3]string]*group{}
	for _, t := range f.traces {
		signature, cause, outcome := signatureOf(t.Trace), causeWithValues(t.Cause), failure(t.Outcome)
		key := [3]string{plain(signature), cause, outcome}
		g := byKey[key]
		if g == nil {
			g = &group{
				signature: signature, cause: cause, outcome: outcome,
				sites: map[string]int{}, wrappers: map[string]int{}, within: map[string]int{}, holds: map[string]int{},
			}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.add(t, places)
	}
	return groups
}

func (g *group) add(t *trace, places places) {
	g.traces++
	g.time += t.Duration
	g.sites[places.show(t.Site)]++
	if t.Wrapper != nil {
		g.wrappers[t.Wrapper.Description+" of "+places.show(t.Wrapper.Site)]++
	}
	if t.parent != nil {
		g.within[t.parent.function.name]++
	} else if t.Parent != 0 {
		g.within["a trace that never ended"]++
	}
	for _, child := range t.children {
		g.holds[child.function.name]++
	}
}

// failure tells how a trace ended, if not as it should.
func failure(o tracelog.Outcome) string {
	switch o.Kind {
	case tracelog.Returned:
		return ""
	case tracelog.Error:
		return "returned an error: " + o.Text
	case tracelog.Panic:
		return "panicked: " + o.Text
	case tracelog.Goexit:
		return "ended its goroutine (runtime.Goexit)"
	}
	return "ended: " + o.Kind + " " + o.Text
}

func (g *group) page(first int) pageGroup {
	result := pageGroup{
		First: first, Traces: g.traces, Time: int64(g.time), Cause: printable(g.cause), Outcome: printable(g.outcome),
		Sites: items(g.sites), Wrappers: items(g.wrappers), Within: items(g.within), Holds: items(g.holds),
	}
	for _, p := range g.signature {
		if differs := len(result.Signature)%2 == 1; p.differs != differs {
			result.Signature = append(result.Signature, "")
		}
		result.Signature = append(result.Signature, printable(p.text))
	}
	return result
}

// items returns texts with their counts, the most frequent one first.
func items(counts map[string]int) []pageItem {
	result := make([]pageItem, 0, len(counts))
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		result = append(result, pageItem{printable(text), counts[text]})
	}
	slices.SortStableFunc(result, func(a, b pageItem) int { return b.Traces - a.Traces })
	return result
}
