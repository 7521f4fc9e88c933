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
	hints := hints{byReason: map[reason]*hint{}}
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
		fmt.Fprintf(&d.text, "    %s: %s\n", hints.subject(h), h)
	}
}

// A hint says how to avoid the retraces of one function that have one reason.
type hint struct {
	reason
	site        harness.CallSite // of the wrapper
	dynamicAxes string
	retraces    int
	// values are the distinct values that the traces differed in, or the places
	// where their wrappers were built, in order.
	values []string
	known  map[string]bool
}

// A reason tells hints apart.
type reason struct {
	function string
	cause    harness.CauseKind
	match    harness.WrapperMatch
	// What follows is that of a new signature's difference. Wrappers share no
	// traces and may be of different models, so each has hints of its own.
	wrapper int
	kind    harness.DifferenceKind
	of      harness.ArgKind
	choice  bool
	arg     string
	axis    int
	// shared is whether the traces may be of several instances, which cannot be
	// told apart.
	shared bool
}

type hints struct {
	all      []*hint
	byReason map[reason]*hint
}

func (h *hints) add(d *description, t harness.Trace) {
	why := reason{function: d.name(t.Function), cause: t.Cause.Kind}
	switch t.Cause.Kind {
	case harness.CauseNewSignature:
		differences, first := d.differences(t)
		if first {
			h.addWrapper(d, t)
			return
		}
		why.wrapper = t.Wrapper.ID
		why.shared = t.Wrapper.ID == 0 && hasInstances(t.Function)
		for _, difference := range differences {
			why.kind, why.of, why.arg, why.axis = difference.Kind, difference.Of, difference.Arg, difference.Axis
			why.choice = difference.Of == harness.Literal && !isNumeric(difference.Type)
			h.of(why).add(t, difference.From, difference.To)
		}
	case harness.CauseSameSignature:
		h.addWrapper(d, t)
	case harness.CauseState, harness.CauseFailure:
		h.of(why).add(t)
	}
}

// hasInstances reports whether a function is a method, a function literal or
// generic: it has a dot then, and each of its receivers, closures or types the
// same name.
func hasInstances(f harness.Function) bool {
	return f.Package != "" && strings.Contains(f.Name, ".")
}

// addWrapper adds a trace that the wrapper's cache lacked, or another wrapper's had.
func (h *hints) addWrapper(d *description, t harness.Trace) {
	why := reason{function: d.name(t.Function), cause: harness.CauseSameSignature, match: t.Cause.Wrapper}
	earlier, _ := d.rec.Trace(t.Cause.Earlier)
	var sites []string
	for _, site := range []harness.CallSite{earlier.Wrapper.Site, t.Wrapper.Site} {
		if site.Known() {
			sites = append(sites, site.String())
		}
	}
	h.of(why).add(t, sites...)
}

// differences returns those that made the trace's own wrapper trace again, or that
// this was its first trace. The nearest signature, from which the cause tells the
// differences, may be another wrapper's.
func (d *description) differences(t harness.Trace) (differences []harness.Difference, first bool) {
	if t.Cause.Wrapper != harness.WrapperOther {
		return t.Cause.Differences, false
	}
	// An engine has a wrapper of its own for each context.
	for _, difference := range t.Cause.Differences {
		if difference.Of == harness.Context {
			differences = append(differences, difference)
		}
	}
	if differences != nil {
		return differences, false
	}
	if d.before == nil {
		d.before = before(d.rec.Traces())
	}
	args := d.before[t.ID]
	return harness.Diff(args, t.Args), args == nil
}

// before returns for each trace the signature of the one before it of the same
// function and wrapper.
func before(traces []harness.Trace) map[int]harness.Signature {
	type owner struct {
		function harness.Function
		wrapper  int
	}
	latest := map[owner]harness.Signature{}
	before := map[int]harness.Signature{}
	for _, t := range traces {
		o := owner{t.Function, t.Wrapper.ID}
		if args := latest[o]; args != nil {
			before[t.ID] = args
		}
		latest[o] = t.Args
	}
	return before
}

