package function_test

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func exampleRuntime(options ...function.RuntimeOption) *function.Runtime {
	backend, err := gobackend.New("")
	if err != nil {
		panic(err)
	}
	return function.NewRuntime(backend, options...)
}

// What the host prints appears once a trace, what the graph prints once an
// execution. Another dtype is another trace.
func Example() {
	r := exampleRuntime()
	square := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		fmt.Println("tracing with", x)
		c.Print("executing with", x)
		return c.Mul(x, x)
	})
	square.Call(r.Host(), function.From([]int64{1, 2, 3}))
	square.Call(r.Host(), function.From([]int64{4, 5, 6}))
	square.Call(r.Host(), function.From([]float32{0.5}))
	fmt.Println(square.TraceCount(), "traces")
	// Output:
	// tracing with Tensor("arg0:0", shape=(3), dtype=int64)
	// executing with [1 2 3]
	// executing with [4 5 6]
	// tracing with Tensor("arg0:0", shape=(1), dtype=float32)
	// executing with [0.5]
	// 2 traces
}

// A recorder says why each trace happened.
func ExampleWithRecorder() {
	rec := harness.NewRecorder()
	r := exampleRuntime(function.WithRecorder(rec))
	layer := function.NewDense(2)
	f := function.New(r, layer.Call, function.WithName("layer"), function.WithArgNames("x"))
	for rows := range 3 {
		f.Call(r.Host(), function.Fill(function.SpecOf(dtypes.Float32, rows+1, 4), 1)(r.Host()))
	}
	for _, trace := range rec.Traces() {
		if trace.Cause.Kind == harness.CauseState {
			fmt.Println("second trace of a first call, because state was made")
			continue
		}
		fmt.Println(trace.Cause)
	}
	// Output:
	// first trace
	// second trace of a first call, because state was made
	// new signature: x: axis 0: 1 -> 2 (nearest: trace 1, of the same wrapper)
	// new signature: x: axis 0: 2 -> 3 (nearest: trace 3, of the same wrapper)
}

// With shapes that change, the second one is traced with an unknown dimension,
// which serves all others.
func ExampleWithReduceRetracing() {
	r := exampleRuntime()
	sum := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Sum(x) },
		function.WithReduceRetracing())
	for _, x := range [][]int32{{1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}} {
		fmt.Println(sum.Call(r.Host(), function.From(x)))
	}
	fmt.Println(sum.Signatures(), sum.Compilations(), "compilations")
	// Output:
	// 1
	// 3
	// 6
	// 10
	// [int32[1] int32[?]] 4 compilations
}

// Any op of GoMLX can be used. Gradients are GoMLX's.
func ExampleCtx_Gradient() {
	r := exampleRuntime()
	f := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		y := c.Op("cube", func(_ *graph.Graph, n []*graph.Node) *graph.Node {
			return graph.Mul(n[0], graph.Square(n[0]))
		}, x)
		return c.Gradient(y, x)[0]
	})
	fmt.Println(f.Call(r.Host(), function.From(float32(2))))
	// Output: 12
}

// State outlives the calls. It is made once and kept.
func ExampleCtx_Variable() {
	r := exampleRuntime()
	var steps *function.Variable
	count := function.New(r, func(c *function.Ctx) function.Tensor {
		if steps == nil {
			steps = c.Variable("steps", function.Value(int64(0)))
		}
		return steps.AssignAdd(c, function.From(int64(1)))
	})
	fmt.Println(count.Call(r.Host()), count.Call(r.Host()), count.TraceCount(), "traces")
	// Output: 1 2 2 traces
}

// Verbosity turned up, a trace tells what it passes through.
func ExampleNewTextHandler() {
	logger := slog.New(function.NewTextHandler(os.Stdout, slog.LevelDebug))
	r := exampleRuntime(function.WithLogger(logger))
	f := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Neg(c.Add(x, x))
	}, function.WithName("f"), function.WithArgNames("x"))
	f.Call(r.Host(), function.From([]int32{1}))
	// Output:
	// INFO: converted call: f
	//     args: (Tensor("x:0", shape=(1), dtype=int32))
	//     kwargs: {}
	//     INFO: converted call: add
	//         args: (Tensor("x:0", shape=(1), dtype=int32), Tensor("x:0", shape=(1), dtype=int32))
	//         kwargs: {}
	//     INFO: converted call: neg
	//         args: (Tensor("add:0", shape=(1), dtype=int32))
	//         kwargs: {}
}
