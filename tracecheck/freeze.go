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
		t.Helper()
		lift()
		f.end()
	})
}

// shownByFreeze bounds the traces of a test that are reported one by one.
const shownByFreeze = 20

// frozen reports traces to a test until it ends: a test that has ended must not
// be told of errors, and other goroutines may be about to.
type frozen struct {
	rec *harness.Recorder

	mu     sync.Mutex
	t      testing.TB
	traces int
	ended  bool
}

func (f *frozen) report(trace harness.Trace) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	if f.traces++; f.traces <= shownByFreeze {
		f.t.Errorf("%s", bounded("traced after tracecheck.Freeze\n"+describeOne(f.rec, trace)))
	}
}

func (f *frozen) end() {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	if more := f.traces - shownByFreeze; more > 0 {
		f.t.Errorf("%d more traces after tracecheck.Freeze", more)
	}
	if err := f.rec.Check(); err != nil {
		f.t.Errorf("%s", bounded("tracecheck.Freeze: "+err.Error()))
	}
}
