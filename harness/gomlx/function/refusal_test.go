package function_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

type (
	ctx    = *function.Ctx
	tensor = function.Tensor
)

// What is nil or zero and must not be is an error that says so.
func TestNilIsAnErrorThatNamesIt(t *testing.T) {
	s := newScenario(t)
	host := s.r.Host()
	try := function.Try
	made := func(_ any, err error) error { return err }
	var zero function.Func[func(ctx)]
	var noBody func(ctx)
	f := function.New(s.r, func(c ctx, x tensor) tensor { return x }, function.WithName("f"))
	for want, err := range map[string]error{
		"function.New: the body is nil, which is no function":                                     made(function.TryNew(s.r, noBody)),
		`function "g": the body is nil, which is no function`:                                     made(function.TryNew(s.r, noBody, function.WithName("g"))),
		"function.New: the body has type int, which is no function":                               made(function.TryNew(s.r, 3)),
		"function.New: the body has type interface {}, which is no function":                      made(function.TryNew[any](s.r, nil)),
		`function "h": option 1 is nil`:                                                           made(function.TryNew(s.r, noBody, function.WithName("h"), nil)),
		"the runtime is nil: make one with NewRuntime":                                            made(function.TryNew(nil, noBody)),
		"function.NewRuntime: option 0 is nil":                                                    try(func() { function.NewRuntime(s.r.Backend(), nil) }),
		"the Func is zero: make it with function.New":                                             try(func() { zero.TraceCount() }),
		`variable "v": its initialiser is nil: give one, such as function.Fill or function.Value`: try(func() { host.Variable("v", nil) }),
		`op "x": its function is nil`:                                                             try(func() { host.Op("x", nil) }),
		`op "y": its function is nil`:                                                             try(func() { host.Ops("y", nil) }),
		"function.FromTensor: the tensor is nil":                                                  try(func() { function.FromTensor(nil) }),
		"the variable is nil: make it with Ctx.Variable":                                          try(func() { new(function.Variable).Read(host) }),
		"the zero Dim has no size: take one from Tensor.Dim":                                      try(func() { _ = function.Dim{}.Int() }),
		`function "f": the context is nil: pass the body's, or in host code Runtime.Host()`:       try(func() { f.Call(nil, f32(2)) }),
	} {
		require.EqualError(t, err, want)
	}
	for name, run := range map[string]func(){
		"Name":         func() { zero.Name() },
		"Compilations": func() { zero.Compilations() },
		"Signatures":   func() { zero.Signatures() },
		"Evicted":      func() { zero.Evicted() },
		"ClearCache":   func() { zero.ClearCache() },
	} {
		require.ErrorContains(t, try(run), "the Func is zero", name)
	}
	_, err := zero.Concrete()
	require.ErrorContains(t, err, "the Func is zero")
	_, err = zero.Apply(host)
	require.ErrorContains(t, err, "the Func is zero")
	for name, run := range map[string]func(c ctx){
		"Op":       func(c ctx) { c.Neg(f32(2)) },
		"Print":    func(c ctx) { c.Print("x") },
		"Host":     func(c ctx) { c.Host() },
		"Scope":    func(c ctx) { c.Scope("s") },
		"Variable": func(c ctx) { c.Variable("v", function.Value(float32(1))) },
		"Gradient": func(c ctx) { c.Gradient(f32(), f32()) },
		"Dense":    func(c ctx) { function.NewDense(2).Call(c, f32(2, 2)) },
	} {
		require.ErrorContains(t, try(func() { run(nil) }), "the context is nil", name)
		require.ErrorContains(t, try(func() { run(&function.Ctx{}) }), "the context is nil", name)
	}
}

// Host code's context inside a body is an error, whether or not the call that it
// is used for has a trace by then.
func TestHostContextInABodyIsAnErrorWarmAndCold(t *testing.T) {
	s := newScenario(t)
	host := s.r.Host()
	v := variable(s, "v", dtypes.Float32, 2)
	inner := function.New(s.r, func(c ctx, x tensor) tensor { return c.Neg(x) }, function.WithName("inner"))
	uses := map[string]func(){
		"call":     func() { inner.Call(host, f32(2)) },
		"concrete": func() { _, err := inner.Concrete(f32(2)); panic(err) },
		"op":       func() { host.Neg(f32(2)) },
		"read":     func() { v.Read(host) },
		"assign":   func() { v.Assign(host, f32(2)) },
		"print":    func() { host.Print("x") },
		"variable": func() { host.Variable("w", function.Value(float32(1))) },
	}
	for _, state := range []string{"cold", "warm"} {
		for name, use := range uses {
			outer := function.New(s.r, func(c ctx, x tensor) tensor { use(); return x }, function.WithName("outer"))
			err := function.Try(func() { outer.Call(host, f32(2)) })
			require.ErrorIs(t, err, function.ErrHostInTrace, "%s, %s", name, state)
			require.ErrorContains(t, err, `function "outer": `)
		}
		inner.Call(host, f32(2))
	}
	ok := function.New(s.r, func(c ctx, x tensor) tensor { return inner.Call(c.Host(), f32(2)) })
	ok.Call(host, f32(2))
}

