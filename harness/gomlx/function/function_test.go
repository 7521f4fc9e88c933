package function_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/nn"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestTensorsStayInTheirTrace(t *testing.T) {
	s := newScenario(t)
	var leaked function.Tensor
	var context *function.Ctx
	leak := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		leaked, context = c.Add(x, x), c
		return x
	}, function.WithName("leak"))
	leak.Call(s.r.Host(), f32(2))

	const text = `Tensor("add:0", shape=(2), dtype=float32) belongs to a finished trace of "leak"`
	use := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Add(x, leaked) })
	for name, call := range map[string]func(){
		"op in a trace":   with(s, use, f32(2)),
		"op in host code": func() { s.r.Host().Neg(leaked) },
		"argument":        with(s, leak, leaked),
		"print":           func() { s.r.Host().Print(leaked) },
		"assignment":      func() { variable(s, "v", dtypes.Float32, 2).Assign(s.r.Host(), leaked) },
	} {
		err := function.Try(call)
		require.ErrorIs(t, err, function.ErrTensorScope, name)
		require.ErrorContains(t, err, text, name)
	}
	require.ErrorIs(t, function.Try(func() { context.Neg(f32(2)) }), function.ErrTensorScope)
	require.ErrorContains(t, function.Try(func() { leaked.Value() }), "has no value")

	outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		inner := function.New(s.r, func(inner *function.Ctx, y function.Tensor) function.Tensor { return inner.Add(x, y) }, function.WithName("inner"))
		return inner.Call(c, x)
	}, function.WithName("outer"))
	require.ErrorContains(t, function.Try(with(s, outer, f32(2))), `belongs to the trace of "outer", not to that of "inner": pass it as an argument`)
}

func TestUnknownDimensions(t *testing.T) {
	s := newScenario(t)
	var known []bool
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		known = nil
		flat := c.Reshape(x, -1)
		sum := c.Sum(x, 0)
		for _, dim := range []function.Dim{x.Dim(0), x.Dim(1), x.Dim(-1), flat.Dim(0), sum.Dim(0)} {
			known = append(known, dim.Known())
		}
		return c.Sum(flat)
	}, function.WithName("rows"), function.WithArgNames("batch"), function.WithInputSignature(function.SpecOf(dtypes.Float32, function.Unknown, 2)))
	require.Equal(t, float32(10), f.Call(s.r.Host(), function.From([][]float32{{1, 2}, {3, 4}})).Value())
	require.Equal(t, []bool{false, true, true, false, true}, known)
	require.Equal(t, float32(3), f.Call(s.r.Host(), function.From([][]float32{{1, 2}})).Value())
	require.Equal(t, []int{1, 2}, []int{f.TraceCount(), f.Compilations()})
	require.Equal(t, "batch float32[?,2]", f.Signatures()[0].String())

	number := function.New(s.r, func(_ *function.Ctx, x function.Tensor) function.Tensor {
		return function.From(int32(x.Dim(0).Int()))
	}, function.WithName("number"), function.WithArgNames("batch"), function.WithInputSignature(function.SpecOf(dtypes.Float32, function.Unknown, 2)))
	err := function.Try(with(s, number, f32(3, 2)))
	require.ErrorIs(t, err, function.ErrUnknownDim)
	require.EqualError(t, err, `function "number": axis 0 of Tensor("batch:0", shape=(?, 2), dtype=float32) has no known size in this trace: compute with ops, or trace with a known size`)
}

// An inner function that is called with an unknown dimension has one trace for
// it, and gradients work for all sizes, that of a bias among them.
func TestUnknownDimensionsInInnerFunctionsAndGradients(t *testing.T) {
	s := newScenario(t)
	dense := function.NewDense(3)
	dense.Build(s.r.Host(), 2)
	inner := function.New(s.r, dense.Call)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) []function.Tensor {
		loss := c.Mean(c.Square(inner.Call(c, x)))
		v := dense.Variables()
		return c.Gradient(loss, v[0].Read(c), v[1].Read(c))
	}, function.WithReduceRetracing())
	plain := graph.MustNewExec(s.r.Backend(), func(x, kernel, bias *graph.Node) []*graph.Node {
		loss := graph.ReduceAllMean(graph.Square(nn.Dense(x, kernel, bias, compute.DenseLayoutInputOutputs)))
		return graph.Gradient(loss, kernel, bias)
	})
	v := dense.Variables()
	for rows := 1; rows <= 4; rows++ {
		x := uniform(s.r, rows, 2)
		want := plain.MustCall(x.Tensor(), v[0].Read(s.r.Host()).Tensor(), v[1].Read(s.r.Host()).Tensor())
		got := f.Call(s.r.Host(), x)
		for i := range want {
			require.True(t, want[i].InDelta(got[i].Tensor(), 1e-6), "%d rows: want %v, got %v", rows, want[i], got[i])
		}
	}
	require.Equal(t, []int{2, 2}, []int{f.TraceCount(), inner.TraceCount()})
	require.Equal(t, []int{4, 0}, []int{f.Compilations(), inner.Compilations()})
}