// of returns the hint for a reason.
func (h *hints) of(why reason) *hint {
	known := h.byReason[why]
	if known == nil {
		known = &hint{reason: why, known: map[string]bool{}}
		h.byReason[why] = known
		h.all = append(h.all, known)
	}
	return known
}

// subject names what a hint is about: the function, and its wrapper if hints are
// about several.
func (h *hints) subject(about *hint) string {
	several := slices.ContainsFunc(h.all, func(other *hint) bool {
		return other.function == about.function && other.wrapper != about.wrapper && other.wrapper != 0
	})
	switch {
	case !several || about.wrapper == 0:
		return about.function
	case about.site.Known():
		return fmt.Sprintf("%s (the wrapper built at %s)", about.function, about.site)
	default:
		return fmt.Sprintf("%s (wrapper %d)", about.function, about.wrapper)
	}
}

func (h *hint) add(t harness.Trace, values ...string) {
	h.retraces++
	h.site = t.Wrapper.Site
	h.dynamicAxes = t.Wrapper.DynamicAxes
	if t.Wrapper.ID == 0 {
		h.dynamicAxes = "make it dynamic if the engine's backend can"
	}
	for _, v := range values {
		if v != "" && !h.known[v] {
			h.known[v] = true
			h.values = append(h.values, v)
		}
	}
}

// String returns the hint for people.
func (h *hint) String() string {
	switch h.cause {
	case harness.CauseNewSignature:
		if h.shared {
			return h.ofDifference() + " (if one instance of it had them all)"
		}
		return h.ofDifference()
	case harness.CauseState:
		return "build the layers, or what else makes state, before the first call: then one trace does"
	case harness.CauseFailure:
		return "a trace that failed is not kept, and each call makes another: mend the failure"
	}
	switch {
	case h.match == harness.WrapperSame:
		return "keep the cache between calls, or see why a call failed after its trace"
	case h.match == harness.WrapperUnknown:
		return "if the wrapper is built anew at each call, or by a run-once helper, build one and keep it"
	case len(h.values) == 0:
		return "wrappers share no traces: build one and keep it, or one for each model"
	case len(h.values) == 1:
		return fmt.Sprintf("the wrapper is built anew at %s: build it once, outside of the loop or function, and keep it, or one for each model", h.values[0])
	default:
		return fmt.Sprintf("wrappers share no traces, and these were built at %s: build one and use it in all places, or one for each model", h.list())
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
		if h.choice {
			return fmt.Sprintf("%s had values %s: where Go code decides by it, make a function of each; else pass a tensor, and select by it in the graph", h.arg, h.list())
		}
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
	if len(sizes) < len(h.values) {
		return h.ofUnknownSize(len(sizes))
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

// ofUnknownSize is for traces that serve all sizes of an axis, and those before
// them that each served one.
func (h *hint) ofUnknownSize(sizes int) string {
	last := len(h.values) - 1
	if sizes == 0 || sizes < last || h.values[last] != "?" {
		return fmt.Sprintf("axis %d of %s was %s: keep it the same at each call", h.axis, h.arg, h.list())
	}
	text := fmt.Sprintf("axis %d of %s had %s, then any: the trace for any serves all further ones", h.axis, h.arg, count(sizes, "size"))
	if h.wrapper != 0 && h.dynamicAxes != "" {
		text += "; for a single trace, " + h.dynamicAxes
	}
	return text
}

// powerOfTwo returns the least power of two that is no less than n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }

// isNumeric reports whether values of the Go type are numbers, or slices or arrays
// of them, which a tensor could hold. Other values choose what is traced.
func isNumeric(typ string) bool {
	for strings.HasPrefix(typ, "[") {
		_, typ, _ = strings.Cut(typ, "]")
	}
	switch typ {
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
		"float32", "float64", "complex64", "complex128":
		return true
	}
	return false
}

// list returns the first few values.
func (h *hint) list() string {
	const shown = 4
	text := strings.Join(h.values[:min(shown, len(h.values))], ", ")
	if more := len(h.values) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
