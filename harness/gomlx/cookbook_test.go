package gomlx_test

import (
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/core/tensors/bucketing"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/harness/gomlx/gomlxtest"
	"github.com/tracelint/tracelint/tracecheck"
)

// The recipes of docs/cookbook.md, which shows these functions as they are.

func shownSquare(x *graph.Node) *graph.Node {
	y := graph.Mul(x, x)
	y.SetLogged("square") // shown at every call
	return y
}

func TestCookbookPrintAtRunTime(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewExec1(rec, newBackend(t), shownSquare)
	shown := 0
	exec.SetNodeLogger(func(_ *graph.Graph, _ []string, values []*tensors.Tensor, _ []graph.NodeId) { shown += len(values) })
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for range 3 {
			exec.MustCall(ones(3))
		}
	})
	require.Equal(t, 3, shown)
}

func countedSum(scope *model.Scope, x *graph.Node) *graph.Node {
	steps := scope.VariableWithValue("steps", int64(0)).SetTrainable(false)
	steps.SetNodeValue(graph.AddScalar(steps.NodeValue(x), 1)) // in the graph: once a call
	return graph.ReduceAllSum(x)
}

func TestCookbookCountSteps(t *testing.T) {
	rec, store := tracecheck.Record(t), model.NewStore()
	exec := gomlx.MustNewModelExec1(rec, newBackend(t), store, countedSum)
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for range 3 {
			exec.MustCall(ones(3))
		}
	})
	require.Equal(t, int64(3), store.RootScope().VariableWithValue("steps", int64(0)).MustValue().Value())
}

func noisy(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Add(x, scope.RandomUniform(x.Graph(), x.Shape())) // drawn anew at each call
}

func TestCookbookRandomNumbers(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewModelExec1(rec, newBackend(t), model.NewStore(), noisy)
	tracecheck.ExpectTraces(t, rec, 1, func() {
		require.NotEqual(t, exec.MustCall(ones(3)).Value(), exec.MustCall(ones(3)).Value())
	})
}

func halvedRate(scope *model.Scope, g *graph.Graph) *graph.Node {
	step := optimizer.IncrementGlobalStep(g, dtypes.Float32)
	rate := graph.Pow(graph.Const(g, float32(0.5)), step) // computed in the graph from the step, not on the host
	optimizer.LearningRateVar(scope, dtypes.Float32, 1).SetNodeValue(rate)
	return rate
}

func TestCookbookLearningRate(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewModelExec1(rec, newBackend(t), model.NewStore(), halvedRate)
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for _, want := range []float32{0.5, 0.25, 0.125} {
			require.Equal(t, want, exec.MustCall().Value())
		}
	})
}

// padded is the tokens in a slice of the next bucket's size, and how many there are.
func padded(tokens []float32) ([]float32, int32) {
	buffer := make([]float32, bucketing.Pow2().Bucket(len(tokens)))
	return buffer, int32(copy(buffer, tokens))
}

func meanOfFirst(tokens, count *graph.Node) *graph.Node {
	positions := graph.Iota(tokens.Graph(), shapes.Make(dtypes.Int32, tokens.Shape().Dim(0)), 0)
	kept := graph.Where(graph.LessThan(positions, count), tokens, graph.ZerosLike(tokens))
	return graph.Div(graph.ReduceAllSum(kept), graph.ConvertDType(count, dtypes.Float32))
}

func TestCookbookVariableLengths(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewExec1(rec, newBackend(t), meanOfFirst)
	tracecheck.ExpectTraces(t, rec, 3, func() { // for the sizes 4, 8 and 16
		for length := 3; length <= 16; length++ {
			tokens, count := padded(ones(length))
			require.Equal(t, float32(1), exec.MustCall(tokens, count).Value())
		}
	})
}

func TestCookbookDynamicAxes(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewExec1(rec, newBackend(t), square)
	exec.WithDynamicAxes([]string{"batch"})
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for length := 1; length <= 16; length++ {
			exec.MustCall(ones(length))
		}
	})
}

// trainOnce trains on whole batches only.
func trainOnce(trainer *train.Trainer, examples *dataset.InMemoryDataset) error {
	examples.BatchSize(4, true) // of 10 examples 4 and 4, without the last 2
	for batch, err := range examples.Iter() {
		if err != nil {
			return err
		}
		if _, err := trainer.TrainStep(batch); err != nil {
			return err
		}
	}
	return nil
}

func TestCookbookRaggedBatches(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	trainer := gomlx.NewTrainer(rec, backend, model.NewStore(), linear, squaredError,
		optimizer.StochasticGradientDescent().Done(), nil, nil)
	data, err := dataset.InMemoryFromData(backend, "examples", []any{examples(10)}, []any{labels(10)})
	require.NoError(t, err)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1}, func() {
		require.NoError(t, trainOnce(trainer, data))
	})
}