func TestPrints(t *testing.T) {
	s := newScenario(t)
	inner := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		c.Print("inner", x)
		return c.Neg(x)
	})
	outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		c.Print("before")
		y := inner.Call(c, x)
		c.Print("after", x, y, 3)
		return c.Reshape(y, 2, -1)
	}, function.WithInputSignature(function.SpecOf(dtypes.Int32, function.Unknown)))
	for range 2 {
		s.out.Reset()
		outer.Call(s.r.Host(), function.From([]int32{1, 2}))
		require.Equal(t, "before\ninner [1 2]\nafter [1 2] [-1 -2] 3\n", s.out.String())
	}
	s.out.Reset()
	err := function.Try(with(s, outer, function.From([]int32{1, 2, 3})))
	require.ErrorContains(t, err, `.func2": op "reshape": `, "an odd size")
	require.Empty(t, s.out.String(), "a failed execution prints nothing")
	s.r.Host().Print("host", function.From(int32(1)))
	require.Equal(t, "host 1\n", s.out.String())
}

// The conversion log has a record for each kind of call, nested as they are. That
// of an inner function appears with its content where it is traced.
func TestConversionLogOfAllKinds(t *testing.T) {
	s := newScenario(t)
	var log strings.Builder
	r := newRuntime(t, s.rec, s.out, function.WithLogger(slog.New(function.NewTextHandler(&log, slog.LevelDebug))))
	inner := function.New(r, func(c *function.Ctx, x function.Tensor, n int) function.Tensor { return c.Neg(x) }, function.WithName("inner"))
	outer := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		x = inner.Call(c, x, 3)
		x = inner.Call(c.Scope("block"), x, 3)
		c.Print("x is", x)
		return x
	}, function.WithName("outer"))
	outer.Call(r.Host(), function.From(int32(1)))
	var calls []string
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "converted call") || strings.Contains(line, "args: (") {
			calls = append(calls, strings.TrimSuffix(line, "\n"))
		}
	}
	require.Equal(t, []string{
		`INFO: converted call: outer`,
		`    args: (Tensor("x:0", shape=(), dtype=int32))`,
		`    INFO: converted call: inner`,
		`        args: (Tensor("x:0", shape=(), dtype=int32), 3)`,
		`        INFO: converted call: neg`,
		`            args: (Tensor("x:0", shape=(), dtype=int32))`,
		`    INFO: converted call: block`,
		`        args: ()`,
		`        INFO: converted call: inner`,
		`            args: (Tensor("inner:0", shape=(), dtype=int32), 3)`,
		`    INFO: converted call: Print`,
		`        args: ("x is", Tensor("inner_1:0", shape=(), dtype=int32))`,
	}, calls)
}

func TestErrorsAreReturnedWhereTheBodyHasAnError(t *testing.T) {
	s := newScenario(t)
	failure := errors.New("not today")
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor, fail bool) (function.Tensor, error) {
		if fail {
			return x, failure
		}
		return c.MatMul(x, x), nil
	}, function.WithName("fallible"))
	y, err := f.Call(s.r.Host(), f32(2, 2), false)
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, y.Spec().Dims)
	_, err = f.Call(s.r.Host(), f32(2, 2), true)
	require.ErrorIs(t, err, failure)
	require.EqualError(t, err, `function "fallible": not today`)
	_, err = f.Call(s.r.Host(), f32(2, 3), false)
	require.ErrorContains(t, err, `function "fallible": op "matmul": `)
	require.Equal(t, 1, f.TraceCount())
}

