package function_test

import (
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA9(t *testing.T) { runRows(t, rowsA9()) }

// An object has a traced method of its own.
type object struct {
	double *function.Func[func(*function.Ctx, any) function.Tensor]
}

func newObject(r *function.Runtime) *object {
	o := &object{}
	o.double = function.New(r, o.body)
	return o
}

func (o *object) body(c *function.Ctx, x any) function.Tensor {
	if x, ok := x.(function.Tensor); ok {
		return double(c, x)
	}
	return constant(c, x)
}

// warnings returns how often the scenario's runtime warned.
func (s *scenario) warnings() int { return strings.Count(s.log.String(), "WARN: frequent retracing ") }

// rowsA9: methods, recursion, captured values, warnings.
func rowsA9() []row {
	return []row{
		{"TF-91", "", func(s *scenario) {
			one, two := newObject(s.r), newObject(s.r)
			s.counts(one.double, []int{1, 1, 2},
				with[any](s, one.double, function.From(int32(1))),
				with[any](s, one.double, function.From(int32(2))),
				with[any](s, one.double, function.From(float32(1))))
			s.counts(two.double, []int{1, 2, 3},
				with[any](s, two.double, function.From(int32(1))),
				with[any](s, two.double, function.From(float32(1))),
				with[any](s, two.double, "a"))
			require.Equal(s, 2, one.double.TraceCount())
			s.causes("first trace",
				"new signature: x: dtype int32 -> float32 (nearest: trace 1)",
				"same signature as trace 1, of another wrapper",
				"same signature as trace 2, of another wrapper",
				`new signature: x: float32[] -> "a" (nearest: trace 2, of another wrapper)`)
		}},
		{"TF-93", "", func(s *scenario) {
			var f *function.Func[func(*function.Ctx, int) function.Tensor]
			f = function.New(s.r, func(c *function.Ctx, n int) function.Tensor {
				if n == 0 {
					return function.From(int32(1))
				}
				printf(s.out, "tracing %d\n", n)
				return c.Mul(function.From(int32(n)), f.Call(c, n-1))
			})
			require.Equal(s, int32(120), f.Call(s.r.Host(), 5).Value())
			require.Equal(s, 6, f.TraceCount())
			require.Equal(s, "tracing 5\ntracing 4\ntracing 3\ntracing 2\ntracing 1\n", s.out.String())
			s.causes("first trace",
				"new signature: n: 5 -> 4 (nearest: trace 1)",
				"new signature: n: 4 -> 3 (nearest: trace 2)",
				"new signature: n: 3 -> 2 (nearest: trace 3)",
				"new signature: n: 2 -> 1 (nearest: trace 4)",
				"new signature: n: 1 -> 0 (nearest: trace 5)")
		}},
		{"TF-94", "", func(s *scenario) {
			var f *function.Func[body]
			f = function.New(s.r, func(c *function.Ctx, n function.Tensor) function.Tensor {
				return c.Mul(n, f.Call(c, c.Sub(n, function.From(int32(1)))))
			}, function.WithName("factorial"))
			s.counts(f, []int{0}, s.failing(function.ErrRecursion, with(s, f, function.From(int32(5)))))
			require.Equal(s, 1, s.bodies("factorial"))
			s.causes("first trace")

			var g *function.Func[func(*function.Ctx, int) function.Tensor]
			g = function.New(s.r, func(c *function.Ctx, n int) function.Tensor { return g.Call(c, n+1) }, function.WithName("endless"))
			s.counts(g, []int{0}, s.failing(function.ErrRecursion, with(s, g, 1)))
			require.Equal(s, 101, s.bodies("endless"))
		}},
		{"TF-96", "", func(s *scenario) {
			foo := int32(1)
			stale := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Add(x, function.From(foo)) })
			x := function.From(int32(1))
			require.Equal(s, int32(2), stale.Call(s.r.Host(), x).Value())
			foo = 100
			require.Equal(s, int32(2), stale.Call(s.r.Host(), x).Value())
			require.Equal(s, 1, stale.TraceCount())

			bar := s.r.Host().Variable("bar", function.Value(int32(1)))
			fresh := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Add(x, bar.Read(c)) })
			require.Equal(s, int32(2), fresh.Call(s.r.Host(), x).Value())
			bar.Assign(s.r.Host(), function.From(int32(100)))
			require.Equal(s, int32(101), fresh.Call(s.r.Host(), x).Value())
			require.Equal(s, 1, fresh.TraceCount())
			s.causes("first trace", "first trace")
		}},
		{"TF-97", "there are no datasets here: a variable is the iterator that belongs to the graph", func(s *scenario) {
			next := 0
			host := function.New(s.r, func(c *function.Ctx) function.Tensor {
				next++
				c.Print("value", next)
				return function.From(int32(next))
			})
			call := func() { host.Call(s.r.Host()) }
			s.counts(host, []int{1, 1, 1}, call, call, call)
			require.Equal(s, "value 1\nvalue 1\nvalue 1\n", s.out.String())

			s.out.Reset()
			state := s.r.Host().Variable("next", function.Value(int32(0)))
			inGraph := function.New(s.r, func(c *function.Ctx) function.Tensor {
				value := state.AssignAdd(c, function.From(int32(1)))
				c.Print("value", value)
				return value
			})
			call = func() { inGraph.Call(s.r.Host()) }
			s.counts(inGraph, []int{1, 1, 1}, call, call, call)
			require.Equal(s, "value 1\nvalue 2\nvalue 3\n", s.out.String())
			s.causes("first trace", "first trace")
		}},
		{"TF-99", "", func(s *scenario) {
			f := function.New(s.r, constant[any])
			for n := 1; n <= 5; n++ {
				require.Zero(s, s.warnings())
				f.Call(s.r.Host(), n)
			}
			require.Equal(s, 1, s.warnings())
			for n := 6; n <= 20; n++ {
				f.Call(s.r.Host(), n)
			}
			require.Equal(s, 2, s.warnings(), "at most two a function")

			s = newScenario(s.T)
			rare := function.New(s.r, constant[any])
			for n := 1; n <= 5; n++ {
				for range 10 {
					rare.Call(s.r.Host(), n)
				}
			}
			require.Zero(s, s.warnings(), "one call in ten")

			s = newScenario(s.T)
			method := newObject(s.r)
			for n := 1; n <= 5; n++ {
				require.Zero(s, s.warnings())
				method.double.Call(s.r.Host(), n)
			}
			require.Equal(s, 1, s.warnings())
			s.causes("first trace",
				"new signature: x: 1 -> 2 (nearest: trace 1)",
				"new signature: x: 2 -> 3 (nearest: trace 2)",
				"new signature: x: 3 -> 4 (nearest: trace 3)",
				"new signature: x: 4 -> 5 (nearest: trace 4)")
		}},
		{"TF-101", "", func(s *scenario) {
			for range 5 {
				require.Zero(s, s.warnings())
				f := function.New(s.r, double)
				s.counts(f, []int{1}, with(s, f, f32(2)))
			}
			require.Equal(s, 1, s.warnings())
			s.causes("first trace",
				"same signature as trace 1, of another wrapper",
				"same signature as trace 2, of another wrapper",
				"same signature as trace 3, of another wrapper",
				"same signature as trace 4, of another wrapper")
		}},
		{"TF-102", "nothing is saved and restored here: an input signature in the place of the restored function", func(s *scenario) {
			fixed := function.New(s.r, double, function.WithInputSignature(function.SpecOf(dtypes.Float32, function.Unknown)))
			fresh := function.New(s.r, new(doubler).double)
			for n := 1; n <= 5; n++ {
				fixed.Call(s.r.Host(), f32(n))
			}
			require.Zero(s, s.warnings())
			require.Equal(s, 1, fixed.TraceCount())
			for n := 1; n <= 5; n++ {
				require.Zero(s, s.warnings())
				fresh.Call(s.r.Host(), f32(n))
			}
			require.Equal(s, 1, s.warnings())
			require.Equal(s, 5, fresh.TraceCount())
			s.causes("first trace", "first trace",
				"new signature: x: axis 0: 1 -> 2 (nearest: trace 2)",
				"new signature: x: axis 0: 2 -> 3 (nearest: trace 3)",
				"new signature: x: axis 0: 3 -> 4 (nearest: trace 4)",
				"new signature: x: axis 0: 4 -> 5 (nearest: trace 5)")
		}},
	}
}
