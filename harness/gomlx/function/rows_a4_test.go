package function_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA4(t *testing.T) { runRows(t, rowsA4()) }

// variable returns a new variable of zeros.
func variable(s *scenario, name string, dtype dtypes.DType, dims ...int) *function.Variable {
	return s.r.Host().Variable(name, function.Fill(function.SpecOf(dtype, dims...), 0))
}

// addTo adds one variable to another.
func addTo(c *function.Ctx, v, w *function.Variable) function.Tensor {
	return v.AssignAdd(c, w.Read(c))
}

// rowsA4: variables as arguments.
func rowsA4() []row {
	const f32, i32 = dtypes.Float32, dtypes.Int32
	return []row{
		{"TF-39", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, v *function.Variable) function.Tensor {
				return v.AssignAdd(c, v.Read(c))
			})
			one := s.r.Host().Variable("one", function.Value(float32(1)))
			two := s.r.Host().Variable("two", function.Value(float32(2)))
			s.counts(f, []int{1, 1, 2}, with(s, f, one), with(s, f, two), with(s, f, variable(s, "int", i32)))
			require.Equal(s, float32(2), one.Read(s.r.Host()).Value())
			require.Equal(s, float32(4), two.Read(s.r.Host()).Value())
			s.causes("first trace", "new signature: v: dtype float32 -> int32 (nearest: trace 1)")
		}},
		{"TF-40", "", func(s *scenario) {
			f := function.New(s.r, addTo)
			s.counts(f, []int{1, 2, 3},
				with2(s, f, variable(s, "a", f32), variable(s, "b", f32)),
				with2(s, f, variable(s, "a", f32, 2), variable(s, "b", f32, 2)),
				with2(s, f, variable(s, "a", f32, 1, 2), variable(s, "b", f32, 1, 2)))
			s.causes("first trace",
				"new signature: v: rank 0 -> 1, w: rank 0 -> 1 (nearest: trace 1)",
				"new signature: v: rank 1 -> 2, w: rank 1 -> 2 (nearest: trace 2)")
		}},
		{"TF-41", "", func(s *scenario) {
			for _, options := range [][]function.FuncOption{nil, {function.WithReduceRetracing()}} {
				s := newScenario(s.T)
				f := function.New(s.r, addTo, options...)
				s.counts(f, []int{1, 2},
					with2(s, f, variable(s, "a", f32), variable(s, "b", f32)),
					with2(s, f, variable(s, "a", i32), variable(s, "b", i32)))
				s.causes("first trace",
					"new signature: v: dtype float32 -> int32, w: dtype float32 -> int32 (nearest: trace 1)")
			}
		}},
		{"TF-43", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, a, b, d *function.Variable) function.Tensor {
				a.AssignAdd(c, function.From(float32(1)))
				b.AssignAdd(c, function.From(float32(10)))
				return c.Add(c.Add(a.Read(c), b.Read(c)), d.Read(c))
			})
			x, y, z := variable(s, "x", f32), variable(s, "y", f32), variable(s, "z", f32)
			var sums []any
			call := func(a, b, d *function.Variable) func() {
				return func() { sums = append(sums, f.Call(s.r.Host(), a, b, d).Value()) }
			}
			s.counts(f, []int{1, 2, 2, 3, 3}, call(x, y, z), call(x, x, z), call(y, y, z), call(z, y, y), call(z, y, y))
			// x 1, y 10; x 12; y 21; z 1, y 31; z 2, y 41.
			require.Equal(s, []any{float32(11), float32(24), float32(42), float32(63), float32(84)}, sums)
			s.causes("first trace",
				"new signature: b: variable -> variable, the same as a (nearest: trace 1)",
				"new signature: d: variable -> variable, the same as b (nearest: trace 1)")
		}},
	}
}

func TestRowsA5(t *testing.T) { runRows(t, rowsA5()) }

// rowsA5: a fixed input signature.
func rowsA5() []row {
	return []row{
		{"TF-45", "", func(s *scenario) {
			spec := function.SpecOf(dtypes.Float32, 2)
			f := function.New(s.r, double, function.WithInputSignature(spec))
			s.counts(f, []int{1, 1, 1, 1},
				with(s, f, function.From([]float32{1, 2})),
				concrete(s, f),
				concrete(s, f, function.From([]float32{3, 4})),
				concrete(s, f, spec))
			s.causes("first trace")
		}},
		{"TF-47", "", func(s *scenario) {
			f := function.New(s.r, double, function.WithInputSignature(function.SpecOf(dtypes.Int32, function.Unknown)))
			got := f.Call(s.r.Host(), function.From([]int32{1, 2, 3}))
			require.Equal(s, []int32{2, 4, 6}, got.Value())
			s.counts(f, []int{1, 1, 1},
				with(s, f, function.From([]int32{1, 2, 3, 4, 5})),
				s.failing(function.ErrSignature, with(s, f, function.From([][]int32{{1}}))),
				s.failing(function.ErrSignature, with(s, f, function.From([]float32{1}))))
			require.Equal(s, 2, f.Compilations())
			s.causes("first trace")
		}},
		{"TF-50", "Go has no default arguments: the flag is passed", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, x, training function.Tensor) function.Tensor {
				return c.Mul(x, c.Cast(training, dtypes.Float32))
			}, function.WithInputSignature(function.SpecOf(dtypes.Float32, 2), function.SpecOf(dtypes.Bool)))
			x := function.From([]float32{1, 2})
			s.counts(f, []int{1, 1}, with2(s, f, x, function.From(true)), with2(s, f, x, function.From(false)))
			s.causes("first trace")
		}},
		{"TF-51", "", func(s *scenario) {
			for _, options := range [][]function.FuncOption{nil, {function.WithInputSignature()}} {
				s := newScenario(s.T)
				captured := int32(1)
				f := function.New(s.r, func(*function.Ctx) function.Tensor { return function.From(captured) }, options...)
				call := func() { f.Call(s.r.Host()) }
				s.counts(f, []int{1, 1}, call, func() { captured = 2; call() })
				require.Equal(s, int32(1), f.Call(s.r.Host()).Value(), "the value of the first call is frozen")
				s.causes("first trace")
			}
		}},
		{"TF-52", "inspection never traces: 0 in place of 1", func(s *scenario) {
			f := function.New(s.r, double, function.WithInputSignature(function.SpecOf(dtypes.Float32, 2)))
			s.counts(f, []int{0}, func() { require.Empty(s, f.Signatures()) })
			s.causes()
		}},
	}
}