func TestNewRefuses(t *testing.T) {
	s := newScenario(t)
	refuse := func(err error, texts ...string) {
		t.Helper()
		require.ErrorIs(t, err, function.ErrUnkeyable)
		for _, text := range texts {
			require.ErrorContains(t, err, text)
		}
	}
	_, err := function.TryNew(s.r, func(function.Tensor) function.Tensor { return function.Tensor{} }, function.WithName("f"))
	refuse(err, `function "f"`, "*function.Ctx")
	_, err = function.TryNew(s.r, 3)
	refuse(err, "no function")
	_, err = function.TryNew(s.r, (body)(nil))
	refuse(err, "no function")
	_, err = function.TryNew[any](s.r, double)
	refuse(err, "no function")
	_, err = function.TryNew(nil, double)
	require.ErrorContains(t, err, "the runtime is nil")
	_, err = function.TryNew(s.r, double, function.WithArgNames("x", "y"))
	require.ErrorContains(t, err, `names for 2 arguments, and 1 parameters`)
	_, err = function.TryNew(s.r, double, function.WithInputSignature(function.Spec{}))
	require.ErrorContains(t, err, `function "double": input signature: a spec has no dtype`)
	require.ErrorContains(t, function.Try(func() { function.NewRuntime(nil) }), "backend, output or logger is nil")
	require.ErrorContains(t, function.Try(func() { function.New(s.r, double).Call(nil, f32(2)) }), "the context is nil")
	other := newScenario(t)
	require.ErrorContains(t, function.Try(func() { function.New(s.r, double).Call(other.r.Host(), f32(2)) }), "another runtime")
	_, err = function.TryNew(s.r, func(*function.Ctx, function.Tensor, func()) {}, function.WithName("f"), function.WithArgNames("x", "callback"))
	refuse(err, `function "f": callback: type func()`)
	_, err = function.TryNew(s.r, func(*function.Ctx) int { return 1 }, function.WithName("f"))
	refuse(err, `function "f": result 0: type int holds no tensor`)
	type hidden struct{ x function.Tensor }
	_, err = function.TryNew(s.r, func(_ *function.Ctx, h hidden) function.Tensor { return h.x }, function.WithName("f"))
	refuse(err, `function "f": h: field function_test.hidden.x has type function.Tensor and is not exported`)
	_, err = function.TryNew(s.r, constant[map[*fruit]int])
	refuse(err, "keys of map[*function_test.fruit]int")

	f := function.New(s.r, constant[any], function.WithName("f"))
	_, err = f.Apply(s.r.Host(), make(chan int))
	refuse(err, `function "f": arg0: type chan int`)
	self := []any{nil}
	self[0] = self
	_, err = f.Apply(s.r.Host(), self)
	refuse(err, "contain itself")
}

// A body that captures a variable which it also gets as an argument has another
// trace for that: else an assignment to the one would not show in the other.
func TestCapturedVariableAsArgument(t *testing.T) {
	s := newScenario(t)
	captured := s.r.Host().Variable("captured", function.Value(int32(1)))
	other := s.r.Host().Variable("other", function.Value(int32(10)))
	f := function.New(s.r, func(c *function.Ctx, v *function.Variable) function.Tensor {
		v.Assign(c, function.From(int32(5)))
		return captured.Read(c)
	})
	require.Equal(t, int32(1), f.Call(s.r.Host(), other).Value())
	require.Equal(t, int32(5), f.Call(s.r.Host(), captured).Value())
	captured.Assign(s.r.Host(), function.From(int32(2)))
	require.Equal(t, int32(2), f.Call(s.r.Host(), other).Value())
	require.Equal(t, 2, f.TraceCount())

	outer := function.New(s.r, func(c *function.Ctx, v *function.Variable) function.Tensor { return f.Call(c, v) })
	captured.Assign(s.r.Host(), function.From(int32(7)))
	require.Equal(t, int32(7), outer.Call(s.r.Host(), other).Value())
	require.Equal(t, int32(5), outer.Call(s.r.Host(), captured).Value())
	require.Equal(t, []int{2, 2}, []int{f.TraceCount(), outer.TraceCount()})

	// What an inner function assigns is assigned when the outer one has run, and
	// seen by what follows the call in its body.
	next := function.New(s.r, func(c *function.Ctx, v *function.Variable) function.Tensor {
		f.Call(c, v)
		v.AssignAdd(c, function.From(int32(1)))
		f.Call(c, captured)
		return v.Read(c)
	})
	captured.Assign(s.r.Host(), function.From(int32(0)))
	require.Equal(t, int32(6), next.Call(s.r.Host(), other).Value())
	require.Equal(t, int32(6), other.Read(s.r.Host()).Value())
	require.Equal(t, int32(5), captured.Read(s.r.Host()).Value())
}

