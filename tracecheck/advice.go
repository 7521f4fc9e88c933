package tracecheck

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/harness"
)

// adviceShown bounds the number of hints of one failure.
const adviceShown = 5

// advice tells how to avoid the retraces, what causes most of them first.
func (d *description) advice(traces []harness.Trace) {
	var hints hints
	for _, t := range traces {
		if t.Retrace {
			hints.add(d, t)
		}
	}
	slices.SortStableFunc(hints.all, func(a, b *hint) int { return cmp.Compare(b.retraces, a.retraces) })
	if len(hints.all) == 0 {
		return
	}
	d.text.WriteString("  to trace less:\n")
	for _, h := range hints.all[:min(adviceShown, len(hints.all))] {
		fmt.Fprintf(&d.text, "    %s: %s\n", h.function, h)
	}
}

// A hint says how to avoid the retraces of one function that have one reason.
type hint struct {
	reason
	dynamicAxes string
	retraces    int
	// values are the distinct values that the traces differed in, or the places
	// where their wrappers were built, in order.
	values []string
}

// A reason tells hints apart.
type reason struct {
	function string
	cause    harness.CauseKind
	wrapper  harness.WrapperMatch
	// What follows is that of a new signature's difference.
	kind harness.DifferenceKind
	of   harness.ArgKind
	arg  string
	axis int
}

type hints struct{ all []*hint }

func (h *hints) add(d *description, t harness.Trace) {
	c := t.Cause
	why := reason{function: d.name(t.Function), cause: c.Kind, wrapper: c.Wrapper}
	switch c.Kind {
	case harness.CauseNewSignature:
		why.wrapper = 0
		for _, difference := range c.Differences {
			why.kind, why.of, why.arg, why.axis = difference.Kind, difference.Of, difference.Arg, difference.Axis
			h.of(why).add(t, difference.From, difference.To)
		}
	case harness.CauseSameSignature:
		earlier, _ := d.rec.Trace(c.Earlier)
		h.of(why).add(t, earlier.Wrapper.Site.String(), t.Wrapper.Site.String())
	case harness.CauseState, harness.CauseFailure:
		why.wrapper = 0
		h.of(why).add(t)
	}
}

// of returns the hint for a reason.
func (h *hints) of(why reason) *hint {
	for _, known := range h.all {
		if known.reason == why {
			return known
		}
	}
	added := &hint{reason: why}
	h.all = append(h.all, added)
	return added
}

func (h *hint) add(t harness.Trace, values ...string) {
	h.retraces++
	h.dynamicAxes = t.Wrapper.DynamicAxes
	if t.Wrapper.ID == 0 {
		h.dynamicAxes = "make it dynamic if the engine's backend can"
	}
	for _, v := range values {
		if v != "" && !slices.Contains(h.values, v) {
			h.values = append(h.values, v)
		}
	}
}

// String returns the hint for people.
func (h *hint) String() string {
	switch h.cause {
	case harness.CauseNewSignature:
		return h.ofDifference()
	case harness.CauseState:
		return "build the layers, or what else makes state, before the first call: then one trace does"
	case harness.CauseFailure:
		return "a trace that failed is not kept, and each call makes another: mend the failure"
	}
	switch {
	case h.wrapper == harness.WrapperSame:
		return "keep the cache between calls, or see why a call failed after its trace"
	case h.wrapper == harness.WrapperUnknown:
		return "if the wrapper is built anew at each call, or by a run-once helper, build one and keep it"
	case len(h.values) == 1:
		return fmt.Sprintf("the wrapper is built anew at %s: build it once, outside of the loop or function, and keep it", h.values[0])
	default:
		return fmt.Sprintf("wrappers share no traces, and these were built at %s: build one and use it in all places", h.list())
	}
}

func (h *hint) ofDifference() string {
	switch h.kind {
	case harness.DifferentAxis:
		return h.ofAxis()
	case harness.DifferentDType:
		return fmt.Sprintf("%s had dtypes %s: convert it to one of them before the call", h.arg, h.list())
	case harness.DifferentType:
		return fmt.Sprintf("%s had types %s: pass one of them, or a tensor", h.arg, h.list())
	case harness.DifferentRank:
		return fmt.Sprintf("%s had ranks %s: reshape it to one of them before the call", h.arg, h.list())
	case harness.DifferentKind:
		return fmt.Sprintf("%s was %s: pass a tensor each time", h.arg, h.list())
	}
	switch h.of {
	case harness.Literal:
		return fmt.Sprintf("%s had values %s: pass a tensor instead of a literal, since its value is no part of the key", h.arg, h.list())
	case harness.Object:
		return fmt.Sprintf("%s was %s: pass the same object each time, since the key has its identity", h.arg, h.list())
	case harness.Context:
		return fmt.Sprintf("%s was %s: each needs a trace of its own; keep it the same where it can be", h.arg, h.list())
	case harness.Structure:
		return fmt.Sprintf("%s had elements %s: keep their number and names the same", h.arg, h.list())
	default:
		return fmt.Sprintf("%s was %s: keep it the same at each call", h.arg, h.list())
	}
}

func (h *hint) ofAxis() string {
	var sizes []int
	for _, v := range h.values {
		if size, err := strconv.Atoi(v); err == nil {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 { // of a trace for unknown sizes
		return fmt.Sprintf("axis %d of %s was %s: keep it the same at each call", h.axis, h.arg, h.list())
	}
	least, most := slices.Min(sizes), slices.Max(sizes)
	fit := powerOfTwo(most)
	text := fmt.Sprintf("axis %d of %s had %s from %d to %d: pad it to %d, the power of two that fits",
		h.axis, h.arg, count(len(sizes), "size"), least, most, fit)
	if powerOfTwo(least) < fit {
		text += ", or each size to its own power of two"
	}
	if h.dynamicAxes != "" {
		text += ", or " + h.dynamicAxes
	}
	return text
}

// powerOfTwo returns the least power of two that is no less than n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }

// list returns the first few values.
func (h *hint) list() string {
	const shown = 4
	if len(h.values) <= shown {
		return strings.Join(h.values, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(h.values[:shown], ", "), len(h.values)-shown)
}
