package tracecheck

import (
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
		b.Cleanup(func() { b.ReportMetric(float64(rec.LastID())/float64(b.N), "traces/op") })
	}
	t.Cleanup(func() {
		t.Helper()
		if err := harness.LogErr(); err != nil {
			t.Error(err)
		}
		if t.Failed() || panicking() {
			t.Log(describeLog(rec))
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
// needs its package.
type Counts map[string]int

// ExpectTraces runs the block and reports an error to t unless exactly the
// wanted traces started in it: an int counts those of all functions, [Counts]
// those of each one. Traces that other goroutines start in the meantime count,
// and so do those of blocks inside of this one.
//
// A block that panics or ends its goroutine is not judged.
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
		t.Fatalf("tracecheck.%s: %s", function, problem)
		return
	}
	start := rec.LastID()
	block()
	traces := rec.TracesSince(start)
	if text := mismatch(rec, traces); text != "" {
		t.Errorf("%s\n%s", text, describeAll(rec, traces))
	}
}

const noRecorder = "the recorder is nil; make one with tracecheck.Record"

// ExpectNoTraces is [ExpectTraces] of no traces: after warm-up.
func ExpectNoTraces(t testing.TB, rec *harness.Recorder, block func()) {
	t.Helper()
	expect(t, "ExpectNoTraces", rec, "", block, expectation{}.mismatch)
}