// An op that is not pure may panic while a graph is compiled. That is an error of
// the call, and no later call waits for the compilation.
func TestImpureOps(t *testing.T) {
	s := newScenario(t)
	runs := 0
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Op("impure", func(_ *graph.Graph, n []*graph.Node) *graph.Node {
			if runs++; runs > 1 {
				panic("text")
			}
			return n[0]
		}, x)
	}, function.WithName("f"))
	for range 2 {
		require.ErrorContains(t, function.Try(with(s, f, f32(2))), "an op panicked with text")
	}
}

func TestStructuredArgumentsAndResults(t *testing.T) {
	s := newScenario(t)
	type batch struct {
		Inputs map[string][]function.Tensor
		Mask   function.Tensor
		Scale  int
	}
	f := function.New(s.r, func(c *function.Ctx, b batch, more ...function.Tensor) (map[string]function.Tensor, batch) {
		b.Inputs["x"][0] = c.Neg(b.Inputs["x"][0])
		return map[string]function.Tensor{"sum": c.Add(b.Inputs["x"][1], more[0])}, b
	})
	arg := batch{Inputs: map[string][]function.Tensor{"x": {function.From(int32(1)), function.From(int32(2))}}, Scale: 3}
	for range 2 {
		sums, b := f.Call(s.r.Host(), arg, function.From(int32(40)))
		require.Equal(t, int32(42), sums["sum"].Value())
		require.Equal(t, int32(-1), b.Inputs["x"][0].Value())
		require.True(t, b.Mask.IsNone())
		require.Equal(t, 3, b.Scale)
	}
	require.Equal(t, int32(1), arg.Inputs["x"][0].Value(), "the body works on a copy")
	out, err := f.Apply(s.r.Host(), arg, int32(1))
	require.NoError(t, err)
	require.Len(t, out, 3)
	require.Equal(t, 1, f.TraceCount())
	_, err = f.Apply(s.r.Host())
	require.ErrorIs(t, err, function.ErrSignature)
}

func TestEagerAndTracedVariables(t *testing.T) {
	s := newScenario(t)
	v := s.r.Host().Scope("a").Scope("b").Variable("v", function.Value([]int32{1, 2}))
	require.Equal(t, "a/b/v", v.Name())
	body := func(c *function.Ctx) function.Tensor {
		before := v.Read(c)
		v.AssignAdd(c, function.From([]int32{10, 10}))
		v.Assign(c, c.Mul(v.Read(c), function.From([]int32{2, 2})))
		return c.Concat(0, before, v.Read(c))
	}
	require.Equal(t, []int32{1, 2, 22, 24}, body(s.r.Host()).Value())
	f := function.New(s.r, body)
	require.Equal(t, []int32{22, 24, 64, 68}, f.Call(s.r.Host()).Value())
	require.Equal(t, []int32{64, 68}, v.Read(s.r.Host()).Value())
	require.ErrorIs(t, function.Try(func() { v.Assign(s.r.Host(), f32(2)) }), function.ErrSignature)
	require.ErrorContains(t, function.Try(func() { v.AssignAdd(s.r.Host(), function.From([]int32{1, 2, 3})) }), `op "add": `)
	v.Assign(s.r.Host(), function.From([]int32{0, 0})) // no lock is left
	scalar := variable(s, "scalar", dtypes.Int32)
	require.ErrorIs(t, function.Try(func() { scalar.AssignAdd(s.r.Host(), function.From([]int32{1, 2})) }), function.ErrSignature)
}

func TestSpecsOnlyForConcrete(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, double, function.WithName("f"))
	require.ErrorContains(t, function.Try(with(s, f, function.SpecOf(dtypes.Float32, 2).Tensor())), "which only Concrete takes")
	_, err := f.Concrete(function.SpecOf(dtypes.Float32, -2))
	require.ErrorIs(t, err, function.ErrSignature)
	of, err := f.Concrete(function.SpecOf(dtypes.Float32, function.Unknown))
	require.NoError(t, err)
	require.Equal(t, "f(x float32[?])", of.String())
	_, err = of.Graph()
	require.ErrorIs(t, err, function.ErrUnknownDim)
	g, err := of.Graph(function.SpecOf(dtypes.Float32, 3))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(g.Name(), "f#"))
	plus3 := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Add(x, f32(3)) })
	_, err = plus3.Concrete(function.SpecOf(dtypes.Float32, function.Unknown))
	require.ErrorContains(t, err, "unknown dimensions have made-up sizes here")
	_, err = of.Graph(function.SpecOf(dtypes.Float32, 3, 3))
	require.ErrorIs(t, err, function.ErrSignature)
}
