package fixed

import (
	"testing"

	"example.com/engine/taperecord"
	"example.com/tape"
	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestGenerate(t *testing.T) {
	rec := tracecheck.Record(t)
	m := NewModel(2, func(fn func(x *tape.Node) *tape.Node) *tape.Func { return taperecord.Record(rec, fn) })
	tracecheck.ExpectTraces(t, rec, 1, func() {
		if _, err := m.Generate([]float64{1, 2}, 5); err != nil {
			t.Fatal(err)
		}
	})
	tracecheck.ExpectNoTraces(t, rec, func() {
		if _, err := m.Predict(make([]float64, window)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestTraceInfo checks what the adapter knows of a trace beyond the body's run.
func TestTraceInfo(t *testing.T) {
	rec := tracecheck.Record(t)
	f := taperecord.Record(rec, func(x *tape.Node) *tape.Node { return tape.Mul(x, x) })
	for _, x := range [][]float64{{1}, {1, 2}} {
		if _, err := f.Call(x); err != nil {
			t.Fatal(err)
		}
	}
	last := rec.Traces()[1]
	if got, want := last.Cause.String(), "new signature: x: axis 0: 1 -> 2 (nearest: trace 1, of the same wrapper)"; got != want {
		t.Errorf("cause: got %s, want %s", got, want)
	}
	if got, want := last.Cause.Kind, harness.CauseNewSignature; got != want {
		t.Errorf("kind of cause: got %s, want %s", got, want)
	}
}
