package function_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// A resize gives the size of an op's output for that of its operand, and a
// constant: in ways that a look at two sizes does not show.
type resize struct {
	name string
	size func(n, k int) int
}

var resizes = []resize{
	{"n%k", func(n, k int) int { return n % k }},
	{"min", func(n, k int) int { return min(n, k) }},
	{"max", func(n, k int) int { return max(n, k) }},
	{"n/k", func(n, k int) int { return n / k }},
	{"n-k", func(n, k int) int { return max(n-k, 0) }},
	{"ceil", func(n, k int) int { return (n + k - 1) / k }},
	{"even", func(n, _ int) int { return 1 + n%2 }},
	{"step", func(n, k int) int {
		if n > k {
			return 3
		}
		return 2
	}},
}

// node resizes a vector: cut off, or padded with ones, and never empty.
func (r resize) node(x *graph.Node, k int) *graph.Node {
	n := x.Shape().Dimensions[0]
	size := max(1, r.size(n, k))
	if size <= n {
		return graph.Slice(x, graph.AxisRange(n-size))
	}
	return graph.Concatenate([]*graph.Node{x, graph.Ones(x.Graph(), shapes.Make(x.DType(), size-n))}, 0)
}

// A resizing is a chain of resizes, after each of which the host may look at
// the size, in one of several ways.
type resizing []struct {
	resize
	k    int
	look int
}

func randomResizing(random *rand.Rand) resizing {
	p := make(resizing, 1+random.IntN(4))
	for i := range p {
		p[i].resize, p[i].k, p[i].look = resizes[random.IntN(len(resizes))], 1+random.IntN(9), random.IntN(looks)
	}
	return p
}

func (p resizing) String() string {
	var b strings.Builder
	for _, s := range p {
		fmt.Fprintf(&b, "%s(k=%d, look %d) ", s.name, s.k, s.look)
	}
	return b.String()
}

// plain is the chain on a graph with known sizes.
func (p resizing) plain(x *graph.Node) *graph.Node {
	for _, s := range p {
		x = s.node(x, s.k)
		n := x.Shape().Dimensions[0]
		switch s.look {
		case lookAndScale, lookIfKnown:
			x = graph.MulScalar(x, n)
		case lookAndBranch:
			if n == 1 {
				x = graph.Neg(x)
			}
		case callInner:
			x = graph.AddScalar(x, n)
		}
	}
	return x
}

const (
	dontLook      = iota
	lookAndScale  // by the size as a Go int
	lookIfKnown   // and leave it to an op where it is not
	lookAndBranch // on the size as text
	callInner     // another function, which looks
	looks
)

// body is the chain as the body of a function.
func (p resizing) body(inner *function.Func[unary]) unary {
	return func(c *function.Ctx, x function.Tensor) function.Tensor {
		for _, s := range p {
			x = c.Op(s.name, func(_ *graph.Graph, x []*graph.Node) *graph.Node { return s.node(x[0], s.k) }, x)
			switch s.look {
			case lookAndScale:
				x = c.Mul(x, function.From(float32(x.Dim(0).Int())))
			case lookIfKnown:
				if x.Dim(0).Known() {
					x = c.Mul(x, function.From(float32(x.Dim(0).Int())))
					break
				}
				x = c.Op("scale", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
					return graph.MulScalar(x[0], x[0].Shape().Dimensions[0])
				}, x)
			case lookAndBranch:
				if x.Spec().String() == "float32[1]" {
					x = c.Neg(x)
				} else if !x.Dim(0).Known() {
					x = c.Op("branch", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
						if x[0].Shape().Dimensions[0] == 1 {
							return graph.Neg(x[0])
						}
						return x[0]
					}, x)
				}
			case callInner:
				x = inner.Call(c, x)
			}
		}
		return x
	}
}

type unary = func(*function.Ctx, function.Tensor) function.Tensor

// addSize adds its size to a vector, by way of an op whose size does not differ
// from that, but might.
func addSize(c *function.Ctx, x function.Tensor) function.Tensor {
	same := c.Neg(x)
	if same.Dim(0).Known() {
		return c.Add(x, function.From(float32(same.Dim(0).Int())))
	}
	return c.Op("addSize", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
		return graph.AddScalar(x[0], x[0].Shape().Dimensions[0])
	}, x)
}

