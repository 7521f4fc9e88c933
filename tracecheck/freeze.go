package tracecheck

import (
	"sync"
	"testing"

	"github.com/tracelint/tracelint/harness"
)

// Freeze declares the warm-up over: from now to the end of the test each trace
// is reported to t as an error when its body starts, and then goes on. It does
// not end the trace, since GoMLX waits for ever for one that ends its goroutine.
//
// Where no test is at hand, see [harness.Recorder.Freeze].
func Freeze(t testing.TB, rec *harness.Recorder) {
	t.Helper()
	if rec == nil {
		t.Fatalf("tracecheck.Freeze: %s", noRecorder)
		return
	}
	f := &frozen{t: t, rec: rec}
	lift := rec.Freeze(f.report)
	t.Cleanup(func() {
		lift()
		f.end()
	})
}

// frozen reports traces to a test until it ends: a test that has ended must not
// be told of errors, and other goroutines may be about to.
type frozen struct {
	rec *harness.Recorder

	mu    sync.Mutex
	t     testing.TB
	ended bool
}

func (f *frozen) report(trace harness.Trace) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	f.t.Errorf("traced after tracecheck.Freeze\n%s", describeOne(f.rec, trace))
}

func (f *frozen) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
}