func outer(x *graph.Node) *graph.Node {
	return graph.Add(square(x), x) // the function itself, not a wrapper of it
}

func TestCookbookNestedFunctions(t *testing.T) {
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewExec1(rec, newBackend(t), outer)
	tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall(ones(3)) })
}

func scaledBy(scope *model.Scope, x *graph.Node) *graph.Node {
	weight := scope.VariableWithValue("weight", float32(2))
	return graph.Mul(x, weight.NodeValue(x))
}

func tower(scope *model.Scope, x *graph.Node) *graph.Node {
	return scaledBy(scope.In("layer"), x)
}

func twoTowers(scope *model.Scope, x *graph.Node) *graph.Node {
	left := scaledBy(scope.In("layer"), x)
	right := scaledBy(scope.Shared("layer"), graph.Neg(x)) // the same variables a second time
	return graph.Add(left, right)
}

func TestCookbookSharedLayers(t *testing.T) {
	rec, backend, store := tracecheck.Record(t), newBackend(t), model.NewStore()
	one := gomlx.MustNewModelExec1(rec, backend, store, tower) // two wrappers of one store share variables
	two := gomlx.MustNewModelExec1(rec, backend, store, twoTowers)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"tower": 1, "twoTowers": 1}, func() {
		one.MustCall(ones(3))
		two.MustCall(ones(3))
	})
	variables := 0
	for range store.IterVariables() {
		variables++
	}
	require.Equal(t, 1, variables)
}

// serve answers requests of any length up to 16 on many goroutines.
func serve(rec *harness.Recorder, backend compute.Backend, requests [][]float32) []float32 {
	exec := gomlx.MustNewExec1(rec, backend, meanOfFirst)
	for size := 1; size <= 16; size *= 2 { // warm up, one at a time
		exec.MustCall(make([]float32, size), int32(size))
	}
	defer rec.Freeze(func(late harness.Trace) {
		panic(late.Function.Name + " traced after the warm-up: " + late.Cause.String())
	})()

	answers := make([]float32, len(requests))
	var waiting sync.WaitGroup
	for i, request := range requests {
		waiting.Go(func() {
			tokens, count := padded(request)
			answers[i] = tensors.ToScalar[float32](exec.MustCall(tokens, count))
		})
	}
	waiting.Wait()
	return answers
}

func TestCookbookConcurrency(t *testing.T) {
	rec := tracecheck.Record(t)
	tracecheck.ExpectTraces(t, rec, 5, func() {
		require.Equal(t, []float32{1, 1, 1}, serve(rec, newBackend(t), [][]float32{ones(3), ones(9), ones(16)}))
	})
}

func forward(x *graph.Node, training bool) *graph.Node {
	if training {
		return graph.Neg(x)
	}
	return x
}

func forwardTraining(x *graph.Node) *graph.Node { return forward(x, true) }
func forwardServing(x *graph.Node) *graph.Node  { return forward(x, false) }

func forwardEither(x, training *graph.Node) *graph.Node {
	return graph.Where(training, forward(x, true), forward(x, false))
}

func TestCookbookFlags(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	training, serving := gomlx.MustNewExec1(rec, backend, forwardTraining), gomlx.MustNewExec1(rec, backend, forwardServing)
	either := gomlx.MustNewExec1(rec, backend, forwardEither)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"forwardTraining": 1, "forwardServing": 1, "forwardEither": 1}, func() {
		for range 2 {
			require.Equal(t, []float32{-1}, training.MustCall(ones(1)).Value())
			require.Equal(t, []float32{1}, serving.MustCall(ones(1)).Value())
			require.Equal(t, []float32{-1}, either.MustCall(ones(1), true).Value())
			require.Equal(t, []float32{1}, either.MustCall(ones(1), false).Value())
		}
	})
}

type scaler struct{ factor float64 }

func (s *scaler) scale(x *graph.Node) *graph.Node { return graph.MulScalar(x, s.factor) }

func TestCookbookSeveralModels(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	first := gomlx.MustNewExec1(rec, backend, (&scaler{2}).scale, gomlx.WithName("doubler"))
	second := gomlx.MustNewExec1(rec, backend, (&scaler{3}).scale, gomlx.WithName("tripler"))
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"doubler": 1, "tripler": 1}, func() {
		first.MustCall(ones(3))
		second.MustCall(ones(3))
	})
}

func TestCookbookTracesThatDiffer(t *testing.T) {
	backend := newBackend(t)
	gomlxtest.ExpectDeterministic(t, func() *graph.Exec { return graph.MustNewExec(backend, square) }, shapes.Make(dtypes.Float32, 3))
}
