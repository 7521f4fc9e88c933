package tracecheck_test

import (
	"fmt"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

func ExampleFreeze() {
	t := &recordingT{} // the *testing.T of a test
	rec := tracecheck.Record(t)
	rec.RegisterEngine("github.com/tracelint/tracelint/internal/enginetest")
	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node { return x }))

	exec.Call(et.Make(et.Float32, 4)) // warm-up
	tracecheck.Freeze(t, rec)
	exec.Call(et.Make(et.Float32, 4))
	exec.Call(et.Make(et.Int64, 4))
	fmt.Println(t.errors[0])
	// Output:
	// traced after tracecheck.Freeze
	//   trace 2: square(x int64[4])
	//       new signature: x: dtype float32 -> int64 (nearest: trace 1)
	//       called at tracecheck/example_budget_test.go:LINE, still running
	//   to trace less:
	//     square: x had dtypes float32, int64: convert it to one of them before the call
}

func ExampleExpectCause() {
	t := &recordingT{} // the *testing.T of a test
	rec := tracecheck.Record(t)
	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node { return x }))

	tracecheck.ExpectCause(t, rec, harness.CauseFirst, func() { exec.Call(et.Make(et.Float32, 3)) })
	tracecheck.ExpectCause(t, rec, "x: axis 0: 3 -> 4", func() { exec.Call(et.Make(et.Float32, 4)) })
	tracecheck.ExpectMaxTraces(t, rec, 1, func() { exec.Call(et.Make(et.Float32, 5)) })
	fmt.Println("errors:", len(t.errors))
	// Output:
	// errors: 0
}

func ExampleGolden() {
	t := &recordingT{} // the *testing.T of a test
	rec := tracecheck.Record(t)
	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node { return x }))
	exec.Call(et.Make(et.Float32, 3))
	exec.Call(et.Make(et.Float32, 4))

	tracecheck.Golden(t, rec, "testdata/example.traces")
	fmt.Println("errors:", len(t.errors))
	// Output:
	// errors: 0
}