// A fixed input signature fixes where the tensors lie, too.
func TestInputSignatureRefusesAnotherStructure(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c ctx, x map[string]tensor, training bool) tensor { return function.From(float32(len(x))) },
		function.WithInputSignature(vector), function.WithName("f"))
	call := func(key string, training bool) error {
		return function.Try(func() { f.Call(s.r.Host(), map[string]tensor{key: ones(1)}, training) })
	}
	require.NoError(t, call("a", true))
	require.NoError(t, call("a", false), "other Go values are no other structure")
	err := call("b", true)
	require.ErrorIs(t, err, function.ErrSignature)
	require.EqualError(t, err, `function "f": the input signature was first used for tensors at x["a"], and these are at x["b"]: pass arguments of one structure`)
	require.Equal(t, 2, f.TraceCount())
	f.ClearCache()
	require.NoError(t, call("b", true))
}

type pair struct{ Left, Right tensor }

// An input signature is enough to trace for, where it tells what the arguments
// look like.
func TestConcreteOfNestedSignature(t *testing.T) {
	s := newScenario(t)
	three := function.WithInputSignature(vector, vector, vector)
	named := function.WithName("f")
	for _, test := range []struct {
		concrete func(...any) (*function.Concrete, error)
		err      string
	}{
		{concrete: function.New(s.r, func(c ctx, x []tensor) tensor { return c.Sum(x[2]) }, three, named).Concrete},
		{concrete: function.New(s.r, func(c ctx, x tensor, rest ...tensor) tensor { return c.Sum(rest[1]) }, three, named).Concrete},
		{concrete: function.New(s.r, func(c ctx, p pair, x tensor) tensor { return c.Concat(0, p.Left, p.Right, x) }, three, named).Concrete},
		{concrete: function.New(s.r, func(c ctx, x [1]tensor, p []pair) tensor { return c.Add(x[0], p[0].Right) }, three, named).Concrete},
		{concrete: function.New(s.r, func(c ctx, x, y, z any) tensor { return z.(tensor) }, three, named).Concrete},
		{function.New(s.r, func(c ctx, x []pair) tensor { return x[0].Left }, three, named).Concrete,
			`function "f": the input signature has 3 tensors, which do not fit the parameters`},
		{function.New(s.r, func(c ctx, x, y tensor) tensor { return x }, three, named).Concrete,
			`function "f": the input signature has 3 tensors, which do not fit the parameters`},
		{function.New(s.r, func(c ctx, x map[string]tensor) tensor { return x["a"] }, three, named).Concrete,
			`function "f": x: the input signature does not tell a value of type map[string]function.Tensor: pass the arguments`},
		{function.New(s.r, func(c ctx, x, y []tensor) tensor { return x[0] }, three, named).Concrete,
			`function "f": y: the input signature does not tell how its tensors are divided among several slices: pass the arguments`},
		{function.New(s.r, func(c ctx, x tensor, training bool) tensor { return x }, three, named).Concrete,
			`function "f": training: the input signature does not tell a value of type bool: pass the arguments`},
	} {
		c, err := test.concrete()
		if test.err != "" {
			require.EqualError(t, err, test.err)
			continue
		}
		require.NoError(t, err)
		again, err := test.concrete()
		require.NoError(t, err)
		require.Same(t, c, again)
	}
}

// GoMLX 0.28 indexes beyond its parameters where a body returns an argument and
// does not use a later one. That is no bug of the caller's, so Try returns it.
func TestEngineFaultIsAnErrorOfTry(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c ctx, x, unused tensor) tensor { return x }, function.WithName("f"))
	err := function.Try(func() { f.Call(s.r.Host(), f32(2), f32(3)) })
	require.ErrorIs(t, err, function.ErrEngine)
	require.ErrorContains(t, err, `function "f": GoMLX failed: `)
	require.ErrorContains(t, err, "index out of range")
	err = function.Try(func() {
		s.r.Host().Op("first", func(_ *graph.Graph, x []*graph.Node) *graph.Node { return x[0] }, f32(2), f32(3))
	})
	require.ErrorIs(t, err, function.ErrEngine)
}
