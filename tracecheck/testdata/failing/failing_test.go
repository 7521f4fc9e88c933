// Package failing holds tests that fail: tracecheck's own tests run them and
// compare what a person sees.
package failing

import (
	"fmt"
	"testing"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

func square(x *et.Node) *et.Node { return x }

func record(t *testing.T) *harness.Recorder {
	rec := tracecheck.Record(t)
	rec.RegisterEngine("github.com/tracelint/tracelint/internal/enginetest")
	return rec
}

func TestTotal(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(et.Make(et.Float32, 3))
	tracecheck.ExpectNoTraces(t, rec, func() {
		exec.Call(et.Make(et.Float32, 3))
		exec.Call(et.Make(et.Float32, 4))
		exec.Call(et.Make(et.Int64, 4))
	})
}

func TestCounts(t *testing.T) {
	rec := record(t)
	inference := et.NewExec(harness.Wrap(rec, "inference", square))
	fun := et.NewExec(harness.Wrap(rec, "fun", func(x *et.Node) *et.Node {
		inference.Call(x.Shape())
		return x
	}))
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"fun": 1, "inference": 1}, func() {
		fun.Call(et.Make(et.Float32, 3))
		inference.Clear()
		inference.Call(et.Make(et.Float32, 3))
	})
}

func TestManyInSubtests(t *testing.T) {
	for _, step := range []int{1, 2} {
		t.Run(fmt.Sprint("step ", step), func(t *testing.T) {
			t.Parallel()
			rec := record(t)
			exec := et.NewExec(harness.Wrap(rec, "", square))
			tracecheck.ExpectTraces(t, rec, 60/step, func() {
				for n := 0; n < 60; n++ {
					exec.Call(et.Make(et.Float32, n))
				}
			})
		})
	}
}

func TestFatalInBlock(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", func(*et.Node) *et.Node {
		t.Fatal("given up inside of a trace")
		return nil
	}))
	tracecheck.ExpectTraces(t, rec, 1, func() { exec.Call(et.Make(et.Float32, 3)) })
	t.Error("the test went on")
}

func TestMost(t *testing.T) {
	rec := record(t)
	f := harness.Wrap(rec, "", square)
	tracecheck.ExpectMaxTraces(t, rec, 1, func() {
		et.NewExec(f).Call(et.Make(et.Float32, 3))
		et.NewExec(f).Call(et.Make(et.Float32, 3))
	})
}

func TestCause(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(et.Make(et.Float32, 3))
	tracecheck.ExpectCause(t, rec, "x: axis 0", func() { exec.Call(et.Make(et.Int64, 3)) })
}

func TestFreeze(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(et.Make(et.Float32, 3))
	tracecheck.Freeze(t, rec)
	exec.Call(et.Make(et.Float32, 5))
	t.Log("the test went on")
}

func TestGolden(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(et.Make(et.Float32, 4))
	exec.Call(et.Make(et.Float32, 5))
	tracecheck.Golden(t, rec, "testdata/square.traces")
	tracecheck.Golden(t, rec, "testdata/other.traces")
}

// Two wrappers of one place, and one of another.
func TestRebuiltWrapper(t *testing.T) {
	rec := record(t)
	trace := func(w harness.Wrapper) {
		info := harness.Info{Function: harness.Function{Name: "embed"}, Wrapper: w, Args: harness.SignatureOf(et.NewNode(et.Float32, 3))}
		rec.Start(info).End(harness.Returned())
	}
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for range 2 {
			trace(rec.NewWrapper("*enginetest.Exec"))
		}
	})
	tracecheck.ExpectTraces(t, rec, 0, func() { trace(rec.NewWrapper("*enginetest.Exec")) })
}

func TestBadInput(t *testing.T) {
	tracecheck.ExpectTraces(t, record(t), -1, func() {})
	t.Error("the test went on")
}

func TestPanicInBlock(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", func(*et.Node) *et.Node { panic("no such layer") }))
	tracecheck.ExpectTraces(t, rec, 1, func() { exec.Call(et.Make(et.Float32, 3)) })
}
