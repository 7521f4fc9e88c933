package tracecheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/harness"
)

// shown bounds how many traces a failure shows one by one.
const shown = 5

// describeAll tells of traces: the first ones singly, the others grouped by
// cause, and what the retraces cost.
func describeAll(rec *harness.Recorder, traces []harness.Trace, singly int) string {
	if len(traces) == 0 {
		if rec.LastID() == 0 {
			return "the recorder has seen no trace: is the function wrapped with it, as in harness.Wrap(rec, \"\", f)?"
		}
		return "no traces"
	}
	d := description{rec: rec, names: map[harness.Function]string{}, byID: map[int]harness.Trace{}}
	for _, t := range traces {
		d.byID[t.ID] = t
	}
	singly = min(singly, len(traces))
	for _, t := range traces[:singly] {
		d.single(t)
	}
	d.grouped(traces[singly:])
	d.cost(traces)
	return strings.TrimSuffix(d.text.String(), "\n")
}

type description struct {
	rec   *harness.Recorder
	names map[harness.Function]string
	byID  map[int]harness.Trace
	text  strings.Builder
}

// name remembers the names, each of which the recorder looks up among all.
func (d *description) name(f harness.Function) string {
	name, ok := d.names[f]
	if !ok {
		name = d.rec.NameOf(f)
		d.names[f] = name
	}
	return name
}

// single tells of one trace, indented below the trace that it is part of.
func (d *description) single(t harness.Trace) {
	indent := strings.Repeat("  ", 1+d.depth(t))
	arguments := "(?)"
	if t.Args != nil {
		arguments = "(" + t.Args.String() + ")"
	}
	fmt.Fprintf(&d.text, "%strace %d: %s%s\n", indent, t.ID, d.name(t.Function), arguments)
	fmt.Fprintf(&d.text, "%s    %s\n", indent, t.Cause)
	fmt.Fprintf(&d.text, "%s    called at %s%s, %s\n", indent, t.Site, through(t.Wrapper), ending(t))
}

func (d *description) depth(t harness.Trace) int {
	depth := 0
	for parent, ok := d.byID[t.Parent]; ok; parent, ok = d.byID[parent.Parent] {
		depth++
	}
	return depth
}

// through names the wrapper of a call.
func through(w harness.Wrapper) string {
	if w.ID == 0 {
		return ""
	}
	return fmt.Sprintf(" through %s of %s", cmp.Or(w.Description, "a wrapper"), w.Site)
}

// ending tells how and after how long a trace ended.
func ending(t harness.Trace) string {
	switch t.Outcome.Kind {
	case harness.OutcomeRunning:
		return t.Outcome.String()
	case harness.OutcomeReturned:
		return "took " + duration(t.Duration)
	default:
		outcome, _, _ := strings.Cut(t.Outcome.String(), "\n")
		return outcome + " after " + duration(t.Duration)
	}
}

// grouped tells of traces by function and cause, the most frequent ones first.
func (d *description) grouped(traces []harness.Trace) {
	if len(traces) == 0 {
		return
	}
	type group struct {
		text string
		n    int
		took time.Duration
	}
	groups := map[string]*group{}
	for _, t := range traces {
		text := d.name(t.Function) + ": " + causeWithoutValues(t.Cause)
		if groups[text] == nil {
			groups[text] = &group{text: text}
		}
		groups[text].n++
		groups[text].took += t.Duration
	}
	sorted := make([]*group, 0, len(groups))
	for _, g := range groups {
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(a, b *group) int {
		return cmp.Or(b.n-a.n, strings.Compare(a.text, b.text))
	})
	fmt.Fprintf(&d.text, "  and %d more:\n", len(traces))
	for _, g := range sorted {
		fmt.Fprintf(&d.text, "    %d of %s (took %s)\n", g.n, g.text, duration(g.took))
	}
}

func causeWithoutValues(c harness.Cause) string {
	text := c.Kind.String()
	separator := ": "
	for _, difference := range c.Differences {
		text += separator + difference.Where()
		separator = ", "
	}
	return text
}

// cost tells how much of the time went into retraces. Traces inside of another
// one are part of its time.
func (d *description) cost(traces []harness.Trace) {
	var all, again time.Duration
	retraces := 0
	for _, t := range traces {
		parent, nested := d.byID[t.Parent]
		if !nested {
			all += t.Duration
		}
		if t.Retrace {
			retraces++
			if !nested || !d.inRetrace(parent) {
				again += t.Duration
			}
		}
	}
	if retraces > 0 {
		fmt.Fprintf(&d.text, "  %s cost %s of %s spent tracing\n", count(retraces, "retrace"), duration(again), duration(all))
	}
}

// inRetrace reports whether a trace or one that it is part of is a retrace.
func (d *description) inRetrace(t harness.Trace) bool {
	for ok := true; ok; t, ok = d.byID[t.Parent] {
		if t.Retrace {
			return true
		}
	}
	return false
}

// duration returns a duration with three digits at most.
func duration(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
