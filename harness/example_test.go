package harness_test

import (
	"fmt"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

// A body is wrapped before the engine gets it; the engine's own wrapper is
// called as ever.
func ExampleWrap() {
	square := func(x *et.Node) *et.Node { return x }

	rec := harness.NewRecorder()
	exec := et.NewExec(harness.Wrap(rec, "square", square))
	exec.Call(et.Make(et.Float32, 3))
	exec.Call(et.Make(et.Float32, 3))
	exec.Call(et.Make(et.Float32, 4))

	for _, trace := range rec.Traces() {
		fmt.Printf("%s(%s): %s\n", trace.Function, trace.Args, trace.Cause)
	}
	// Output:
	// square(x float32[3]): first trace
	// square(x float32[4]): new signature: x: axis 0: 3 -> 4 (nearest: trace 1)
}

// An engine says itself what it traces, and why if it knows.
func ExampleRecorder_Start() {
	rec := harness.NewRecorder()
	wrapper := rec.NewWrapper("*function.Func")
	trace := func(cause *harness.Cause, body func()) int {
		span := rec.Start(harness.Info{
			Function: harness.Function{Name: "inference"},
			Wrapper:  wrapper,
			Args:     harness.Signature{{Name: "x", Kind: harness.Tensor, Type: "int64", Dims: []int{3}}},
			Cause:    cause,
		})
		defer span.End(harness.Exited()) // counts if the body does not come back
		body()
		span.End(harness.Returned())
		return span.ID()
	}
	first := trace(nil, func() {})
	trace(&harness.Cause{Kind: harness.CauseState, Earlier: first, Detail: "variable dense/w"}, func() {})

	for _, trace := range rec.Traces() {
		fmt.Printf("%s(%s) %s: %s\n", trace.Function, trace.Args, trace.Outcome, trace.Cause)
	}
	// Output:
	// inference(x int64[3]) returned: first trace
	// inference(x int64[3]) returned: second trace of a first call, because state was made: variable dense/w
}

func ExampleRecorder_OnTrace() {
	rec := harness.NewRecorder()
	remove := rec.OnTrace(func(t harness.Trace) {
		if t.Retrace {
			fmt.Println("retraced", t.Function, "because of a", t.Cause.Kind)
		}
	})
	defer remove()

	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node { return x }))
	exec.Call(et.Make(et.Float32, 3))
	exec.Call(et.Make(et.Int64, 3))
	// Output: retraced square because of a new signature
}
