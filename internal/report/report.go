package report

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A Report is what logs hold.
type Report struct {
	// Problems name the lines that could not be used, and why.
	Problems []string

	places    places
	processes []*process
	functions []*function // the one with the most traces first
	traces    int
	retraces  int
	time      time.Duration // spent in traces, the nested ones counted once
	lost      time.Duration // likewise in retraces
}

// A trace is a logged one with what surrounds it.
type trace struct {
	*tracelog.Trace
	process  *process
	function *function
	parent   *trace // nil if there is none, or if it never ended
	children []*trace
}

// A function is one with all of its traces, over all processes.
type function struct {
	tracelog.Function
	name     string // the short one unless another function shares it
	traces   []*trace
	retraces int
	time     time.Duration
	lost     time.Duration
	causes   []*cause // of its retraces, the most frequent one first
}

// A cause stands for the retraces of a function that have one cause, the values
// aside.
type cause struct {
	function *function
	text     string
	traces   int
	lost     time.Duration
	place    string // the line to change
}

func newReport(processes []*process, problems []string, dir string) *Report {
	slices.SortStableFunc(processes, func(a, b *process) int {
		return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.Program, b.Program))
	})
	r := &Report{Problems: problems, places: places{dir}, processes: processes}
	byName := map[tracelog.Function]*function{}
	for _, p := range processes {
		for _, t := range p.sorted() {
			f := byName[t.Trace.Function]
			if f == nil {
				f = &function{Function: t.Trace.Function}
				byName[f.Function] = f
				r.functions = append(r.functions, f)
			}
			r.add(t, f)
		}
	}
	r.name()
	for _, f := range r.functions {
		f.findCauses(r.places)
	}
	slices.SortFunc(r.functions, func(a, b *function) int {
		return cmp.Or(len(b.traces)-len(a.traces), cmp.Compare(b.lost, a.lost), strings.Compare(a.name, b.name))
	})
	return r
}

// add counts a trace, whose parent was added before.
func (r *Report) add(t *trace, f *function) {
	t.function = f
	t.parent = t.process.traces[traceKey{t.Recorder, t.Parent}]
	if t.parent != nil {
		t.parent.children = append(t.parent.children, t)
	} else {
		r.time += t.Duration
	}
	f.traces = append(f.traces, t)
	r.traces++
	if !t.within(func(outer *trace) bool { return outer.function == f }) {
		f.time += t.Duration
	}
	if !t.Retrace {
		return
	}
	f.retraces++
	r.retraces++
	if !t.within(func(outer *trace) bool { return outer.Retrace }) {
		r.lost += t.Duration
	}
	if !t.within(func(outer *trace) bool { return outer.Retrace && outer.function == f }) {
		f.lost += t.Duration
	}
}

// within reports whether a trace that t is part of has the property.
func (t *trace) within(has func(*trace) bool) bool {
	for outer := t.parent; outer != nil; outer = outer.parent {
		if has(outer) {
			return true
		}
	}
	return false
}

// name gives the functions the shortest names that tell them apart: without
// package, with the last element of its path, or with all of it.
func (r *Report) name() {
	names := func(f *function) []string {
		_, element := path.Split(f.Package)
		return []string{f.Name, element + "." + f.Name, f.Package + "." + f.Name}
	}
	sharing := map[string]int{}
	for _, f := range r.functions {
		for _, name := range slices.Compact(names(f)) {
			sharing[name]++
		}
	}
	for _, f := range r.functions {
		f.name = f.Name
		if f.Package == "" {
			continue
		}
		for _, name := range names(f) {
			f.name = name
			if sharing[name] == 1 {
				break
			}
		}
	}
}

// findCauses groups the retraces by their causes.
func (f *function) findCauses(places places) {
	byText := map[string]*cause{}
	costs := map[*cause]map[string]time.Duration{} // by place
	for _, t := range f.traces {
		if !t.Retrace {
			continue
		}
		text := causeWithoutValues(t.Cause)
		c := byText[text]
		if c == nil {
			c = &cause{function: f, text: text}
			byText[text], costs[c] = c, map[string]time.Duration{}
			f.causes = append(f.causes, c)
		}
		c.traces++
		c.lost += t.Duration
		costs[c][places.toChange(t)] += t.Duration + 1 // so that what takes no time counts, too
	}
	for c, byPlace := range costs {
		c.place = mostCostly(byPlace)
	}
	slices.SortFunc(f.causes, compareCauses)
}

func mostCostly(byPlace map[string]time.Duration) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(byPlace)), func(a, b string) int {
		return cmp.Compare(byPlace[a], byPlace[b])
	})
}

// compareCauses puts the most frequent cause first.
func compareCauses(a, b *cause) int {
	return cmp.Or(b.traces-a.traces, cmp.Compare(b.lost, a.lost),
		strings.Compare(a.function.name, b.function.name), strings.Compare(a.text, b.text))
}

// topCauses returns the causes of all functions, the one that cost most first.
func (r *Report) topCauses() []*cause {
	var causes []*cause
	for _, f := range r.functions {
		causes = append(causes, f.causes...)
	}
	slices.SortFunc(causes, func(a, b *cause) int {
		return cmp.Or(cmp.Compare(b.lost, a.lost), compareCauses(a, b))
	})
	return causes
}

func causeWithoutValues(c tracelog.Cause) string {
	return causeText(c, func(d tracelog.Difference) string { return d.Where })
}

func causeWithValues(c tracelog.Cause) string {
	return causeText(c, func(d tracelog.Difference) string {
		return d.Where + ": " + cmp.Or(d.From, "none") + " → " + cmp.Or(d.To, "none")
	})
}

// causeText is what a cause is for several traces: no IDs.
func causeText(c tracelog.Cause, difference func(tracelog.Difference) string) string {
	text := c.Label
	if c.Kind == tracelog.SameSignature && c.Wrapper == tracelog.OtherWrapper {
		text += ", of another wrapper"
	}
	separator := ": "
	for _, d := range c.Differences {
		text += separator + difference(d)
		separator = ", "
	}
	if c.Detail != "" {
		text += ": " + c.Detail
	}
	return text
}
