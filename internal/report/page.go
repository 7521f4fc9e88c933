package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
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
	Broken                  int      // lines of which problems are
	LeftOut                 []string // what the page does not list
	Style                   template.CSS
	Script                  template.JS
	Data                    []pageFunction
}

// The fields of the data have short names since a page may hold thousands of them.
type (
	pageFunction struct {
		Name     string      `json:"name"`
		Package  string      `json:"pkg"`
		Traces   int         `json:"traces"`
		Retraces int         `json:"retraces"`
		Own      pageCost    `json:"own"`
		Nested   pageCost    `json:"nested"` // with the traces inside of them
		Lost     pageCost    `json:"lost"`
		Causes   []pageCause `json:"causes"` // of the retraces, the most frequent one first
		Groups   []pageGroup `json:"groups"`
		Unlisted int         `json:"unlisted,omitempty"` // traces that no group holds
	}
	pageCause struct {
		Text     string   `json:"text"`
		Retraces int      `json:"retraces"`
		Lost     pageCost `json:"lost"`
		Place    string   `json:"place,omitempty"` // the line to change
	}
	// A pageGroup holds the traces of a function that are shown as one.
	pageGroup struct {
		First     int        `json:"first"`           // rank among the function's groups
		Signature []string   `json:"signature"`       // in turn: what is equal, what differs
		Alike     string     `json:"alike,omitempty"` // tells it from one that reads alike
		Traces    int        `json:"traces"`
		Own       pageCost   `json:"own"`
		Cause     string     `json:"cause"`
		Outcome   string     `json:"outcome,omitempty"`
		Sites     []pageItem `json:"sites,omitempty"`
		Wrappers  []pageItem `json:"wrappers,omitempty"`
		Within    []pageItem `json:"within,omitempty"`
		Holds     []pageItem `json:"holds,omitempty"`
	}
	// A pageCost is a time in nanoseconds: all of it, the part that is known, or
	// nothing if none is.
	pageCost struct {
		Time    int64 `json:"ns"`
		AtLeast bool  `json:"atLeast,omitempty"`
		Unknown bool  `json:"unknown,omitempty"`
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
		Title:    r.title(),
		Headline: r.headline(),
		Policy:   "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + sourceHash(pageStyle) + "; script-src " + sourceHash(pageScript),
		Problems: r.Problems,
		Broken:   r.broken,
		LeftOut:  r.leftOut(),
		Style:    template.CSS(pageStyle), //nolint:gosec // ours
		Script:   template.JS(pageScript),
		Data:     make([]pageFunction, len(r.functions)),
	}
	for i, f := range r.functions {
		p.Data[i] = f.page()
	}
	return parsed.Execute(w, p)
}

// title names what traced if that is one program.
func (r *Report) title() string {
	if r.program == "" {
		return "Traces"
	}
	return "Traces of " + r.program
}

func sourceHash(source string) string {
	hash := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

func (f *function) page() pageFunction {
	withNested := f.all
	withNested.time = f.withNested
	result := pageFunction{
		Name:     f.name,
		Package:  f.Package,
		Traces:   f.all.traces,
		Retraces: f.lost.traces,
		Own:      f.all.page(),
		Nested:   withNested.page(),
		Lost:     f.lost.page(),
		Causes:   []pageCause{},
		Groups:   []pageGroup{},
	}
	for _, c := range f.causes {
		result.Causes = append(result.Causes, pageCause{c.text, c.lost.traces, c.lost.page(), c.place})
	}
	for _, g := range f.groups {
		result.Groups = append(result.Groups, g.page(len(result.Groups)+1))
	}
	if f.furtherGroups != nil {
		result.Unlisted = f.furtherGroups.all.traces
	}
	return result
}

func (c cost) page() pageCost {
	return pageCost{Time: int64(c.time), AtLeast: c.known() && c.untimed > 0, Unknown: !c.known()}
}

func (g *group) page(first int) pageGroup {
	itself := func(text string) string { return text }
	name := func(f *function) string { return f.name }
	result := pageGroup{
		First: first, Alike: g.alike, Traces: g.all.traces, Own: g.all.page(), Cause: g.cause, Outcome: g.outcome,
		Sites: g.sites.items(itself), Wrappers: g.wrappers.items(itself), Within: g.within.items(name), Holds: g.holds.items(name),
	}
	if g.inUnended > 0 {
		result.Within = append(result.Within, pageItem{"a trace that never ended", g.inUnended})
	}
	for _, p := range g.signature {
		if differs := len(result.Signature)%2 == 1; p.differs != differs {
			result.Signature = append(result.Signature, "")
		}
		result.Signature = append(result.Signature, p.text)
	}
	return result
}
