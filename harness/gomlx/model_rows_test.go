package gomlx_test

import (
	"errors"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

// affine is the function of most model rows: it creates two variables.
type affine struct{ initialize model.VariableInitializer }

func (a affine) graph(scope *model.Scope, x *graph.Node) *graph.Node {
	scope = scope.WithInitializer(a.initialize)
	w := scope.VariableWithShape("w", shapes.Make(dtypes.Float32)).NodeValue(x)
	b := scope.VariableWithShape("b", shapes.Make(dtypes.Float32)).NodeValue(x)
	return graph.Add(graph.Mul(x, w), b)
}

// newAffine returns a wrapper of affine and the recorder, which counts the initializer of its variables as "init".
func newAffine(t testing.TB) (*harness.Recorder, *model.Exec) {
	t.Helper()
	rec := tracecheck.Record(t)
	initialize := harness.Wrap(rec, "init", func(g *graph.Graph, shape shapes.Shape) *graph.Node { return graph.Ones(g, shape) })
	exec, err := gomlx.NewModelExec(rec, newBackend(t), model.NewStore(), affine{initialize}.graph)
	require.NoError(t, err)
	return rec, exec
}

// scaled multiplies its argument by the variable "w" of the store.
func scaled(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Mul(x, scope.VariableWithValue("w", float32(2)).NodeValue(x))
}

func newScaled(t testing.TB) (*harness.Recorder, *model.Store, *model.Exec) {
	t.Helper()
	rec, store := tracecheck.Record(t), model.NewStore()
	exec, err := gomlx.NewModelExec(rec, newBackend(t), store, scaled)
	require.NoError(t, err)
	return rec, store, exec
}

func TestModelVariableRows(t *testing.T) {
	t.Run("C1-C2 first call with 2 uninitialised variables", func(t *testing.T) {
		rec, exec := newAffine(t)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"affine.graph": 1, "init": 2}, func() {
			graphs := gomlx.GraphsBuilt(func() {
				require.Equal(t, []float32{2, 2, 2}, exec.MustCall1(ones(3)).Value())
			})
			require.Equal(t, 2, graphs, "the function's graph and the one of the initializers")
		})
		require.Equal(t, []string{
			"first",
			"first",
			again,
		}, causes(rec))
	})
	t.Run("C3-C4 second call, second shape", func(t *testing.T) {
		rec, exec := newAffine(t)
		exec.MustCall1(ones(3))
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(ones(3)) })
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"affine.graph": 1}, func() { exec.MustCall1(ones(4)) })
		require.Equal(t, []string{
			"first",
			"first",
			again,
			"new signature, same wrapper; x: axis 0: 3 -> 4",
		}, causes(rec))
	})
	t.Run("C5 SetValue between calls", func(t *testing.T) {
		rec, store, exec := newScaled(t)
		exec.MustCall1(ones(1))
		tracecheck.ExpectNoTraces(t, rec, func() {
			require.NoError(t, store.GetVariable("/w").SetValue(tensors.FromValue(float32(5))))
			require.Equal(t, []float32{5}, exec.MustCall1(ones(1)).Value())
		})
	})
	t.Run("C6 SetTrainable between calls", func(t *testing.T) {
		rec, store, exec := newScaled(t)
		exec.MustCall1(ones(1))
		tracecheck.ExpectNoTraces(t, rec, func() {
			store.GetVariable("/w").SetTrainable(false)
			exec.MustCall1(ones(1))
		})
	})
	t.Run("C7-C8 Compile, then call", func(t *testing.T) {
		rec, exec := newAffine(t)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"affine.graph": 1, "init": 2}, func() {
			_, err := exec.Compile(shapes.Make(dtypes.Float32, 3))
			require.NoError(t, err)
			exec.MustCall1(ones(3))
		})
		require.Equal(t, []string{"first", "first", again}, causes(rec))
	})
	t.Run("C10 counter in a variable, 3 calls", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewModelExec(rec, newBackend(t), model.NewStore(), func(scope *model.Scope, g *graph.Graph) *graph.Node {
			counter := scope.VariableWithValue("counter", int64(10))
			counter.SetNodeValue(graph.AddScalar(counter.NodeValue(g), 1))
			return counter.NodeValue(g)
		})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			for want := int64(11); want <= 13; want++ {
				require.Equal(t, want, exec.MustCall1().Value())
			}
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("C11 random numbers of the store, 2 calls", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewModelExec(rec, newBackend(t), model.NewStore(), func(scope *model.Scope, g *graph.Graph) *graph.Node {
			return scope.RandomUniform(g, shapes.Make(dtypes.Float32, 4))
		})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			require.NotEqual(t, exec.MustCall1().Value(), exec.MustCall1().Value())
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("C12 fails after creating a variable, then succeeds", func(t *testing.T) {
		rec := tracecheck.Record(t)
		ready := false
		exec := gomlx.MustNewModelExec(rec, newBackend(t), model.NewStore(), func(scope *model.Scope, x *graph.Node) *graph.Node {
			y := scaled(scope, x)
			if !ready {
				panic(errors.New("not ready"))
			}
			return y
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			_, err := exec.Call1(ones(1))
			require.ErrorContains(t, err, "not ready")
			ready = true
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value())
		})
		require.Equal(t, []string{"first", "after a failure, same wrapper"}, causes(rec))
	})
	t.Run("C22 host value of a variable read while tracing", func(t *testing.T) {
		rec, store := tracecheck.Record(t), model.NewStore()
		store.VariableWithValue("/w", float32(2))
		exec := gomlx.MustNewModelExec(rec, newBackend(t), store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			return graph.MulScalar(x, float64(tensors.ToScalar[float32](scope.GetVariable("w").MustValue())))
		})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value())
			require.NoError(t, store.GetVariable("/w").SetValue(tensors.FromValue(float32(5))))
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value(), "stale")
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("C23 variables as constants, SetValue", func(t *testing.T) {
		rec, store, exec := newScaled(t)
		store.WithVariableAsConst(true)
		tracecheck.ExpectTraces(t, rec, 1, func() {
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value())
			require.NoError(t, store.GetVariable("/w").SetValue(tensors.FromValue(float32(5))))
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value(), "stale by choice")
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
}

func TestModelExecRows(t *testing.T) {
	t.Run("C9 hyperparameter set between calls", func(t *testing.T) {
		rec, store := tracecheck.Record(t), model.NewStore()
		store.SetParam("/factor", 2.0)
		exec := gomlx.MustNewModelExec(rec, newBackend(t), store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			return graph.MulScalar(x, model.GetParamOr(scope, "factor", 1.0))
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value())
			store.SetParam("/factor", 5.0)
			require.Equal(t, []float32{2}, exec.MustCall1(ones(1)).Value(), "stale")
			require.Equal(t, []float32{5, 5}, exec.MustCall1(ones(2)).Value(), "another shape sees the new value")
		})
		require.Equal(t, []string{"first", "new signature, same wrapper; x: axis 0: 1 -> 2"}, causes(rec))
	})
	t.Run("C13-C16 two wrappers, one store", func(t *testing.T) {
		rec, backend, store := tracecheck.Record(t), newBackend(t), model.NewStore()
		first := gomlx.MustNewModelExec(rec, backend, store, scaled)
		second := gomlx.MustNewModelExec(rec, backend, store, scaled)
		tracecheck.ExpectTraces(t, rec, 2, func() {
			require.Equal(t, []float32{2}, first.MustCall1(ones(1)).Value())
			require.Equal(t, []float32{2}, second.MustCall1(ones(1)).Value())
		})
		require.Equal(t, []string{"first", "same signature, other wrapper"}, causes(rec))
	})
	t.Run("C17 run-once helper, 3 times", func(t *testing.T) {
		rec, backend, store := tracecheck.Record(t), newBackend(t), model.NewStore()
		wrapped := harness.Wrap(rec, "scaled", scaled)
		tracecheck.ExpectTraces(t, rec, 3, func() {
			for range 3 {
				_, err := model.CallOnce(backend, store, wrapped, ones(1))
				require.NoError(t, err)
			}
		})
		require.Equal(t, []string{
			"first",
			again,
			again,
		}, causes(rec))
	})
	t.Run("C18 call after Finalize", func(t *testing.T) {
		rec, _, exec := newScaled(t)
		exec.MustCall1(ones(1))
		exec.Finalize()
		tracecheck.ExpectNoTraces(t, rec, func() {
			_, err := exec.Call1(ones(1))
			require.ErrorContains(t, err, "has been finalized")
		})
	})
	t.Run("C20-C21 8 goroutines, after one call alone", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewModelExec(rec, newBackend(t), model.NewStore(), linear)
		for n := 1; n <= callers; n++ {
			exec.MustCall1(examples(n))
		}
		tracecheck.ExpectNoTraces(t, rec, func() {
			atOnce(func(i int) { exec.MustCall1(examples(i + 1)) })
		})
	})
	t.Run("C19 40 lengths, default cache", func(t *testing.T) {
		rec, _, exec := newScaled(t)
		tracecheck.ExpectTraces(t, rec, graph.DefaultExecMaxCacheSize, func() {
			for n := 1; n <= 40; n++ {
				_, err := exec.Call1(ones(n))
				require.Equal(t, n > graph.DefaultExecMaxCacheSize, err != nil, "length %d", n)
			}
		})
		require.Equal(t, grown("x: axis 0", graph.DefaultExecMaxCacheSize), causes(rec))
	})
}
