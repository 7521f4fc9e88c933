package function_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA6(t *testing.T) { runRows(t, rowsA6()) }

// A doubler has a method to trace.
type doubler struct{}

func (*doubler) double(c *function.Ctx, x function.Tensor) function.Tensor { return double(c, x) }

// shapeOf returns the dimensions of a tensor as a vector.
func shapeOf(x function.Tensor) function.Tensor {
	dims := make([]int32, x.Rank())
	for axis := range dims {
		dims[axis] = int32(x.Dim(axis).Int())
	}
	return function.From(dims)
}

// rowsA6: relaxed shapes.
func rowsA6() []row {
	return []row{
		{"TF-53", "", func(s *scenario) {
			for name, body := range map[string]body{"function": double, "method": new(doubler).double} {
				s.Run(name, func(t *testing.T) {
					s := newScenario(t)
					f := function.New(s.r, body, function.WithReduceRetracing())
					s.counts(f, []int{1, 2, 2}, with(s, f, f32(0)), with(s, f, f32(1)), with(s, f, f32(2)))
					require.Equal(s, []float32{2, 4}, f.Call(s.r.Host(), function.From([]float32{1, 2})).Value())
					require.Equal(s, "x float32[?]", f.Signatures()[1].String())
					s.causes("first trace", "new signature: x: axis 0: 0 -> ? (nearest: trace 1)")
				})
			}
		}},
		{"TF-55", "a rank is always known here, so () and (1) have nothing in common: 1, 2, 3, 3 in place of 1, 2, 2, 2", func(s *scenario) {
			f := function.New(s.r, double, function.WithReduceRetracing())
			s.counts(f, []int{1, 2, 3, 3}, with(s, f, f32()), with(s, f, f32(1)), with(s, f, f32(2)), with(s, f, f32(3)))
			s.causes("first trace",
				"new signature: x: rank 0 -> 1 (nearest: trace 1)",
				"new signature: x: axis 0: 1 -> ? (nearest: trace 2)")
		}},
		{"TF-60", "", func(s *scenario) {
			dialects := []struct {
				name    string
				options []function.RuntimeOption
				want    []int
				causes  []string
			}{
				{"type-based keys", nil, []int{1, 2, 2}, nil},
				{"legacy keys", []function.RuntimeOption{function.WithLegacyKeys()}, []int{1, 2, 3},
					[]string{"new signature: x: axis 0: ? -> 2, x: symbolic -> concrete (nearest: trace 1)"}},
			}
			for _, dialect := range dialects {
				s.Run(dialect.name, func(t *testing.T) {
					s := newScenario(t, dialect.options...)
					f := function.New(s.r, double)
					s.counts(f, dialect.want,
						concrete(s, f, function.SpecOf(dtypes.Int32, function.Unknown)),
						concrete(s, f, function.SpecOf(dtypes.Int64, function.Unknown)),
						with(s, f, function.From([]int32{1, 2})))
					s.causes(append([]string{"first trace",
						"new signature: x: dtype int32 -> int64 (nearest: trace 1)"}, dialect.causes...)...)
				})
			}
		}},
		{"TF-61", "", func(s *scenario) {
			f := function.New(s.r, double)
			spec := function.SpecOf(dtypes.Int32, function.Unknown)
			s.counts(f, []int{1, 1}, concrete(s, f, spec), concrete(s, f, spec))
			s.causes("first trace")
		}},
		{"TF-62", "a rank is always known here: the outer function, whose arguments differ in rank, has 1, 2, 3, 4, 5 in place of 1, 2, 2, 2, 2", func(s *scenario) {
			inner := function.New(s.r, identity, function.WithName("inner"), function.WithReduceRetracing())
			outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				return inner.Call(c, shapeOf(x))
			}, function.WithName("outer"), function.WithReduceRetracing())
			dims := []int{}
			call := func() {
				dims = append(dims, 1)
				outer.Call(s.r.Host(), f32(dims...))
			}
			var inners []int
			s.counts(outer, []int{1, 2, 3, 4, 5}, func() { call(); inners = append(inners, inner.TraceCount()) },
				func() { call(); inners = append(inners, inner.TraceCount()) },
				func() { call(); inners = append(inners, inner.TraceCount()) },
				func() { call(); inners = append(inners, inner.TraceCount()) },
				func() { call(); inners = append(inners, inner.TraceCount()) })
			require.Equal(s, []int{1, 2, 2, 2, 2}, inners)
			s.causes("first trace", "first trace",
				"new signature: x: rank 1 -> 2 (nearest: trace 1)",
				"new signature: x: axis 0: 1 -> ? (nearest: trace 2)",
				"new signature: x: rank 2 -> 3 (nearest: trace 3)",
				"new signature: x: rank 3 -> 4 (nearest: trace 5)",
				"new signature: x: rank 4 -> 5 (nearest: trace 6)")
		}},
	}
}

