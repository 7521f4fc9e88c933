package tracecheck_test

import (
	"fmt"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

func ExampleExpectTraces() {
	t := &recordingT{} // the *testing.T of a test
	rec := tracecheck.Record(t)
	rec.RegisterEngine("github.com/tracelint/tracelint/internal/enginetest")
	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node { return x }))

	tracecheck.ExpectTraces(t, rec, 1, func() { exec.Call(et.Make(et.Float32, 3)) })
	tracecheck.ExpectNoTraces(t, rec, func() { exec.Call(et.Make(et.Float32, 3)) })
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"square": 0}, func() {
		exec.Call(et.Make(et.Float32, 3, 1))
	})
	fmt.Println(t.errors[0])
	// Output:
	// traces by function (-want +got):
	//   - square  0
	//   + square  1
	//   trace 2: square(x float32[3,1])
	//       new signature: x: rank 1 -> 2 (nearest: trace 1)
	//       called at tracecheck/example_test.go:LINE, took TIME
	//   1 retrace cost TIME of TIME spent tracing
	//   to trace less:
	//     square: x had ranks 1, 2: reshape it to one of them before the call
}
