package tape_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// Each unknown dimension is tried with two sizes, made up where nobody tells them.
func TestExamplesVaryWhatIsUnknown(t *testing.T) {
	const u = tape.Unknown
	for _, test := range []struct {
		name        string
		inputs      []tape.Shape
		given, want []tape.Example
	}{
		{"nothing unknown", []tape.Shape{input(2, 3)}, nil, []tape.Example{{{2, 3}}}},
		{"nothing told", []tape.Shape{input(u, 3, u)}, nil, []tape.Example{{{7, 3, 9}}, {{11, 3, 13}}}},
		{"one told", []tape.Shape{input(u, 3)}, []tape.Example{{{5, 3}}}, []tape.Example{{{5, 3}}, {{9, 3}}}},
		{"one input told", []tape.Shape{input(u), input(u)}, []tape.Example{{{5}, nil}}, []tape.Example{{{5}, {7}}, {{9}, {11}}}},
		{"several told", []tape.Shape{input(u)}, []tape.Example{{{5}}, {{6}}, {{5}}}, []tape.Example{{{5}}, {{6}}, {{5}}}},
		{"one of two varies", []tape.Shape{input(u, u)}, []tape.Example{{{5, 1}}, {{6, 1}}}, []tape.Example{{{5, 1}}, {{6, 1}}, {{9, 5}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			made := tape.NewBuilder(newBackend(t), "test", test.inputs, test.given...).Finish()
			require.Equal(t, test.want, made.Examples())
			for _, e := range test.want {
				require.True(t, made.Knows(e))
			}
		})
	}
	made := tape.NewBuilder(newBackend(t), "test", []tape.Shape{input(u)}).Finish()
	require.False(t, made.Knows(tape.Example{{5}}))
	require.True(t, made.Knows(tape.Example{{7}, {2}}), "inputs that a body added have no unknown sizes")
}

func shapeOf(n int) shapes.Shape { return shapes.Make(dtypes.Float32, n) }

// firstFew gives at most four elements.
func firstFew(n *graph.Node) *graph.Node {
	return graph.Slice(n, graph.AxisRange(0, min(4, n.Shape().Dimensions[0])))
}

// A tape serves no sizes for which it took a dimension for known that is not.
func TestMismatch(t *testing.T) {
	backend := newBackend(t)
	b := tape.NewBuilder(backend, "inner", []tape.Shape{input(tape.Unknown)}, tape.Example{{5}})
	out, err := b.Append("few", one(firstFew), 0)
	require.NoError(t, err)
	require.Equal(t, []int{4}, b.Shape(out[0]).Dims)
	inner := b.Finish()

	want := &tape.Mismatch{Op: "few", Want: 4, Got: 3, Sizes: tape.Example{{3}}}
	g := graph.NewGraph(backend, "replay")
	_, err = inner.Replay(g, []*graph.Node{graph.IotaFull(g, shapeOf(3))})
	require.Equal(t, want, err)
	require.EqualError(t, err, `op "few": axis 0 of output 0 was taken to be 4, and is 3 for inputs of the sizes [[3]]`)
	_, err = inner.Replay(g, []*graph.Node{graph.IotaFull(g, shapeOf(9))})
	require.NoError(t, err)

	outer := tape.NewBuilder(backend, "outer", []tape.Shape{input(tape.Unknown)}, tape.Example{{6}}, tape.Example{{3}})
	require.Equal(t, []tape.Example{{{6}}, {{3}}}, outer.Examples([]tape.ID{0}))
	_, err = outer.Inline(inner, []tape.ID{0})
	require.Equal(t, want, err, "any of the sizes of the outer tape counts")
	ids, err := outer.Append("neg", one(graph.Neg), 0)
	require.NoError(t, err)
	require.Equal(t, []tape.ID{1}, ids, "the outer tape is as it was")
	require.Equal(t, []int{tape.Unknown}, outer.Shape(1).Dims)
	nodes, err := outer.Finish().Replay(g, []*graph.Node{graph.IotaFull(g, shapeOf(2))})
	require.NoError(t, err)
	require.Len(t, nodes, 2)

	outer = tape.NewBuilder(backend, "outer", []tape.Shape{input(tape.Unknown)}, tape.Example{{6}}, tape.Example{{8}})
	ids, err = outer.Inline(inner, []tape.ID{0})
	require.NoError(t, err)
	require.Equal(t, []int{4}, outer.Shape(ids[1]).Dims)
	_, err = outer.Finish().Replay(g, []*graph.Node{graph.IotaFull(g, shapeOf(3))})
	require.Equal(t, want, err, "what the inner tape takes for known, the outer one does")
}

// What a tape that is inlined takes for known stays so where one of the outer
// tape's made-up sizes could not be tried.
func TestInlineKeepsWhatTheInnerTapeTakesForKnown(t *testing.T) {
	backend := newBackend(t)
	short := one(func(n *graph.Node) *graph.Node {
		if n.Shape().Dimensions[0] > 8 {
			panic("too long")
		}
		return firstFew(n)
	})
	b := tape.NewBuilder(backend, "inner", []tape.Shape{input(tape.Unknown)}, tape.Example{{5}}, tape.Example{{6}})
	_, err := b.Append("short", short, 0)
	require.NoError(t, err)
	outer := tape.NewBuilder(backend, "outer", []tape.Shape{input(tape.Unknown)}, tape.Example{{6}})
	ids, err := outer.Inline(b.Finish(), []tape.ID{0})
	require.NoError(t, err)
	require.Equal(t, []int{4}, outer.Shape(ids[1]).Dims)
	require.Len(t, outer.Examples([]tape.ID{0}), 2)
	require.Equal(t, []tape.Example{{{4}}}, outer.Examples([]tape.ID{ids[1]}), "it does not exist for 10")
}
