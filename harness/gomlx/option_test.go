package gomlx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

// A budget needs names that last, which function literals get from WithName.
func TestNamedFunctionLiterals(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	step := gomlx.MustNewExec1(rec, backend, func(x *graph.Node) *graph.Node { return graph.Neg(x) }, gomlx.WithName("step"))
	predict := gomlx.MustNewModelExec(rec, backend, model.NewStore(), func(_ *model.Scope, x *graph.Node) *graph.Node {
		return graph.Neg(x)
	}, gomlx.WithName("predict"))
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"step": 2, "predict": 1}, func() {
		step.MustCall(ones(3))
		step.MustCall(ones(4))
		predict.MustCall(ones(3))
	})
	require.Equal(t, "x: axis 0: 3 -> 4", rec.Traces()[1].Cause.Differences[0].String())
	require.Contains(t, step.Name(), "TestNamedFunctionLiterals", "the engine's name is its own")

	path := filepath.Join(t.TempDir(), "steps.traces")
	t.Setenv(tracecheck.UpdateVariable, "1")
	tracecheck.Golden(t, rec, path)
	budget, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(budget), `
predict
  (*model.Scope, float32[3])

step
  (float32[3])
  (float32[4])  arg 0: axis 0: 3 -> 4
`)
}

// A model function is a closure where it is made for some settings.
func TestNamedTrainer(t *testing.T) {
	rec := tracecheck.Record(t)
	scale := 2.0
	modelFn := func(scope *model.Scope, x *graph.Node) *graph.Node { return graph.MulScalar(scaled(scope, x), scale) }
	lossFn := func(labels, predictions []*graph.Node) *graph.Node {
		return graph.ReduceAllMean(graph.Square(graph.Sub(labels[0], predictions[0])))
	}
	trainer := gomlx.NewTrainer(rec, newBackend(t), model.NewStore(), modelFn, lossFn,
		optimizer.StochasticGradientDescent().Done(), nil, nil, gomlx.WithName("scaled"))
	batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue(ones(4))}, Labels: []*tensors.Tensor{tensors.FromValue(ones(4))}}
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"scaled": 1, "scaled loss": 1}, func() { step(t, trainer, batch) })

	path := filepath.Join(t.TempDir(), "trainer.traces")
	t.Setenv(tracecheck.UpdateVariable, "1")
	tracecheck.Golden(t, rec, path)
	budget, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(budget), `
scaled
  (*model.Scope, float32[4], graph train)

scaled loss
`)
}