// Whatever the sizes of outputs depend on, and however the body looks at them,
// the result is that of GoMLX, or an error that says which size is unknown.
func TestSizesAreNeverMistaken(t *testing.T) {
	r := newRuntime(t, harness.NewRecorder(), io.Discard)
	unknown := function.WithInputSignature(function.SpecOf(dtypes.Float32, function.Unknown))
	right, refused := 0, 0
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 4))
		p := randomResizing(random)
		inner := function.New(r, addSize, function.WithReduceRetracing(), function.WithName("addSize"))
		nested := function.New(r, p.body(inner), function.WithReduceRetracing(), function.WithName("nested"))
		fs := map[string]*function.Func[unary]{
			"signature": function.New(r, p.body(inner), unknown, function.WithName("signature")),
			"reduced":   function.New(r, p.body(inner), function.WithReduceRetracing(), function.WithName("reduced")),
			"outer":     function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor { return nested.Call(c, x) }, unknown, function.WithName("outer")),
		}
		plain := graph.MustNewExec(r.Backend(), p.plain)
		for range 10 {
			n := 1 + random.IntN(16)
			x := tensors.MustFromAnyValue(upTo(n))
			want := plain.MustCall1(x)
			for name, f := range fs {
				var got function.Tensor
				err := function.Try(func() { got = f.Call(r.Host(), function.FromTensor(x)) })
				if err != nil {
					require.ErrorIs(t, err, function.ErrUnknownDim, "seed %d, %s, n=%d: %s", seed, name, n, p)
					require.ErrorContains(t, err, fmt.Sprintf("function %q: ", name))
					refused++
					continue
				}
				require.True(t, want.Equal(got.Tensor()), "seed %d, %s, n=%d: want %v, got %v: %s", seed, name, n, want, got, p)
				right++
			}
		}
	}
	t.Log(right, "right,", refused, "refused")
	require.Greater(t, right, refused)
}

func upTo(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i + 1)
	}
	return v
}

// rest gives the last n%4 elements of a vector.
func rest(_ *graph.Graph, x []*graph.Node) *graph.Node {
	n := x[0].Shape().Dimensions[0]
	return graph.Slice(x[0], graph.AxisRange(n-n%4))
}

func ones(n int) function.Tensor {
	return function.FromTensor(tensors.FromScalarAndDimensions(float32(1), n))
}

var vector = function.SpecOf(dtypes.Float32, function.Unknown)

// A size that was taken for known and is not is unknown in a second trace, whose
// cause names the op.
func TestDisprovedSizeTracesAgain(t *testing.T) {
	s := newScenario(t)
	var known []bool
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		y := c.Op("rest", rest, x)
		known = append(known, y.Dim(0).Known())
		return c.Sum(c.Neg(y))
	}, function.WithInputSignature(vector), function.WithName("f"))
	for _, n := range []int{5, 9, 6, 7, 5, 3} {
		require.Equal(t, float32(-(n % 4)), f.Call(s.r.Host(), ones(n)).Value(), "n=%d", n)
	}
	require.Equal(t, []bool{true, false}, known)
	require.Equal(t, []int{2, 6}, []int{f.TraceCount(), f.Compilations()}, "5 and 9 with the first trace, and 5 again with the second one")
	require.Len(t, f.Signatures(), 1)
	require.Equal(t, `same signature as trace 1, of the same wrapper: op "rest": axis 0 of output 0 was 1 while tracing, and is 2 for [float32[6]]`,
		s.rec.Traces()[1].Cause.String())
}

// Where the body needs the size as a number, sizes that disprove it are an error,
// and the trace goes on serving the others.
func TestDisprovedNumberIsAnError(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		y := c.Op("rest", rest, x)
		return c.Mul(c.Sum(y), function.From(float32(y.Dim(0).Int())))
	}, function.WithInputSignature(vector), function.WithName("f"))
	for range 2 {
		require.Equal(t, float32(4), f.Call(s.r.Host(), ones(6)).Value())
		err := function.Try(with(s, f, ones(7)))
		require.ErrorIs(t, err, function.ErrUnknownDim)
		require.EqualError(t, err, `function "f": op "rest": axis 0 of output 0 was 2 while tracing, and is 3 for [float32[7]]: it is unknown now: `+
			`function "f": axis 0 of Tensor("rest:0", shape=(?), dtype=float32) has no known size in this trace: compute with ops, or trace with a known size`)
	}
	require.Equal(t, float32(4), f.Call(s.r.Host(), ones(10)).Value())
	require.Equal(t, 1, f.TraceCount())

	concrete, err := f.Concrete()
	require.NoError(t, err)
	_, err = concrete.Graph(function.SpecOf(dtypes.Float32, 7))
	require.ErrorIs(t, err, function.ErrUnknownDim)
	require.ErrorContains(t, err, `f(x float32[?]) does not serve these sizes: op "rest": axis 0 of output 0 was 2 while tracing, and is 3 for [float32[7]]`)
}

