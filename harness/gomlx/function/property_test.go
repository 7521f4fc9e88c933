package function_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// A program is a random sequence of ops. Each takes two of the values so far, the
// inputs among them, all of one shape, and adds one.
type program struct {
	inputs int
	steps  []step
}

type step struct {
	op, a, b int
}

// ops are the ops of programs. Tanh keeps the floats small.
var intOps = []func(a, b *graph.Node) *graph.Node{
	graph.Add, graph.Sub, graph.Mul, graph.Max, graph.Min,
	func(a, _ *graph.Node) *graph.Node { return graph.Neg(a) },
	func(a, b *graph.Node) *graph.Node { return graph.Add(a, graph.ReduceAllSum(b)) },
	func(a, b *graph.Node) *graph.Node { return graph.Where(graph.LessThan(a, b), a, graph.AddScalar(b, 1)) },
}

var floatOps = []func(a, b *graph.Node) *graph.Node{
	graph.Add, graph.Sub, graph.Mul, graph.Max,
	func(a, b *graph.Node) *graph.Node { return graph.Tanh(graph.Add(a, b)) },
	func(a, b *graph.Node) *graph.Node { return graph.Div(a, graph.AddScalar(graph.Square(b), 1)) },
	func(a, b *graph.Node) *graph.Node { return graph.Mul(a, graph.ReduceAllMean(graph.Tanh(b))) },
}

func randomProgram(random *rand.Rand, ops int) program {
	p := program{inputs: 2}
	for i := range 3 + random.IntN(12) {
		p.steps = append(p.steps, step{random.IntN(ops), random.IntN(p.inputs + i), random.IntN(p.inputs + i)})
	}
	return p
}

// nodes runs the program on a graph, with GoMLX alone.
func (p program) nodes(ops []func(a, b *graph.Node) *graph.Node, values []*graph.Node) *graph.Node {
	for _, s := range p.steps {
		values = append(values, ops[s.op](values[s.a], values[s.b]))
	}
	return values[len(values)-1]
}

// run runs some of the steps in a context and returns all values.
func (p program) run(c *function.Ctx, ops []func(a, b *graph.Node) *graph.Node, steps []step, values []function.Tensor) []function.Tensor {
	for _, s := range steps {
		op := ops[s.op]
		values = append(values, c.Op(fmt.Sprintf("op%d", s.op), func(_ *graph.Graph, n []*graph.Node) *graph.Node {
			return op(n[0], n[1])
		}, values[s.a], values[s.b]))
	}
	return values
}

type manyBody = func(*function.Ctx, []function.Tensor) []function.Tensor

// nested returns the program as functions that call each other: each runs one
// step and calls the next one.
func (p program) nested(r *function.Runtime, ops []func(a, b *graph.Node) *graph.Node) *function.Func[manyBody] {
	var next *function.Func[manyBody]
	for i := len(p.steps) - 1; i >= 0; i-- {
		inner := next
		next = function.New(r, func(c *function.Ctx, values []function.Tensor) []function.Tensor {
			values = p.run(c, ops, p.steps[i:i+1], values)
			if inner == nil {
				return values
			}
			return inner.Call(c, values)
		})
	}
	return next
}

// flat returns the program as one function.
func (p program) flat(r *function.Runtime, ops []func(a, b *graph.Node) *graph.Node) *function.Func[manyBody] {
	return function.New(r, func(c *function.Ctx, values []function.Tensor) []function.Tensor {
		return p.run(c, ops, p.steps, values)
	})
}

func last(values []function.Tensor) *tensors.Tensor { return values[len(values)-1].Tensor() }

func inputs(values ...any) (raw []any, ours []function.Tensor) {
	for _, v := range values {
		t := tensors.MustFromAnyValue(v)
		raw = append(raw, t)
		ours = append(ours, function.FromTensor(t))
	}
	return raw, ours
}

