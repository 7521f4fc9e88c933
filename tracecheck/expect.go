package tracecheck

import (
	"runtime"
	"testing"

	"github.com/tracelint/tracelint/harness"
)

// Record returns a recorder whose log is printed when the test ends, if it
// failed or panics. The test fails if the environment asks for a log of traces
// ([harness.LogVariable]) that cannot be written.
func Record(t testing.TB) *harness.Recorder {
	t.Helper()
	rec := harness.NewRecorder()
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
	switch {
	case rec == nil:
		problem = "the recorder is nil; make one with tracecheck.Record"
	case block == nil:
		problem = "the block is nil; give the code that traces"
	}
	if problem != "" {
		t.Fatalf("tracecheck.ExpectTraces: %s", problem)
		return
	}
	start := rec.LastID()
	block()
	traces := rec.TracesSince(start)
	if mismatch := expected.mismatch(rec, traces); mismatch != "" {
		t.Errorf("%s\n%s", mismatch, describeAll(rec, traces))
	}
}

// ExpectNoTraces is [ExpectTraces] of no traces: after warm-up.
func ExpectNoTraces(t testing.TB, rec *harness.Recorder, block func()) {
	t.Helper()
	ExpectTraces(t, rec, 0, block)
}
