package tape_test

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

func newBackend(t *testing.T) compute.Backend {
	backend, err := gobackend.New("")
	require.NoError(t, err)
	t.Cleanup(backend.Finalize)
	return backend
}

func input(dims ...int) tape.Shape { return tape.Shape{DType: dtypes.Float32, Dims: dims} }

func one(f func(n *graph.Node) *graph.Node) tape.Emit {
	return func(_ *graph.Graph, in []*graph.Node) []*graph.Node { return []*graph.Node{f(in[0])} }
}

// What depends on an unknown dimension is unknown, and nothing else.
func TestUnknownDimensionsSpread(t *testing.T) {
	const u = tape.Unknown
	for _, test := range []struct {
		name string
		emit func(n *graph.Node) *graph.Node
		want []int
	}{
		{"neg", graph.Neg, []int{u, 3}},
		{"sum over the known axis", func(n *graph.Node) *graph.Node { return graph.ReduceSum(n, 1) }, []int{u}},
		{"sum over the unknown axis", func(n *graph.Node) *graph.Node { return graph.ReduceSum(n, 0) }, []int{3}},
		{"sum over all", func(n *graph.Node) *graph.Node { return graph.ReduceAllSum(n) }, []int{}},
		{"flatten", func(n *graph.Node) *graph.Node { return graph.Reshape(n, -1) }, []int{u}},
		{"transpose", func(n *graph.Node) *graph.Node { return graph.Transpose(n, 0, 1) }, []int{3, u}},
		{"first row", func(n *graph.Node) *graph.Node { return graph.Slice(n, graph.AxisRange(0, 1)) }, []int{1, 3}},
		{"all but the first row", func(n *graph.Node) *graph.Node { return graph.Slice(n, graph.AxisRange(1)) }, []int{u, 3}},
		{"only for the sizes of the call", func(n *graph.Node) *graph.Node { return graph.Reshape(n, 2, 2, 3) }, []int{u, u, u}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := tape.NewBuilder(newBackend(t), "test", []tape.Shape{input(u, 3)}, tape.Example{{4, 3}})
			out, err := b.Append(test.name, one(test.emit), 0)
			require.NoError(t, err)
			require.Equal(t, test.want, append([]int{}, b.Shape(out[0]).Dims...))
			// What follows an op that fits only the sizes of the call still works.
			_, err = b.Append("neg", one(graph.Neg), out[0])
			require.NoError(t, err)
		})
	}
}

func TestInlineIsReplayOfTheWhole(t *testing.T) {
	backend := newBackend(t)
	inner := tape.NewBuilder(backend, "inner", []tape.Shape{input(2)})
	square, err := inner.Append("square", one(graph.Square), 0)
	require.NoError(t, err)
	v := inner.AddInput(input(2))
	_, err = inner.Append("add", func(_ *graph.Graph, in []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.Add(in[0], in[1])}
	}, square[0], v)
	require.NoError(t, err)
	innerTape := inner.Finish()
	require.Equal(t, 2, innerTape.Inputs())

	outer := tape.NewBuilder(backend, "outer", []tape.Shape{input(2), input(2)})
	ids, err := outer.Inline(innerTape, []tape.ID{1, 0})
	require.NoError(t, err)
	_, err = outer.Inline(innerTape, nil)
	require.Error(t, err)
	outerTape := outer.Finish()

	exec := graph.MustNewExec(backend, func(x, y *graph.Node) *graph.Node {
		nodes, err := outerTape.Replay(x.Graph(), []*graph.Node{x, y})
		require.NoError(t, err)
		return nodes[ids[3]]
	})
	require.Equal(t, []float32{11, 24}, exec.MustCall1([]float32{2, 8}, []float32{3, 4}).Value())
}

func TestErrorsNameTheOperation(t *testing.T) {
	backend := newBackend(t)
	b := tape.NewBuilder(backend, "test", []tape.Shape{input(2)})
	_, err := b.Append("bad reshape", one(func(n *graph.Node) *graph.Node { return graph.Reshape(n, 3) }), 0)
	require.ErrorContains(t, err, `op "bad reshape": `)
	_, err = b.Append("none", one(func(*graph.Node) *graph.Node { return nil }), 0)
	require.EqualError(t, err, `op "none": output 0 is nil`)
	other := graph.NewGraph(backend, "other")
	foreign := graph.Parameter(other, "x", shapes.Make(dtypes.Float32, 2))
	_, err = b.Append("foreign", one(func(*graph.Node) *graph.Node { return foreign }), 0)
	require.ErrorContains(t, err, `op "foreign": output 0 belongs to another graph`)
	require.PanicsWithValue(t, "text", func() {
		_, _ = b.Append("panic", one(func(*graph.Node) *graph.Node { panic("text") }), 0)
	})

	runs := 0
	_, err = b.Append("impure", func(_ *graph.Graph, in []*graph.Node) []*graph.Node {
		if runs++; runs == 1 {
			return in
		}
		return nil
	}, 0)
	require.NoError(t, err)
	g := graph.NewGraph(backend, "replay")
	_, err = b.Finish().Replay(g, []*graph.Node{graph.Parameter(g, "x", shapes.Make(dtypes.Float32, 2))})
	require.EqualError(t, err, `op "impure": it gave 1 outputs while tracing and 0 now: their number must not depend on anything but the number of operands`)
}
