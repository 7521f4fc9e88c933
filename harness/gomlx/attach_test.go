package gomlx_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/graph/nanlogger"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestAttach(t *testing.T) {
	t.Run("graph.Exec", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := graph.MustNewExec(newBackend(t), square)
		gomlx.Attach(rec, exec)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"square": 2}, func() {
			exec.MustCall1(ones(3))
			exec.MustCall1(ones(3))
			exec.MustCall1(ones(4))
		})
		require.Equal(t, []string{"first", "new signature, same wrapper; arg 0: axis 0: 3 -> 4"}, causes(rec))
		require.Equal(t, "*graph.Exec", rec.Traces()[0].Wrapper.Description)
	})
	t.Run("model.Exec with a name", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := model.MustNewExec1(newBackend(t), model.NewStore(), scaled)
		exec.WithName("scaled")
		gomlx.Attach(rec, exec)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"scaled": 1}, func() {
			exec.MustCall(ones(3))
			exec.MustCall(ones(3))
		})
		require.Equal(t, "float32[3]", rec.Traces()[0].Args.String(), "variables are no arguments")
	})
	t.Run("model.Exec without a name", func(t *testing.T) {
		rec, backend, store := tracecheck.Record(t), newBackend(t), model.NewStore()
		first, second := model.MustNewExec(backend, store, scaled), model.MustNewExec(backend, store, scaled)
		gomlx.Attach(rec, first)
		gomlx.Attach(rec, second)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"*model.Exec 1": 1, "*model.Exec 2": 1}, func() {
			first.MustCall1(ones(3))
			second.MustCall1(ones(3))
		})
		require.True(t, rec.Traces()[0].Function.Nameless)
	})
	t.Run("a wrapper that ran before", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := graph.MustNewExec(newBackend(t), square)
		exec.MustCall1(ones(3))
		gomlx.Attach(rec, exec)
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(ones(3)) })
	})
	t.Run("the logger goes on", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := graph.MustNewExec(newBackend(t), func(x *graph.Node) *graph.Node {
			x.SetLogged("x")
			return graph.Neg(x)
		})
		var logged []string
		exec.SetNodeLogger(func(_ *graph.Graph, messages []string, _ []*tensors.Tensor, _ []graph.NodeId) {
			logged = append(logged, messages...)
		})
		gomlx.Attach(rec, exec)
		exec.MustCall1(ones(3))
		exec.MustCall1(ones(3))
		require.Equal(t, []string{"x", "x"}, logged)
	})
	t.Run("no logger", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := graph.MustNewExec(newBackend(t), square)
		exec.SetNodeLogger(nil)
		gomlx.Attach(rec, exec)
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(ones(3)) })
	})
	t.Run("times and places are unknown", func(t *testing.T) {
		fake := &recordingT{}
		rec := harness.NewRecorder()
		exec := graph.MustNewExec1(newBackend(t), square)
		gomlx.Attach(rec, exec)
		tracecheck.ExpectTraces(fake, rec, 1, func() {
			exec.MustCall(ones(1))
			exec.MustCall(ones(2))
		})
		require.Regexp(t, `^want 1 trace, got 2
  trace 1: square\(float32\[1\]\)
      first trace
      called at gomlx/attach_test.go:\d+ through \*graph.ExecOneOutput
  trace 2: square\(float32\[2\]\)
      new signature: arg 0: axis 0: 1 -> 2 \(nearest: trace 1, of the same wrapper\)
      called at gomlx/attach_test.go:\d+ through \*graph.ExecOneOutput
  1 retrace, seen too late to be timed
  to trace less:
`, fake.errors[0])
		require.True(t, rec.Traces()[0].Untimed)
		require.Zero(t, rec.Traces()[0].Duration)
		require.False(t, rec.Traces()[0].Wrapper.Site.Known())
	})
	t.Run("a logger that is replaced", func(t *testing.T) {
		const problem = "tracecheck.ExpectNoTraces: the node logger of Exec:github.com/tracelint/tracelint/harness/gomlx_test.square " +
			"was replaced after gomlx.Attach, so its traces may be missed: call Attach after SetNodeLogger\n"
		for name, replace := range map[string]func(exec *graph.Exec){
			"by another": func(exec *graph.Exec) {
				exec.SetNodeLogger(func(*graph.Graph, []string, []*tensors.Tensor, []graph.NodeId) {})
			},
			"by none": func(exec *graph.Exec) { exec.SetNodeLogger(nil) },
			// It calls the logger before it for messages that are not its own, and only then.
			"by one that goes on to it": func(exec *graph.Exec) { nanlogger.New().AttachToExec(exec) },
			"by that of another wrapper": func(exec *graph.Exec) {
				other := graph.MustNewExec(newBackend(t), square)
				gomlx.Attach(harness.NewRecorder(), other)
				exec.SetNodeLogger(other.GetNodeLogger())
			},
		} {
			t.Run(name, func(t *testing.T) {
				fake := &recordingT{}
				rec := harness.NewRecorder()
				exec := graph.MustNewExec(newBackend(t), square)
				gomlx.Attach(rec, exec)
				replace(exec)
				tracecheck.ExpectNoTraces(fake, rec, func() { exec.MustCall1(ones(3)) })
				require.Len(t, fake.errors, 1)
				require.Contains(t, fake.errors[0], problem)
			})
		}
	})
	t.Run("two recorders", func(t *testing.T) {
		first, second := tracecheck.Record(t), tracecheck.Record(t)
		exec := graph.MustNewExec(newBackend(t), square)
		gomlx.Attach(first, exec)
		gomlx.Attach(second, exec)
		tracecheck.ExpectTraces(t, first, 1, func() {
			tracecheck.ExpectTraces(t, second, 1, func() { exec.MustCall1(ones(3)) })
		})
	})
	t.Run("the executors of a trainer", func(t *testing.T) {
		rec := tracecheck.Record(t)
		trainer := train.NewTrainer(newBackend(t), model.NewStore(), linear, squaredError, optimizer.StochasticGradientDescent().Done(), nil, nil)
		trainer.OnExecCreation(func(exec *model.Exec, _ train.GraphType) { gomlx.Attach(rec, exec) })
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"Trainer": 2}, func() {
			step(t, trainer, batch(4, nil))
			step(t, trainer, batch(4, nil))
			evaluate(t, trainer, batch(4, nil))
		})
		require.Equal(t, "float32[4,2], float32[4]", rec.Traces()[0].Args.String())
	})
	t.Run("nil", func(t *testing.T) {
		rec := tracecheck.Record(t)
		var none *graph.Exec
		require.PanicsWithValue(t, "gomlx.Attach: the wrapper is nil; give the one to observe", func() { gomlx.Attach(rec, nil) })
		require.PanicsWithValue(t, "gomlx.Attach: the wrapper is nil; give the one to observe", func() { gomlx.Attach(rec, none) })
		require.Panics(t, func() { gomlx.Attach(nil, graph.MustNewExec(newBackend(t), square)) })
	})
}

func TestGraphsBuilt(t *testing.T) {
	require.Zero(t, gomlx.GraphsBuilt(func() {}))

	backend := newBackend(t)
	exec := model.MustNewExec(backend, model.NewStore(), affine{graph.Ones}.graph)
	require.Equal(t, 2, gomlx.GraphsBuilt(func() { exec.MustCall1(ones(3)) }), "the function and the variables")
	require.Zero(t, gomlx.GraphsBuilt(func() { exec.MustCall1(ones(3)) }))
	require.Equal(t, 1, gomlx.GraphsBuilt(func() { exec.MustCall1(ones(4)) }))
	require.Equal(t, 3, gomlx.GraphsBuilt(func() {
		for range 3 {
			graph.MustExecOnce(backend, square, ones(3))
		}
	}))
}
