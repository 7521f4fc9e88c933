// Package report tells people what the logs of traces hold: as a table, as a
// page for a browser, and as a timeline.
package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A Report is what logs hold.
type Report struct {
	// Problems name the lines that could not be used, and why; of many the first,
	// and how many there are beside them.
	Problems []string

	broken    int // lines that could not be used
	places    places
	limits    limits
	processes int
	program   string      // of all processes, empty if they have several
	functions []*function // the one with the most traces first
	all, lost cost
	timeline  timeline
}

// A function is one with all of its traces, over all processes.
type function struct {
	tracelog.Function
	owner   string // tells those apart that have no names of their own
	name    string // the shortest that no other function shares
	several bool   // it stands for functions beyond the limit

	all        cost
	withNested time.Duration
	lost       cost
	causes     []*cause // of its retraces, the most frequent one first
	groups     []*group // in the order of their first traces

	byCause       map[digest]*cause
	byGroup       map[digest]*group
	furtherCauses *cause
	furtherGroups *group
}

// A cause stands for the retraces of a function that have one cause, the values
// aside, and one line to change.
type cause struct {
	function *function
	text     string
	place    string
	lost     cost
}

// result returns the report of what was added.
func (c *collector) result() *Report {
	c.finish()
	r := c.report
	if more := r.broken - len(r.Problems); more > 0 {
		r.Problems = append(r.Problems, fmt.Sprintf("and %s that cannot be used", count(more, "further line")))
	}
	r.name()
	for _, f := range r.functions {
		slices.SortFunc(f.causes, compareCauses)
		slices.SortFunc(f.groups, func(a, b *group) int { return a.first.compare(b.first) })
		f.tellAlikeApart()
	}
	slices.SortFunc(r.functions, func(a, b *function) int {
		return cmp.Or(b.all.traces-a.all.traces, cmp.Compare(b.lost.time, a.lost.time), strings.Compare(a.name, b.name))
	})
	return r
}

// name gives the functions the shortest names that tell them apart: without
// package, with the last element of its path, with all of it, or with their
// owner.
func (r *Report) name() {
	sharing := map[string]int{}
	for _, f := range r.functions {
		for _, name := range slices.Compact(f.names()) {
			sharing[name]++
		}
	}
	for _, f := range r.functions {
		for _, name := range f.names() {
			f.name = name
			if sharing[name] == 1 {
				break
			}
		}
	}
}

// names returns the names that a function may have, the shortest one first.
func (f *function) names() []string {
	names := []string{f.Name}
	if f.Package != "" {
		_, element := path.Split(f.Package)
		names = append(names, element+"."+f.Name, f.Package+"."+f.Name)
	}
	if f.owner != "" {
		names = append(names, f.Name+" of "+f.owner)
	}
	return names
}

// compareCauses puts the most frequent cause first.
func compareCauses(a, b *cause) int {
	return cmp.Or(b.lost.traces-a.lost.traces, cmp.Compare(b.lost.time, a.lost.time),
		strings.Compare(a.function.name, b.function.name), strings.Compare(a.text, b.text), strings.Compare(a.place, b.place))
}

// topCauses returns the causes of all functions, the one that cost most first.
func (r *Report) topCauses() []*cause {
	var causes []*cause
	for _, f := range r.functions {
		causes = append(causes, f.causes...)
	}
	slices.SortFunc(causes, func(a, b *cause) int {
		return cmp.Or(cmp.Compare(b.lost.time, a.lost.time), compareCauses(a, b))
	})
	return causes
}

// leftOut says what the report does not list.
func (r *Report) leftOut() []string {
	var texts []string
	add := func(n int, format string, args ...any) {
		if n > 0 {
			texts = append(texts, count(n, "trace")+" "+fmt.Sprintf(format, args...))
		}
	}
	functions, causes, groups := 0, 0, 0
	for _, f := range r.functions {
		if f.several {
			functions += f.all.traces
		}
		if f.furtherCauses != nil && !f.several {
			causes += f.furtherCauses.lost.traces
		}
		if f.furtherGroups != nil && !f.several {
			groups += f.furtherGroups.all.traces
		}
	}
	add(functions, "of functions beyond the first %d are one row", r.limits.functions)
	add(causes, "with causes beyond the first %d are one row of their function", r.limits.causes)
	add(groups, "with signatures beyond the first %d are counted, not listed", r.limits.groups)
	add(r.timeline.dropped(), "are not in the timeline, which holds the %d that took longest", r.limits.events)
	return texts
}
