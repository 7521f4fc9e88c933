package gomlx_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

// linear is the model function of the trainer rows. Its weight is one number: the pure Go backend's small matrix
// products do not pass the pointer checks of -race, and GoMLX has no gradient for other broadcasts over dynamic axes.
func linear(scope *model.Scope, inputs *graph.Node) *graph.Node {
	scope = scope.In("linear")
	weight := scope.VariableWithShape("weight", shapes.Make(dtypes.Float32)).NodeValue(inputs)
	bias := scope.VariableWithShape("bias", shapes.Make(dtypes.Float32)).NodeValue(inputs)
	return graph.Add(graph.Mul(graph.ReduceSum(inputs, -1), weight), bias)
}

func squaredError(labels, predictions []*graph.Node) *graph.Node {
	return loss.MeanSquaredError(labels, predictions)
}

func absoluteError(_ *model.Scope, labels, predictions []*graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Abs(graph.Sub(predictions[0], labels[0])))
}

// newTrainer returns a trainer of linear with one metric for evaluation, which
// rec counts as "metric".
func newTrainer(t testing.TB) (*harness.Recorder, *train.Trainer) {
	t.Helper()
	rec := tracecheck.Record(t)
	evaluation := metric.NewMeanMetric("error", "err", metric.LossMetricType, harness.Wrap(rec, "metric", absoluteError), nil)
	return rec, gomlx.NewTrainer(rec, newBackend(t), model.NewStore(), linear, squaredError,
		optimizer.StochasticGradientDescent().Done(), nil, []metric.Interface{evaluation})
}

// batch returns a batch of n examples.
func batch(n int, spec any) train.Batch {
	return train.Batch{
		Inputs: []*tensors.Tensor{tensors.FromValue(examples(n))},
		Labels: []*tensors.Tensor{tensors.FromValue(labels(n))},
		Spec:   spec,
	}
}

func examples(n int) [][]float32 {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = []float32{float32(i), 1}
	}
	return rows
}

func labels(n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(2 * i)
	}
	return values
}

func step(t testing.TB, trainer *train.Trainer, b train.Batch) {
	t.Helper()
	_, err := trainer.TrainStep(b)
	require.NoError(t, err)
}

func evaluate(t testing.TB, trainer *train.Trainer, b train.Batch) {
	t.Helper()
	_, err := trainer.EvalStep(b)
	require.NoError(t, err)
}

func TestTrainerStepRows(t *testing.T) {
	t.Run("T1 constructor, no step", func(t *testing.T) {
		rec, _ := newTrainer(t)
		require.Empty(t, rec.Traces())
	})
	t.Run("T2 3 training steps, same shape", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1}, func() {
			for range 3 {
				step(t, trainer, batch(4, nil))
			}
		})
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
	t.Run("T3 ragged last batch", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		step(t, trainer, batch(4, nil))
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1}, func() { step(t, trainer, batch(2, nil)) })
		require.Equal(t, []string{
			"first",
			"first",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
			"new signature, same wrapper; labels[0]: axis 0: 4 -> 2; predictions[0]: axis 0: 4 -> 2",
		}, causes(rec))
	})
	t.Run("T4-T5 2 evaluation steps", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		step(t, trainer, batch(4, nil))
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1, "metric": 1}, func() {
			evaluate(t, trainer, batch(4, nil))
			evaluate(t, trainer, batch(4, nil))
		})
		require.Equal(t, []string{
			"first",
			"first",
			"new signature, other wrapper; graph: train -> eval",
			"new signature, other wrapper; graph: train -> eval",
			"first",
		}, causes(rec))
	})
	t.Run("T6 ragged evaluation batch", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		evaluate(t, trainer, batch(4, nil))
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1, "metric": 1}, func() {
			evaluate(t, trainer, batch(2, nil))
		})
		require.Equal(t, []string{
			"first",
			"first",
			"first",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
			"new signature, same wrapper; labels[0]: axis 0: 4 -> 2; predictions[0]: axis 0: 4 -> 2",
			"new signature; labels[0]: axis 0: 4 -> 2; predictions[0]: axis 0: 4 -> 2",
		}, causes(rec))
	})
	t.Run("T11 ResetComputationGraphs", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		step(t, trainer, batch(4, nil))
		trainer.ResetComputationGraphs()
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1}, func() { step(t, trainer, batch(4, nil)) })
		const reset = "same signature, other wrapper: ResetComputationGraphs dropped the executor"
		require.Equal(t, []string{"first", "first", reset, reset}, causes(rec))
	})
	t.Run("T13 a new batch size at each step", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		const limit = graph.DefaultExecMaxCacheSize
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": limit, "squaredError": limit}, func() {
			for n := 1; n <= limit; n++ {
				step(t, trainer, batch(n, nil))
			}
			_, err := trainer.TrainStep(batch(limit+1, nil))
			require.ErrorContains(t, err, "maximum cache size of 32 reached")
		})
		require.Equal(t, grown("inputs: axis 0", limit), causesOf(rec, "linear"))
	})
	t.Run("T14 gradients accumulated over 2 steps, 4 steps", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		require.NoError(t, trainer.AccumulateGradients(2))
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 2, "squaredError": 2}, func() {
			for range 4 {
				step(t, trainer, batch(4, nil))
			}
		})
		const applied = "new signature, other wrapper; graph: train, gradients accumulated -> train, gradients applied"
		require.Equal(t, []string{"first", "first", applied, applied}, causes(rec))
	})
	t.Run("T19 9 batch sizes, dynamic axes", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		trainer.WithInputsDynamicAxes([]string{"batch", ""}).WithLabelsDynamicAxes([]string{"batch"})
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 1, "squaredError": 1}, func() {
			for n := 1; n <= 9; n++ {
				step(t, trainer, batch(n, nil))
			}
		})
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
}

