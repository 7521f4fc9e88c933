package gomlx_test

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
)

// printTraces prints what was traced, and why.
func printTraces(rec *harness.Recorder) {
	for _, trace := range rec.Traces() {
		fmt.Printf("%s(%s): %s\n", rec.NameOf(trace.Function), trace.Args, trace.Cause)
	}
}

func ExampleMustNewExec() {
	rec, backend := harness.NewRecorder(), compute.MustNew()
	exec := gomlx.MustNewExec(rec, backend, square) // in place of graph.MustNewExec(backend, square)
	exec.MustCall1([]float32{1, 2, 3})
	exec.MustCall1([]float32{4, 5, 6})
	exec.MustCall1([]float32{1, 2, 3, 4})
	printTraces(rec)
	// Output:
	// square(x float32[3]): first trace
	// square(x float32[4]): new signature: x: axis 0: 3 -> 4 (nearest: trace 1, of the same wrapper)
}

func ExampleMustNewModelExec() {
	rec, backend, store := harness.NewRecorder(), compute.MustNew(), model.NewStore()
	exec := gomlx.MustNewModelExec(rec, backend, store, scaled)
	fmt.Println(exec.MustCall1([]float32{1, 2, 3}))
	fmt.Println(exec.MustCall1([]float32{4, 5, 6}))
	printTraces(rec)
	// Output:
	// [3]float32{2, 4, 6}
	// [3]float32{8, 10, 12}
	// scaled(scope *model.Scope, x float32[3]): first trace
}

func ExampleNewTrainer() {
	rec, backend, store := harness.NewRecorder(), compute.MustNew(), model.NewStore()
	trainer := gomlx.NewTrainer(rec, backend, store, linear, squaredError, optimizer.StochasticGradientDescent().Done(), nil, nil)
	for _, size := range []int{4, 4, 2} { // the last batch is ragged
		if _, err := trainer.TrainStep(batch(size, nil)); err != nil {
			fmt.Println(err)
		}
	}
	if _, err := trainer.EvalStep(batch(4, nil)); err != nil {
		fmt.Println(err)
	}
	printTraces(rec)
	// Output:
	// linear(scope *model.Scope, inputs float32[4,2], graph train): first trace
	// squaredError(labels {float32[4]}, predictions {float32[4]}, graph train): first trace
	// linear(scope *model.Scope, inputs float32[2,2], graph train): new signature: inputs: axis 0: 4 -> 2 (nearest: trace 1, of the same wrapper)
	// squaredError(labels {float32[2]}, predictions {float32[2]}, graph train): new signature: labels[0]: axis 0: 4 -> 2, predictions[0]: axis 0: 4 -> 2 (nearest: trace 2, of the same wrapper)
	// linear(scope *model.Scope, inputs float32[4,2], graph eval): new signature: graph: train -> eval (nearest: trace 1, of another wrapper)
	// squaredError(labels {float32[4]}, predictions {float32[4]}, graph eval): new signature: graph: train -> eval (nearest: trace 2, of another wrapper)
}

func ExampleAttach() {
	exec := graph.MustNewExec(compute.MustNew(), square) // made by code that knows of no recorder
	rec := harness.NewRecorder()
	gomlx.Attach(rec, exec)
	exec.MustCall1([]float32{1, 2, 3})
	exec.MustCall1([]int32{1, 2, 3})
	printTraces(rec)
	// Output:
	// square(float32[3]): first trace
	// square(int32[3]): new signature: arg 0: dtype float32 -> int32 (nearest: trace 1, of the same wrapper)
}

func ExampleGraphsBuilt() {
	backend := compute.MustNew()
	exec := graph.MustNewExec(backend, square)
	fmt.Println("one wrapper:", gomlx.GraphsBuilt(func() {
		for i := range 5 {
			exec.MustCall1(float32(i))
		}
	}))
	fmt.Println("rebuilt at each call:", gomlx.GraphsBuilt(func() {
		for i := range 5 {
			graph.MustExecOnce(backend, square, float32(i))
		}
	}))
	// Output:
	// one wrapper: 1
	// rebuilt at each call: 5
}