// In the old dialect a relaxed function still serves all sizes with one trace;
// concrete and symbolic arguments have one each.
func TestLegacyKeysWithRelaxedShapes(t *testing.T) {
	s := newScenario(t, function.WithLegacyKeys())
	f := function.New(s.r, double, function.WithReduceRetracing())
	outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return f.Call(c, x) }, function.WithReduceRetracing())
	s.counts(f, []int{1, 2, 2, 3, 4, 4},
		with(s, f, f32(1)), with(s, f, f32(2)), with(s, f, f32(3)),
		with(s, outer, f32(1)), with(s, outer, f32(2)), with(s, outer, f32(3)))
	require.Equal(t, 2, outer.TraceCount())
}

func TestRowsA7(t *testing.T) { runRows(t, rowsA7()) }

// rowsA7: functions in functions, Concrete, goroutines.
func rowsA7() []row {
	return []row{
		{"TF-66", "", func(s *scenario) {
			inner := function.New(s.r, constant[int], function.WithName("inner"))
			call := func(c *function.Ctx, n int) function.Tensor { return inner.Call(c, n) }
			// Other code, since the warning counts by code.
			outer1 := function.New(s.r, func(c *function.Ctx, n int) function.Tensor { return call(c, n) }, function.WithName("outer1"))
			outer2 := function.New(s.r, func(c *function.Ctx, n int) function.Tensor { return call(c, n) }, function.WithName("outer2"))
			for n := 1; n <= 4; n++ {
				inner.Call(s.r.Host(), n)
			}
			require.Equal(s, 4, inner.TraceCount())
			for n := 5; n <= 8; n++ {
				outer1.Call(s.r.Host(), n)
			}
			require.Equal(s, []int{8, 4}, []int{inner.TraceCount(), outer1.TraceCount()})
			for n := 9; n <= 12; n++ {
				outer2.Call(s.r.Host(), n)
			}
			require.Equal(s, []int{12, 4}, []int{inner.TraceCount(), outer2.TraceCount()})
			require.Empty(s, s.log.String())
			outer2.Call(s.r.Host(), 13)
			require.Equal(s, []int{13, 5}, []int{inner.TraceCount(), outer2.TraceCount()})
			require.Equal(s, 1, strings.Count(s.log.String(), "frequent retracing"))
			require.Contains(s, s.log.String(), "function=outer2 tracings=5 calls=5")
			require.Equal(s, "first trace", s.rec.Traces()[0].Cause.String())
			for _, cause := range causes(s.rec.Traces()) {
				require.Regexp(s, `^first trace$|^new signature: (n|arg 0): \d+ -> \d+ `, cause)
			}
		}},
		{"TF-68", "", func(s *scenario) {
			f := function.New(s.r, func(*function.Ctx) function.Tensor { return function.From(float32(1)) })
			traces := make([]*function.Concrete, 100)
			var calls sync.WaitGroup
			for i := range traces {
				calls.Go(func() { traces[i], _ = f.Concrete() })
			}
			calls.Wait()
			for _, trace := range traces {
				require.NotNil(s, trace)
				require.Same(s, traces[0], trace)
			}
			require.Equal(s, 1, f.TraceCount())
			s.causes("first trace")
		}},
		{"TF-69", "", func(s *scenario) {
			for _, dialect := range [][]function.RuntimeOption{nil, {function.WithLegacyKeys()}} {
				s := newScenario(s.T, dialect...)
				f := function.New(s.r, double)
				results := make([]function.Tensor, 100)
				var calls sync.WaitGroup
				for i := range results {
					calls.Go(func() { results[i] = f.Call(s.r.Host(), function.From(int32(i))) })
				}
				calls.Wait()
				for i, result := range results {
					require.Equal(s, int32(2*i), result.Value())
				}
				require.Equal(s, 1, f.TraceCount())
				s.causes("first trace")
			}
		}},
		{"TF-71", "", func(s *scenario) {
			var v *function.Variable
			f := function.New(s.r, func(c *function.Ctx) function.Tensor {
				if v == nil {
					v = c.Variable("v", function.Value(float32(1)))
				}
				return v.Read(c)
			})
			s.counts(f, []int{2, 2}, concrete(s, f), func() { f.Call(s.r.Host()) })
			s.causes("first trace", stateMade("v", v))
		}},
		{"TF-78", "the switch is an option of the runtime, not a global that changes under running calls", func(s *scenario) {
			s = newScenario(s.T, function.WithEagerBodies())
			runs := 0
			f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				runs++
				return double(c, x)
			})
			s.counts(f, []int{0, 0}, with(s, f, f32(2)), with(s, f, f32(2)))
			require.Equal(s, 2, runs)
			require.Equal(s, []float32{2, 4}, f.Call(s.r.Host(), function.From([]float32{1, 2})).Value())
			s.causes()
		}},
	}
}

// stateMade returns the cause of a second trace.
func stateMade(name string, v *function.Variable) string {
	return "second trace of a first call, because state was made: variable \"" + name + "\" was made at " + v.Site()
}