// A task is a batch specification.
type task struct{ name string }

func TestTrainerSpecRows(t *testing.T) {
	t.Run("T7 spec a string, twice", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		tracecheck.ExpectTraces(t, rec, 2, func() {
			step(t, trainer, batch(4, "a"))
			step(t, trainer, batch(4, "a"))
		})
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
	t.Run("T8 spec an equal struct, twice", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		tracecheck.ExpectTraces(t, rec, 2, func() {
			step(t, trainer, batch(4, task{"a"}))
			step(t, trainer, batch(4, task{"a"}))
		})
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
	t.Run("T9 spec a fresh pointer, twice", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": 2, "squaredError": 2}, func() {
			step(t, trainer, batch(4, &task{"a"}))
			step(t, trainer, batch(4, &task{"a"}))
		})
		const fresh = "new signature, other wrapper; spec: *gomlx_test.task #1 -> *gomlx_test.task #2"
		require.Equal(t, []string{"first", "first", fresh, fresh}, causes(rec))
	})
	t.Run("T10 spec unhashable", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		tracecheck.ExpectNoTraces(t, rec, func() {
			require.PanicsWithError(t, "hash of unhashable type: []int", func() { step(t, trainer, batch(4, []int{1})) })
		})
	})
	t.Run("T12 fresh pointers until the limit", func(t *testing.T) {
		rec, trainer := newTrainer(t)
		const limit = 51 // the engine compares its limit of 50 with >
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": limit, "squaredError": limit}, func() {
			for range limit {
				step(t, trainer, batch(4, &task{"a"}))
			}
			_, err := trainer.TrainStep(batch(4, &task{"a"}))
			require.ErrorContains(t, err, "Max number of executors reached")
		})
		for n, cause := range causesOf(rec, "linear")[1:] {
			require.Equal(t, fmt.Sprintf("new signature, other wrapper; spec: *gomlx_test.task #%d -> *gomlx_test.task #%d", n+1, n+2), cause)
		}
	})
}

func newDataset(t testing.TB, backend compute.Backend) *dataset.InMemoryDataset {
	t.Helper()
	data, err := dataset.InMemoryFromData(backend, "lines", []any{examples(10)}, []any{labels(10)})
	require.NoError(t, err)
	return data
}

func TestTrainerLoopRows(t *testing.T) {
	for _, row := range []struct {
		name                   string
		drop                   bool
		train, eval, batchNorm int
		causes                 []string // of linear
	}{
		{"T15-T17 3 epochs of 10 examples by 4", false, 2, 2, 4, []string{
			"first",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
			"new signature, other wrapper; graph: train -> eval",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
			"new signature, other wrapper; graph: eval -> batch norm, phase 0",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
			"new signature, other wrapper; graph: batch norm, phase 0 -> batch norm, phase 1",
			"new signature, same wrapper; inputs: axis 0: 4 -> 2",
		}},
		{"T15-T17 3 epochs of 10 examples by 4, last dropped", true, 1, 1, 2, []string{
			"first",
			"new signature, other wrapper; graph: train -> eval",
			"new signature, other wrapper; graph: eval -> batch norm, phase 0",
			"new signature, other wrapper; graph: batch norm, phase 0 -> batch norm, phase 1",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			rec, trainer := newTrainer(t)
			data := newDataset(t, trainer.Backend()).BatchSize(4, row.drop)
			tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": row.train, "squaredError": row.train}, func() {
				_, err := train.NewLoop(trainer).RunEpochs(data, 3)
				require.NoError(t, err)
			})
			tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": row.eval, "squaredError": row.eval, "metric": row.eval}, func() {
				_, err := trainer.Eval(data)
				require.NoError(t, err)
			})
			tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"linear": row.batchNorm, "squaredError": row.batchNorm}, func() {
				require.NoError(t, trainer.BatchNormalizationAveragesUpdate(data))
			})
			require.Equal(t, row.causes, causesOf(rec, "linear"))
		})
	}
	t.Run("T18 dataset mapped by a graph function, batches 4, 4, 2", func(t *testing.T) {
		rec := tracecheck.Record(t)
		scale := func(b dataset.GraphBatch) dataset.GraphBatch {
			b.Inputs[0] = graph.MulScalar(b.Inputs[0], 0.5)
			return b
		}
		backend := newBackend(t)
		mapped := dataset.Map(backend, newDataset(t, backend).BatchSize(4, false), harness.Wrap(rec, "scale", scale))
		tracecheck.ExpectTraces(t, rec, 2, func() {
			for _, err := range mapped.Iter() {
				require.NoError(t, err)
			}
		})
		require.Equal(t, []string{"first", "new signature; b.Inputs[0]: axis 0: 4 -> 2; b.Labels[0]: axis 0: 4 -> 2"}, causes(rec))
	})
}
