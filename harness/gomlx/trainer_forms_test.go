package gomlx_test

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

// sameAsGoMLX requires that a trainer evaluates a model function of some form as
// one that GoMLX makes does.
func sameAsGoMLX[F train.ModelFnCompatible](t *testing.T, form string, modelFn F) {
	t.Run(form, func(t *testing.T) {
		rec := tracecheck.Record(t)
		lossFn := func(labels, predictions []*graph.Node) *graph.Node {
			sum := graph.ReduceAllSum(labels[0])
			for i, p := range predictions {
				sum = graph.Add(sum, graph.MulScalar(graph.ReduceAllSum(p), float64(i+1)))
			}
			return sum
		}
		evaluation := func(backend compute.Backend, store *model.Store, wrap bool) []any {
			metrics := []metric.Interface{metric.NewMeanMetric("loss", "loss", metric.LossMetricType,
				func(_ *model.Scope, labels, predictions []*graph.Node) *graph.Node {
					return lossFn(labels, predictions)
				}, nil)}
			opt := optimizer.StochasticGradientDescent().Done()
			trainer := train.NewTrainer(backend, store, modelFn, lossFn, opt, nil, metrics)
			if wrap {
				trainer = gomlx.NewTrainer(rec, backend, store, modelFn, lossFn, opt, nil, metrics)
			}
			values, err := trainer.EvalStep(train.Batch{
				Inputs: []*tensors.Tensor{tensors.FromValue(ones(3)), tensors.FromValue(ones(3)), tensors.FromValue(ones(3))},
				Labels: []*tensors.Tensor{tensors.FromValue(ones(3))},
				Spec:   "spec",
			})
			require.NoError(t, err)
			var all []any
			for _, v := range values {
				all = append(all, v.Value())
			}
			return all
		}
		want := evaluation(newBackend(t), model.NewStore(), false)
		require.Equal(t, want, evaluation(newBackend(t), model.NewStore(), true))
		require.Equal(t, "first", causes(rec)[0])
		require.Contains(t, rec.Traces()[0].Args.String(), `graph eval, spec "spec"`)
	})
}

func TestTrainerTakesEachFormOfModelFunction(t *testing.T) {
	sameAsGoMLX(t, "graph", func(_ *model.Scope, g *graph.Graph) *graph.Node { return graph.Const(g, float32(3)) })
	sameAsGoMLX(t, "one node", func(_ *model.Scope, x *graph.Node) *graph.Node { return graph.Neg(x) })
	sameAsGoMLX(t, "three nodes, two results", func(_ *model.Scope, x, y, z *graph.Node) (*graph.Node, *graph.Node) {
		return graph.Add(x, y), graph.Neg(z)
	})
	sameAsGoMLX(t, "slices", func(_ *model.Scope, xs []*graph.Node) []*graph.Node { return xs[1:] })
	sameAsGoMLX(t, "spec", func(_ *model.Scope, spec any, x *graph.Node) *graph.Node {
		return graph.MulScalar(x, float64(len(spec.(string))))
	})
	sameAsGoMLX(t, "canonical", train.ModelFn(func(_ *model.Scope, _ any, xs []*graph.Node) []*graph.Node { return xs[:1] }))
}
