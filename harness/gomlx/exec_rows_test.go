package gomlx_test

import (
	"errors"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestExecRows(t *testing.T) {
	t.Run("G1 constructor, no call", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		tracecheck.ExpectNoTraces(t, rec, func() { gomlx.MustNewExec(rec, backend, square) })
	})
	t.Run("G2 first call", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"square": 1}, func() { exec.MustCall1([]float32{1, 2, 3}) })
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G3 same shape, other values", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1([]float32{1, 2, 3})
		tracecheck.ExpectNoTraces(t, rec, func() {
			require.Equal(t, []float32{16, 25, 36}, exec.MustCall1([]float32{4, 5, 6}).Value())
		})
	})
	t.Run("G4 tensor instead of slice", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1([]float32{1, 2, 3})
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(tensors.FromValue([]float32{1, 2, 3})) })
	})
	t.Run("G5 new length", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1(ones(3))
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(ones(4)) })
		require.Equal(t, []string{"first", "new signature, same wrapper; x: axis 0: 3 -> 4"}, causes(rec))
	})
	t.Run("G6 other dtype", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1([]float32{1, 2, 3})
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1([]int64{1, 2, 3}) })
		require.Equal(t, []string{"first", "new signature, same wrapper; x: dtype float32 -> int64"}, causes(rec))
	})
	t.Run("G7-G9 scalar, [1], [1][1]", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(float32(1)) })
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1([]float32{1}) })
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1([][]float32{{1}}) })
		require.Equal(t, []string{
			"first",
			"new signature, same wrapper; x: rank 0 -> 1",
			"new signature, same wrapper; x: rank 1 -> 2",
		}, causes(rec))
	})
	t.Run("G10-G12 int, int64, int32", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(1) })
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(int64(1)) })
		tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustCall1(int32(1)) })
		require.Equal(t, []string{"first", "new signature, same wrapper; x: dtype int64 -> int32"}, causes(rec))
	})
	t.Run("G13 back to the first shape", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1(ones(3))
		exec.MustCall1(ones(4))
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(ones(3)) })
	})
	t.Run("G14-G15 Compile, then call", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, 1, func() {
			_, err := exec.Compile(shapes.Make(dtypes.Float32, 3))
			require.NoError(t, err)
		})
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(ones(3)) })
	})
	t.Run("G16-G17 donated buffer, CallOnDevice", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		exec := gomlx.MustNewExec(rec, backend, square)
		tracecheck.ExpectTraces(t, rec, 1, func() {
			exec.MustCall1(ones(3))
			donated, err := graph.DonateTensorBuffer(tensors.FromValue(ones(3)), backend, 0)
			require.NoError(t, err)
			exec.MustCall1(donated)
			_, err = exec.CallOnDevice(compute.DeviceNum(0), ones(3))
			require.NoError(t, err)
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G18 slice of nodes: 1 argument, 2, then both in one slice", func(t *testing.T) {
		rec := tracecheck.Record(t)
		sum := func(xs []*graph.Node) *graph.Node {
			total := xs[0]
			for _, x := range xs[1:] {
				total = graph.Add(total, x)
			}
			return total
		}
		exec := gomlx.MustNewExec(rec, newBackend(t), sum)
		tracecheck.ExpectTraces(t, rec, 2, func() {
			exec.MustCall1(ones(3))
			exec.MustCall1(ones(3), ones(3))
			exec.MustCall1([]*tensors.Tensor{tensors.FromValue(ones(3)), tensors.FromValue(ones(3))})
		})
		require.Equal(t, []string{
			"first",
			"new signature, same wrapper; xs: {float32[3]} -> {float32[3], float32[3]}",
		}, causes(rec))
	})
	t.Run("G19 function of a graph, called twice", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewExec(rec, newBackend(t), func(g *graph.Graph) *graph.Node { return graph.Scalar(g, dtypes.Float32, 7) })
		tracecheck.ExpectTraces(t, rec, 1, func() {
			exec.MustCall1()
			exec.MustCall1()
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G20 40 lengths, default cache", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, graph.DefaultExecMaxCacheSize, func() {
			for n := 1; n <= 40; n++ {
				_, err := exec.Call1(ones(n))
				if n <= graph.DefaultExecMaxCacheSize {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, "maximum cache size of 32 reached")
				}
			}
		})
		require.Equal(t, grown("x: axis 0", graph.DefaultExecMaxCacheSize), causes(rec))
	})
	t.Run("G20d 40 lengths, dynamic axis", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.WithDynamicAxes([]string{"batch"})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			for n := 1; n <= 40; n++ {
				require.Equal(t, ones(n), exec.MustCall1(ones(n)).Value())
			}
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G21-G22 after the overflow: a cached shape, then no limit", func(t *testing.T) {
		rec, exec := newSquare(t)
		callLengths(exec, 40)
		tracecheck.ExpectNoTraces(t, rec, func() { exec.MustCall1(ones(1)) })
		exec.SetMaxCache(-1)
		tracecheck.ExpectTraces(t, rec, 40-graph.DefaultExecMaxCacheSize, func() {
			require.NoError(t, callLengths(exec, 40))
		})
		require.Equal(t, grown("x: axis 0", 40), causes(rec))
	})
	t.Run("G23 SetMaxCache(0) is no limit", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.SetMaxCache(0)
		tracecheck.ExpectTraces(t, rec, 40, func() { require.NoError(t, callLengths(exec, 40)) })
		require.Equal(t, grown("x: axis 0", 40), causes(rec))
	})
	t.Run("G25 run-once helper three times", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		wrapped := harness.Wrap(rec, "", square)
		tracecheck.ExpectTraces(t, rec, 3, func() {
			for range 3 {
				graph.MustExecOnce(backend, wrapped, ones(3))
			}
		})
		require.Equal(t, []string{
			"first",
			again,
			again,
		}, causes(rec))
	})
	t.Run("G26 wrapper rebuilt in a loop", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		tracecheck.ExpectTraces(t, rec, 3, func() {
			for range 3 {
				gomlx.MustNewExec(rec, backend, square).MustCall1(ones(3))
			}
		})
		require.Equal(t, []string{
			"first",
			"same signature, other wrapper",
			"same signature, other wrapper",
		}, causes(rec))
	})
}

