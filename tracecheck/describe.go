package tracecheck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/internal/clip"
)

// Bounds of how many traces are shown one by one, by a failure and by the log of
// a failed test, and of what is shown of the others.
const (
	shownByFailure = 5
	shownByLog     = 20
	shownGroups    = 20
	shownPlaces    = 4  // in which signatures differ, for each group
	shownDepth     = 10 // of traces inside of traces
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
	d.dropped()
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
	d.dropped()
	return strings.TrimSuffix(d.text.String(), "\n")
}

// A description is a text about traces of a recorder.
type description struct {
	rec  *harness.Recorder
	byID map[int]harness.Trace
	text strings.Builder
	// before is what a wrapper was traced for before each trace; nil until a hint
	// needs it.
	before map[int]harness.Signature
}

func newDescription(rec *harness.Recorder, traces []harness.Trace) *description {
	d := &description{rec: rec, byID: map[int]harness.Trace{}}
	for _, t := range traces {
		d.byID[t.ID] = t
	}
	return d
}

// name returns the name by which a function is shown.
func (d *description) name(f harness.Function) string { return clip.Middle(d.rec.NameOf(f), maxName) }

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
	fmt.Fprintf(&d.text, "%s    called at %s%s%s\n", indent, t.Site, d.through(t), ending(t))
}

// indent puts a trace below the one that it is part of.
func (d *description) indent(t harness.Trace) string {
	indent := "  "
	for parent, ok := d.byID[t.Parent]; ok && len(indent) < 2*shownDepth; parent, ok = d.byID[parent.Parent] {
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
	text := " through " + cmp.Or(t.Wrapper.Description, "a wrapper")
	if t.Wrapper.Site.Known() {
		text += fmt.Sprintf(" built at %s", t.Wrapper.Site)
	}
	if t.Cause.Wrapper != harness.WrapperOther {
		return text
	}
	if earlier, _ := d.rec.Trace(t.Cause.Earlier); earlier.Wrapper.Site.Known() {
		text += fmt.Sprintf(" (that of trace %d was built at %s)", earlier.ID, earlier.Wrapper.Site)
	}
	return text
}

// ending tells how a trace ended, and after how long if that is known.
func ending(t harness.Trace) string {
	outcome, _, _ := strings.Cut(t.Outcome.String(), "\n")
	timed := t.Outcome.Kind != harness.OutcomeRunning && !t.Untimed
	switch {
	case t.Outcome.Kind == harness.OutcomeReturned && timed:
		return ", took " + duration(t.Duration)
	case t.Outcome.Kind == harness.OutcomeReturned:
		return ""
	case timed:
		return ", " + outcome + " after " + duration(t.Duration)
	default:
		return ", " + outcome
	}
}

// grouped tells of traces by function and cause, the most frequent ones first.
func (d *description) grouped(traces []harness.Trace) {
	if len(traces) == 0 {
		return
	}
	type group struct {
		text  string
		n     int
		timed bool
		took  time.Duration
	}
	groups := map[string]*group{}
	for _, t := range traces {
		text := d.name(t.Function) + ": " + causeWithoutValues(t.Cause)
		if groups[text] == nil {
			groups[text] = &group{text: text}
		}
		g := groups[text]
		g.n++
		g.timed = g.timed || !t.Untimed
		g.took += t.Duration
	}
	sorted := slices.SortedFunc(maps.Values(groups), func(a, b *group) int {
		return cmp.Or(b.n-a.n, strings.Compare(a.text, b.text))
	})
	fmt.Fprintf(&d.text, "  and %d more:\n", len(traces))
	for _, g := range sorted[:min(len(sorted), shownGroups)] {
		fmt.Fprintf(&d.text, "    %d of %s", g.n, g.text)
		if g.timed {
			fmt.Fprintf(&d.text, " (took %s)", duration(g.took))
		}
		d.text.WriteString("\n")
	}
	if len(sorted) > shownGroups {
		rest := 0
		for _, g := range sorted[shownGroups:] {
			rest += g.n
		}
		fmt.Fprintf(&d.text, "    %d for %s\n", rest, count(len(sorted)-shownGroups, "further cause"))
	}
}

func causeWithoutValues(c harness.Cause) string {
	text := c.Kind.String()
	separator := ": "
	shown := min(len(c.Differences), shownPlaces)
	for _, difference := range c.Differences[:shown] {
		text += separator + difference.Where()
		separator = ", "
	}
	if more := len(c.Differences) - shown + c.More; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// cost tells how much of the time went into retraces. Traces inside of another
// one are part of its time.
func (d *description) cost(traces []harness.Trace) {
	var all, again time.Duration
	retraces, timed := 0, 0
	within := map[int]bool{} // whether a trace or one that it is part of is a retrace
	for _, t := range traces {
		_, nested := d.byID[t.Parent]
		within[t.ID] = t.Retrace || within[t.Parent]
		if !nested {
			all += t.Duration
		}
		if !t.Retrace {
			continue
		}
		retraces++
		if !t.Untimed {
			timed++
		}
		if !within[t.Parent] {
			again += t.Duration
		}
	}
	switch {
	case retraces == 0:
	case timed == 0:
		fmt.Fprintf(&d.text, "  %s, seen too late to be timed\n", count(retraces, "retrace"))
	case timed < retraces:
		fmt.Fprintf(&d.text, "  %s cost %s of %s spent tracing, those aside that were seen too late to be timed (%d)\n",
			count(retraces, "retrace"), duration(again), duration(all), retraces-timed)
	default:
		fmt.Fprintf(&d.text, "  %s cost %s of %s spent tracing\n", count(retraces, "retrace"), duration(again), duration(all))
	}
}

// dropped tells how many traces the recorder no longer has.
func (d *description) dropped() {
	if n := d.rec.Dropped(); n > 0 {
		fmt.Fprintf(&d.text, "  the recorder's limit has dropped %s\n", count(n, "earlier trace"))
	}
}

// duration returns a duration with three digits at most.
func duration(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