// A variable keeps its dimensions, whatever an op makes of other sizes.
func TestDisprovedSizeIsNotAssigned(t *testing.T) {
	s := newScenario(t)
	v := variable(s, "v", dtypes.Float32, 4)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) {
		v.Assign(c, c.Op("head", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
			return graph.Slice(x[0], graph.AxisRange(0, min(4, x[0].Shape().Dimensions[0])))
		}, x))
	}, function.WithInputSignature(vector), function.WithName("f"))
	f.Call(s.r.Host(), ones(8))
	require.ErrorContains(t, function.Try(func() { f.Call(s.r.Host(), ones(2)) }),
		`op "head": axis 0 of output 0 was 4 while tracing, and is 2 for [float32[2]]: it is unknown now: function "f": variable "v": it is float32[4] and cannot hold float32[?]`)
	require.Equal(t, []float32{1, 1, 1, 1}, v.Read(s.r.Host()).Value())
}

// An inner function's trace is not used for sizes that it was not made for.
func TestInnerTraceIsCheckedWhereItIsAdded(t *testing.T) {
	s := newScenario(t)
	inner := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		y := c.Op("rest", rest, x)
		if y.Dim(0).Known() {
			return function.From(float32(y.Dim(0).Int()))
		}
		return c.Sum(y)
	}, function.WithInputSignature(vector), function.WithName("inner"))
	require.Equal(t, float32(3), inner.Call(s.r.Host(), ones(7)).Value())
	outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Neg(inner.Call(c, x))
	}, function.WithInputSignature(vector), function.WithName("outer"))
	for _, n := range []int{5, 6, 7, 3} {
		require.Equal(t, float32(-(n % 4)), outer.Call(s.r.Host(), ones(n)).Value(), "n=%d", n)
	}
	require.Equal(t, []int{2, 2}, []int{inner.TraceCount(), outer.TraceCount()})
}

// What cannot become unknown is an error that names the op.
func TestWhatMayNotDependOnSizes(t *testing.T) {
	s := newScenario(t)
	for name, test := range map[string]struct {
		op   function.OpsFunc
		want string
	}{
		"dtype": {func(_ *graph.Graph, x []*graph.Node) []*graph.Node {
			if x[0].Shape().Dimensions[0] < 4 {
				return []*graph.Node{graph.ConvertDType(x[0], dtypes.Int32)}
			}
			return x
		}, "output 0 has dtype int32 and rank 1, and had float32 and 1 while tracing: neither may depend on sizes"},
		"rank": {func(_ *graph.Graph, x []*graph.Node) []*graph.Node {
			if x[0].Shape().Dimensions[0] < 4 {
				return []*graph.Node{graph.InsertAxes(x[0], 0)}
			}
			return x
		}, "output 0 has dtype float32 and rank 2, and had float32 and 1 while tracing: neither may depend on sizes"},
		"outputs": {func(_ *graph.Graph, x []*graph.Node) []*graph.Node {
			if x[0].Shape().Dimensions[0] < 4 {
				return append(x, x[0])
			}
			return x
		}, "it gave 1 outputs while tracing and 2 now: their number must not depend on anything but the number of operands"},
	} {
		f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
			return c.Ops(name, test.op, x)[0]
		}, function.WithInputSignature(vector), function.WithName("f"))
		require.Equal(t, []float32{1, 1, 1, 1}, f.Call(s.r.Host(), ones(4)).Value())
		require.EqualError(t, function.Try(with(s, f, ones(3))), fmt.Sprintf("function %q: op %q: %s", "f", name, test.want))
	}
}

