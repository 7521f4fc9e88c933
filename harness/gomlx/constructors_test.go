package gomlx_test

import (
	"fmt"
	"path"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func split2(x *graph.Node) (_, _ *graph.Node)    { return x, graph.Neg(x) }
func split3(x *graph.Node) (_, _, _ *graph.Node) { return x, graph.Neg(x), graph.Mul(x, x) }

func scaled2(scope *model.Scope, x *graph.Node) (_, _ *graph.Node) {
	return split2(scaled(scope, x))
}

func scaled3(scope *model.Scope, x *graph.Node) (_, _, _ *graph.Node) {
	return split3(scaled(scope, x))
}

// noOutput has an effect on the store only.
func noOutput(scope *model.Scope, x *graph.Node) {
	sum := scope.VariableWithValue("sum", float32(0))
	sum.SetNodeValue(graph.Add(sum.NodeValue(x), graph.ReduceAllSum(x)))
}

func TestConstructorsOfFixedOutputs(t *testing.T) {
	rec, backend, store := tracecheck.Record(t), newBackend(t), model.NewStore()
	counts := tracecheck.Counts{"square": 1, "split2": 1, "split3": 1, "scaled": 1, "scaled2": 1, "scaled3": 1, "noOutput": 1}
	tracecheck.ExpectTraces(t, rec, counts, func() {
		one := gomlx.MustNewExec1(rec, backend, square).MustCall(float32(3))
		require.Equal(t, float32(9), one.Value())
		_, two := gomlx.MustNewExec2(rec, backend, split2).MustCall(float32(3))
		require.Equal(t, float32(-3), two.Value())
		_, _, three := gomlx.MustNewExec3(rec, backend, split3).MustCall(float32(3))
		require.Equal(t, float32(9), three.Value())

		one = gomlx.MustNewModelExec1(rec, backend, store, scaled).MustCall(float32(3))
		require.Equal(t, float32(6), one.Value())
		_, two = gomlx.MustNewModelExec2(rec, backend, store, scaled2).MustCall(float32(3))
		require.Equal(t, float32(-6), two.Value())
		_, _, three = gomlx.MustNewModelExec3(rec, backend, store, scaled3).MustCall(float32(3))
		require.Equal(t, float32(36), three.Value())
		require.Empty(t, gomlx.MustNewModelExec(rec, backend, store, noOutput).MustCall(ones(3)))
		require.Equal(t, float32(3), store.GetVariable("/sum").MustValue().Value())
	})
}

func TestNamesInTheEngine(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	require.Equal(t, graph.MustNewExec(backend, square).Name(), gomlx.MustNewExec(rec, backend, square).Name())

	const here = "github.com/tracelint/tracelint/harness/gomlx_test."
	require.Equal(t, "Store.Exec:"+here+"scaled", gomlx.MustNewModelExec(rec, backend, model.NewStore(), scaled).Name())

	trainer := gomlx.NewTrainer(rec, backend, model.NewStore(), linear, squaredError, optimizer.StochasticGradientDescent().Done(), nil, nil)
	var name string
	trainer.OnExecCreation(func(exec *model.Exec, _ train.GraphType) { name = exec.Name() })
	evaluate(t, trainer, batch(4, nil))
	require.Equal(t, "Trainer:"+here+"linear (eval, executor 1)", name)
}

func TestTracesTellWhereTheyComeFrom(t *testing.T) {
	rec, exec := newSquare(t)
	exec.MustCall1(ones(3))
	trace := rec.Traces()[0]
	require.Equal(t, "constructors_test.go", path.Base(trace.Site.Frame().File), "GoMLX's frames and the recorder's are passed over")
	require.Equal(t, "rows_test.go", path.Base(trace.Wrapper.Site.Frame().File))
	require.Equal(t, "*graph.Exec", trace.Wrapper.Description)
	require.Equal(t, "x float32[3]", trace.Args.String())
	require.Equal(t, harness.Returned(), trace.Outcome)
}

func TestTrainerTracesTellSpec(t *testing.T) {
	rec := tracecheck.Record(t)
	trainer := gomlx.NewTrainer(rec, newBackend(t), model.NewStore(), linearPerTask, nil,
		optimizer.StochasticGradientDescent().Done(), nil, nil)
	step(t, trainer, batch(4, "a"))
	step(t, trainer, batch(4, "b"))
	require.Equal(t, []string{"first", `new signature, other wrapper; spec: "a" -> "b"`}, causes(rec))
	require.Equal(t, `scope *model.Scope, spec any, inputs {float32[4,2]}, graph train, spec "b"`, rec.Traces()[1].Args.String())
}

// linearPerTask has weights for each spec, and its loss within itself.
func linearPerTask(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
	predictions := linear(scope.In("%s", spec), inputs[0])
	train.AddMainLoss(graph.ReduceAllMean(graph.Mul(predictions, predictions)))
	return []*graph.Node{predictions}
}

func TestConstructorsRefuseNil(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	var noGraphFn func(*graph.Node) *graph.Node
	var noModelFn func(*model.Scope, *graph.Node) *graph.Node

	_, err := gomlx.NewExec(nil, backend, square)
	require.ErrorContains(t, err, "the recorder is nil")
	_, err = gomlx.NewExec(rec, backend, noGraphFn)
	require.ErrorContains(t, err, "the function to trace is nil")
	_, err = gomlx.NewExec1(rec, backend, noGraphFn)
	require.ErrorContains(t, err, "the function to trace is nil")
	_, err = gomlx.NewModelExec(nil, backend, model.NewStore(), scaled)
	require.ErrorContains(t, err, "the recorder is nil")
	_, err = gomlx.NewModelExec(rec, backend, nil, scaled)
	require.ErrorContains(t, err, "store cannot be nil")
	_, err = gomlx.NewModelExec1(rec, backend, model.NewStore(), noModelFn)
	require.ErrorContains(t, err, "the function to trace is nil")
	require.Panics(t, func() { gomlx.MustNewExec(nil, backend, square) })
	require.Panics(t, func() {
		gomlx.NewTrainer(nil, backend, model.NewStore(), linear, squaredError, optimizer.StochasticGradientDescent().Done(), nil, nil)
	})
}

// recordingT is a testing.TB that keeps what it is told.
type recordingT struct {
	testing.TB
	errors []string
}

func (t *recordingT) Helper() {}

func (t *recordingT) Errorf(format string, args ...any) {
	t.errors = append(t.errors, fmt.Sprintf(format, args...))
}

// A failure advises dynamic axes where the backend has them, as the pure Go one does.
func TestAdviceOfDynamicAxes(t *testing.T) {
	fake := &recordingT{}
	rec := harness.NewRecorder()
	exec := gomlx.MustNewExec(rec, newBackend(t), square)
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		exec.MustCall1(ones(3))
		exec.MustCall1(ones(5))
	})
	require.Len(t, fake.errors, 1)
	require.Contains(t, fake.errors[0], "square: axis 0 of x had 2 sizes from 3 to 5: pad it to 8, the power of two that fits, "+
		"or each size to its own power of two, or name it with WithDynamicAxes, since the backend has dynamic axes")
}
