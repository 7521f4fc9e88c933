package tracecheck

import (
	"cmp"
	"fmt"
	"runtime"
	"testing"

	"github.com/tracelint/tracelint/harness"
)

// Record returns a recorder whose log is printed when the test ends, if it
// failed or panics. The test fails if the environment asks for a log of traces
// ([harness.LogVariable]) that cannot be written.
//
// A benchmark reports the recorder's traces, those of the warm-up included, by
// iteration: `traces/op`.
func Record(t testing.TB) *harness.Recorder {
	t.Helper()
	rec := harness.NewRecorder()
	if b, ok := t.(*testing.B); ok {
		b.Cleanup(func() {
			b.Helper()
			if err := rec.Check(); err != nil {
				b.Errorf("%s", bounded("traces/op: "+err.Error()))
				return
			}
			b.ReportMetric(float64(rec.LastID())/float64(b.N), "traces/op")
		})
	}
	t.Cleanup(func() {
		t.Helper()
		if err := harness.LogErr(); err != nil {
			t.Error(err)
		}
		if t.Failed() || panicking() {
			t.Log(bounded(describeLog(rec)))
		}
	})
	return rec
}

// panicking reports whether the calling goroutine runs deferred functions
// because of a panic: a test that panics has not failed yet when its cleanups
// run.
func panicking() bool {
	var pcs [64]uintptr
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			if frame.Function == "runtime.gopanic" {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// Counts are numbers of traces by function name. A function that is not listed
// counts as 0. A name is the one that the recorder shows (see
// [harness.Recorder.NameOf]): where two functions share a short name, each
// needs its package. All instances of a type share the name of its method, and
// so do the instances of a generic function: where they are to be counted apart,
// give each a name.
type Counts map[string]int

// ExpectTraces runs the block and reports an error to t unless exactly the
// wanted traces started in it: an int counts those of all functions, [Counts]
// those of each one. Traces that other goroutines start in the meantime count,
// and so do those of blocks inside of this one.
//
// A block that panics or ends its goroutine is not judged. One of which the
// recorder may have missed traces ([harness.Recorder.Check]) or lost some to its
// limit fails, since nobody knows their number.
func ExpectTraces[W int | Counts](t testing.TB, rec *harness.Recorder, want W, block func()) {
	t.Helper()
	expected, problem := newExpectation(want)
	expect(t, "ExpectTraces", rec, problem, block, expected.mismatch)
}

// ExpectMaxTraces is [ExpectTraces] for at most the wanted traces: an int bounds
// those of all functions, [Counts] those of each one. It does not notice traces
// that no longer happen; where the number is known, ExpectTraces is better.
func ExpectMaxTraces[W int | Counts](t testing.TB, rec *harness.Recorder, most W, block func()) {
	t.Helper()
	expected, problem := newExpectation(most)
	expected.atMost = true
	expect(t, "ExpectMaxTraces", rec, problem, block, expected.mismatch)
}

// ExpectCause runs the block and reports an error to t unless something is traced
// in it, and all of that for the wanted cause: its kind, or a part of what
// [harness.Cause.String] says, such as `x: axis 0: 3 -> 4`.
//
// Which traces belong to the block is as with [ExpectTraces].
func ExpectCause[W harness.CauseKind | string](t testing.TB, rec *harness.Recorder, want W, block func()) {
	t.Helper()
	expected, problem := newExpectedCause(want)
	expect(t, "ExpectCause", rec, problem, block, expected.mismatch)
}

// expect runs the block and reports in what its traces are not as wanted, or
// without running it what is wrong with the call of the function named.
func expect(t testing.TB, function string, rec *harness.Recorder, problem string, block func(),
	mismatch func(*harness.Recorder, []harness.Trace) string) {

	t.Helper()
	switch {
	case rec == nil:
		problem = noRecorder
	case block == nil:
		problem = "the block is nil; give the code that traces"
	}
	if problem != "" {
		t.Fatalf("%s", bounded("tracecheck."+function+": "+problem))
		return
	}
	start, blind := rec.LastID(), rec.Check()
	block()
	last := rec.LastID()
	traces := rec.TracesSince(start) // more than up to last, if other goroutines trace
	text := mismatch(rec, traces)
	if problem := uncounted(rec, cmp.Or(blind, rec.Check()), last-start-len(traces)); problem != "" {
		text = "tracecheck." + function + ": " + problem
	}
	if text != "" {
		t.Errorf("%s", bounded(text+"\n"+describeAll(rec, traces)))
	}
}

// uncounted says why the traces of a block cannot be counted; empty if they can.
func uncounted(rec *harness.Recorder, blind error, missing int) string {
	switch {
	case blind != nil:
		return blind.Error()
	case missing > 0 && rec.Dropped() > 0:
		return fmt.Sprintf("the recorder's limit dropped %s of the block: raise it with its method SetLimit", count(missing, "trace"))
	case missing > 0:
		return fmt.Sprintf("the recorder was reset in the block, which lost %s of it", count(missing, "trace"))
	}
	return ""
}

const noRecorder = "the recorder is nil; make one with tracecheck.Record"

// ExpectNoTraces is [ExpectTraces] of no traces: after warm-up.
func ExpectNoTraces(t testing.TB, rec *harness.Recorder, block func()) {
	t.Helper()
	expect(t, "ExpectNoTraces", rec, "", block, expectation{}.mismatch)
}