// An op that panics for sizes that nobody passed only depends on them.
func TestMadeUpSizesMayPanic(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Op("short", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
			if n := x[0].Shape().Dimensions[0]; n > 4 {
				panic(fmt.Sprint("too long: ", n))
			}
			return graph.Neg(x[0])
		}, x)
	}, function.WithInputSignature(vector))
	require.Equal(t, []float32{-1, -1, -1}, f.Call(s.r.Host(), ones(3)).Value())
}

// An op that gives another size for the same operands is not traced for ever.
func TestImpureSizeIsAnError(t *testing.T) {
	s := newScenario(t)
	size := 2
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Op("impure", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
			return graph.Slice(x[0], graph.AxisRange(0, size))
		}, x)
	}, function.WithName("f"))
	concrete, err := f.Concrete(ones(4))
	require.NoError(t, err)
	require.NotNil(t, concrete)
	size = 3
	require.ErrorContains(t, function.Try(with(s, f, ones(4))),
		`function "f": op "impure": axis 0 of output 0 was 2 while tracing, and is 3 for [float32[4]], and was not for the same sizes before: the op's function must be pure`)
}

// What a body says in words, or by how many results it has, is as true for all
// sizes as its numbers are, though no graph has to run for it.
func TestSizesHoldWithoutOutputs(t *testing.T) {
	s := newScenario(t)
	said := function.New(s.r, func(c *function.Ctx, x, y function.Tensor) {
		c.Print("rest of", c.Op("rest", rest, x).Dim(0), "and", y.Dim(0))
	}, function.WithInputSignature(vector, vector))
	for _, n := range []int{5, 6, 8} {
		said.Call(s.r.Host(), ones(n), ones(n))
	}
	require.Equal(t, "rest of 1 and ?\nrest of ? and ?\nrest of ? and ?\n", s.out.String())

	many := function.New(s.r, func(c *function.Ctx, x function.Tensor) []function.Tensor {
		return make([]function.Tensor, c.Op("rest", rest, x).Dim(0).Int())
	}, function.WithInputSignature(vector))
	require.Len(t, many.Call(s.r.Host(), ones(5)), 1)
	require.ErrorIs(t, function.Try(func() { many.Call(s.r.Host(), ones(6)) }), function.ErrUnknownDim)
}

// Sizes may depend on several unknown ones.
func TestSizesOfSeveralArguments(t *testing.T) {
	s := newScenario(t)
	head := func(x []*graph.Node) *graph.Node {
		return graph.Slice(x[0], graph.AxisRange(0, min(x[0].Shape().Dimensions[0], x[1].Shape().Dimensions[0], 4)))
	}
	f := function.New(s.r, func(c *function.Ctx, x, y function.Tensor) function.Tensor {
		h := c.Op("head", func(_ *graph.Graph, x []*graph.Node) *graph.Node { return head(x) }, x, y)
		if h.Dim(0).Known() {
			return c.Mul(h, function.From(float32(h.Dim(0).Int())))
		}
		return c.Op("scale", func(_ *graph.Graph, x []*graph.Node) *graph.Node {
			return graph.MulScalar(x[0], x[0].Shape().Dimensions[0])
		}, h)
	}, function.WithReduceRetracing())
	plain := graph.MustNewExec(s.r.Backend(), func(x, y *graph.Node) *graph.Node {
		h := head([]*graph.Node{x, y})
		return graph.MulScalar(h, h.Shape().Dimensions[0])
	})
	for n := 5; n > 0; n-- {
		for m := 5; m > 0; m-- {
			want := plain.MustCall1(upTo(n), upTo(m))
			got := f.Call(s.r.Host(), function.From(upTo(n)), function.From(upTo(m)))
			require.True(t, want.Equal(got.Tensor()), "%d, %d: want %v, got %v", n, m, want, got)
		}
	}
}

// Goroutines whose sizes disprove one trace at the same time share the next one.
func TestDisprovedSizeIsTracedAgainOnce(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Sum(c.Op("rest", rest, x))
	}, function.WithInputSignature(vector))
	f.Call(s.r.Host(), ones(5))
	var calls sync.WaitGroup
	for n := range 16 {
		calls.Go(func() {
			if got := f.Call(s.r.Host(), ones(n+4)).Value(); got != float32(n%4) {
				t.Errorf("n=%d: got %v", n+4, got)
			}
		})
	}
	calls.Wait()
	require.LessOrEqual(t, len(s.rec.Traces()), 3, "any two sizes that differ show that the size is unknown")
}