// callLengths calls exec with 1 to n ones and returns the last error.
func callLengths(exec *graph.Exec, n int) error {
	var last error
	for i := 1; i <= n; i++ {
		if _, err := exec.Call1(ones(i)); err != nil {
			last = err
		}
	}
	return last
}

func TestExecFailureRows(t *testing.T) {
	t.Run("G27 function panics with an error", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			panic(errors.New("no such layer"))
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			for range 2 {
				_, err := exec.Call1(ones(3))
				require.ErrorContains(t, err, "no such layer")
			}
		})
		require.Equal(t, []string{"first", "after a failure, same wrapper"}, causes(rec))
	})
	t.Run("G29 runtime panic", func(t *testing.T) {
		rec := tracecheck.Record(t)
		exec := gomlx.MustNewExec(rec, newBackend(t), func(xs []*graph.Node) *graph.Node { return xs[len(xs)] })
		tracecheck.ExpectTraces(t, rec, 1, func() {
			_, err := exec.Call1(ones(3))
			require.ErrorContains(t, err, "index out of range")
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G30 fails once, then succeeds, then again", func(t *testing.T) {
		rec := tracecheck.Record(t)
		ready := false
		exec := gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			if !ready {
				panic(errors.New("not ready"))
			}
			return graph.Neg(x)
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			_, err := exec.Call1(ones(3))
			require.ErrorContains(t, err, "not ready")
			ready = true
			exec.MustCall1(ones(3))
			exec.MustCall1(ones(3))
		})
		require.Equal(t, []string{"first", "after a failure, same wrapper"}, causes(rec))
	})
	t.Run("G31 call after Finalize", func(t *testing.T) {
		rec, exec := newSquare(t)
		exec.MustCall1(ones(3))
		exec.Finalize()
		tracecheck.ExpectNoTraces(t, rec, func() {
			_, err := exec.Call1(ones(3))
			require.ErrorContains(t, err, "has been finalized")
		})
	})
	t.Run("G37 node of the outer trace as argument", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		inner := gomlx.MustNewExec(rec, backend, square)
		outer := gomlx.MustNewExec(rec, backend, func(x *graph.Node) *graph.Node {
			return graph.ConstTensor(x.Graph(), inner.MustCall1(x))
		})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			_, err := outer.Call1(ones(3))
			require.ErrorContains(t, err, "cannot create shape from")
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
}

func TestNestedExecRows(t *testing.T) {
	t.Run("G35 function calls its own wrapper, other shape", func(t *testing.T) {
		rec := tracecheck.Record(t)
		var exec *graph.Exec
		exec = gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			n := x.Shape().Dim(0)
			if n == 1 {
				return x
			}
			smaller := exec.MustCall1(ones(n - 1))
			return graph.AddScalar(x, float64(smaller.Shape().Dim(0)))
		})
		tracecheck.ExpectTraces(t, rec, 3, func() {
			require.Equal(t, []float32{3, 3, 3}, exec.MustCall1(ones(3)).Value())
		})
		require.Equal(t, []int{0, 1, 2}, depths(rec))
		require.Equal(t, []string{
			"first",
			"new signature, same wrapper; x: axis 0: 3 -> 2",
			"new signature, same wrapper; x: axis 0: 2 -> 1",
		}, causes(rec))
	})
	t.Run("G36 function calls another wrapper on host values", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		scale := float32(2)
		inner := gomlx.MustNewExec(rec, backend, square)
		outer := gomlx.MustNewExec(rec, backend, func(x *graph.Node) *graph.Node {
			return graph.Mul(x, graph.ConstTensor(x.Graph(), inner.MustCall1(scale)))
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			require.Equal(t, []float32{4, 4, 4}, outer.MustCall1(ones(3)).Value())
			scale = 3
			require.Equal(t, []float32{4, 4, 4}, outer.MustCall1(ones(3)).Value(), "the result of the trace is baked in")
		})
		require.Equal(t, []int{0, 1}, depths(rec))
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
}