// Integers are equal; floats may differ by 1e-5, since a graph as a whole may be
// compiled to other orders of operations than its ops alone.
func TestEagerTracedAndNestedAgree(t *testing.T) {
	const tolerance = 1e-5
	r := newRuntime(t, harness.NewRecorder(), io.Discard)
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		ops, delta := intOps, 0.0
		raw, ours := inputs(randomInts(random), randomInts(random))
		if seed%2 == 1 {
			ops, delta = floatOps, tolerance
			raw, ours = inputs(randomFloats(random), randomFloats(random))
		}
		p := randomProgram(random, len(ops))
		plain := graph.MustNewExec(r.Backend(), func(values []*graph.Node) *graph.Node { return p.nodes(ops, values) })
		want := plain.MustCall1(raw...)
		flat, nested := p.flat(r, ops), p.nested(r, ops)
		for name, got := range map[string]*tensors.Tensor{
			"eager":  last(p.run(r.Host(), ops, p.steps, ours)),
			"traced": last(flat.Call(r.Host(), ours)),
			"nested": last(nested.Call(r.Host(), ours)),
			"cached": last(nested.Call(r.Host(), ours)),
		} {
			require.True(t, agree(want, got, delta), "seed %d, %s: want %v, got %v: %+v", seed, name, want, got, p)
		}
		require.Equal(t, nodeCount(t, flat, ours), nodeCount(t, nested, ours), "seed %d", seed)
	}
}

func agree(want, got *tensors.Tensor, delta float64) bool {
	if delta == 0 {
		return want.Equal(got)
	}
	return want.InDelta(got, delta)
}

func nodeCount(t *testing.T, f *function.Func[manyBody], args []function.Tensor) int {
	concrete, err := f.Concrete(args)
	require.NoError(t, err)
	g, err := concrete.Graph()
	require.NoError(t, err)
	return len(g.Nodes())
}

func randomInts(random *rand.Rand) [][]int64 {
	m := [][]int64{make([]int64, 3), make([]int64, 3)}
	for _, row := range m {
		for i := range row {
			row[i] = int64(random.IntN(7)) - 3
		}
	}
	return m
}

func randomFloats(random *rand.Rand) [][]float32 {
	m := [][]float32{make([]float32, 3), make([]float32, 3)}
	for _, row := range m {
		for i := range row {
			row[i] = random.Float32()*2 - 1
		}
	}
	return m
}

// One trace for unknown sizes serves all of them, with the results of GoMLX's
// graphs for each.
func TestUnknownSizesAgree(t *testing.T) {
	r := newRuntime(t, harness.NewRecorder(), io.Discard)
	unknown := function.SpecOf(dtypes.Int64, function.Unknown, function.Unknown)
	for seed := range uint64(20) {
		p := randomProgram(rand.New(rand.NewPCG(seed, 3)), len(intOps))
		plain := graph.MustNewExec(r.Backend(), func(values []*graph.Node) *graph.Node { return p.nodes(intOps, values) })
		nested := p.nested(r, intOps)
		f := function.New(r, func(c *function.Ctx, values []function.Tensor) []function.Tensor {
			return nested.Call(c, values)
		}, function.WithInputSignature(unknown, unknown))
		for _, m := range [][][]int64{{{1, -2, 3}, {4, 5, -6}}, {{7}}, {{1, 2}, {3, 4}, {-5, 6}, {7, 8}}} {
			raw, ours := inputs(m, m)
			want, got := plain.MustCall1(raw...), last(f.Call(r.Host(), ours))
			require.True(t, want.Equal(got), "seed %d: want %v, got %v: %+v", seed, want, got, p)
		}
		require.Equal(t, []int{1, 1, 3}, []int{f.TraceCount(), nested.TraceCount(), f.Compilations()})
	}
}

// The gradients of the mean of random programs, through one function and through
// nested ones, are those of plain GoMLX.
func TestGradientsAgree(t *testing.T) {
	r := newRuntime(t, harness.NewRecorder(), io.Discard)
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 2))
		p := randomProgram(random, len(floatOps))
		raw, ours := inputs(randomFloats(random), randomFloats(random))
		plain := graph.MustNewExec(r.Backend(), func(values []*graph.Node) []*graph.Node {
			return graph.Gradient(graph.ReduceAllMean(p.nodes(floatOps, values)), values...)
		})
		want := plain.MustCall(raw...)
		for _, f := range []*function.Func[manyBody]{p.flat(r, floatOps), p.nested(r, floatOps)} {
			got := function.New(r, func(c *function.Ctx, values []function.Tensor) []function.Tensor {
				all := f.Call(c, values)
				return c.Gradient(c.Mean(all[len(all)-1]), values...)
			}).Call(r.Host(), ours)
			for i := range want {
				require.True(t, want[i].InDelta(got[i].Tensor(), 1e-4), "seed %d: want %v, got %v", seed, want[i], got[i])
			}
		}
	}
}
