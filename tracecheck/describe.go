package tracecheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/harness"
)

// Bounds of how many traces are shown one by one: by a failure, and by the log
// of a failed test.
const (
	shownByFailure = 5
	shownByLog     = 20
)

// describeAll tells of the traces of a block: the first ones in full, the
// others grouped by cause, and what the retraces cost.
func describeAll(rec *harness.Recorder, traces []harness.Trace) string {
	if len(traces) == 0 {
		if rec.LastID() == 0 {
			return "the recorder has seen no trace: is the function wrapped with it, as in harness.Wrap(rec, \"\", f)?"
		}
		return "no traces"
	}
	d := newDescription(rec, traces)
	singly := min(shownByFailure, len(traces))
	for _, t := range traces[:singly] {
		d.full(t)
	}
	d.grouped(traces[singly:])
	d.cost(traces)
	d.advice(traces)
	return strings.TrimSuffix(d.text.String(), "\n")
}

// describeOne tells of a trace that has just started.
func describeOne(rec *harness.Recorder, t harness.Trace) string {
	traces := []harness.Trace{t}
	d := newDescription(rec, traces)
	d.full(t)
	d.advice(traces)
	return strings.TrimSuffix(d.text.String(), "\n")
}

// describeLog tells of all traces of a recorder, one a line.
func describeLog(rec *harness.Recorder) string {
	traces := rec.Traces()
	d := newDescription(rec, traces)
	fmt.Fprintf(&d.text, "the recorder saw %s\n", count(len(traces), "trace"))
	singly := min(shownByLog, len(traces))
	for _, t := range traces[:singly] {
		fmt.Fprintf(&d.text, "%s%d %s: %s, at %s\n", d.indent(t), t.ID, d.call(t), t.Cause, t.Site)
	}
	d.grouped(traces[singly:])
	return strings.TrimSuffix(d.text.String(), "\n")
}

// A description is a text about traces of a recorder.
type description struct {
	rec   *harness.Recorder
	names map[harness.Function]string
	byID  map[int]harness.Trace
	text  strings.Builder
}

func newDescription(rec *harness.Recorder, traces []harness.Trace) *description {
	d := &description{rec: rec, names: map[harness.Function]string{}, byID: map[int]harness.Trace{}}
	for _, t := range traces {
		d.byID[t.ID] = t
	}
	return d
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

// call shows the function with the arguments.
func (d *description) call(t harness.Trace) string {
	arguments := "?"
	if t.Args != nil {
		arguments = t.Args.String()
	}
	return d.name(t.Function) + "(" + arguments + ")"
}

// full tells of one trace.
func (d *description) full(t harness.Trace) {
	indent := d.indent(t)
	fmt.Fprintf(&d.text, "%strace %d: %s\n", indent, t.ID, d.call(t))
	fmt.Fprintf(&d.text, "%s    %s\n", indent, t.Cause)
	fmt.Fprintf(&d.text, "%s    called at %s%s, %s\n", indent, t.Site, d.through(t), ending(t))
}

// indent puts a trace below the one that it is part of.
func (d *description) indent(t harness.Trace) string {
	indent := "  "
	for parent, ok := d.byID[t.Parent]; ok; parent, ok = d.byID[parent.Parent] {
		indent += "  "
	}
	return indent
}

// through names the wrapper of a call, and the one of the earlier trace if that
// is another.
func (d *description) through(t harness.Trace) string {
	if t.Wrapper.ID == 0 {
		return ""
	}
	text := fmt.Sprintf(" through %s built at %s", cmp.Or(t.Wrapper.Description, "a wrapper"), t.Wrapper.Site)
	if t.Cause.Wrapper == harness.WrapperOther {
		earlier, _ := d.rec.Trace(t.Cause.Earlier)
		text += fmt.Sprintf(" (that of trace %d was built at %s)", earlier.ID, earlier.Wrapper.Site)
	}
	return text
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
