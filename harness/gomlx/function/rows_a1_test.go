package function_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA1(t *testing.T) { runRows(t, rowsA1()) }

// rowsA1: signature basics.
func rowsA1() []row {
	return []row{
		{"TF-01", "the Go backend has no strings: bool in their place", func(s *scenario) {
			f := function.New(s.r, double)
			s.counts(f, []int{1, 1, 2},
				with(s, f, function.From(int32(1))),
				with(s, f, function.From(int32(2))),
				with(s, f, function.From(true)))
			s.causes("first trace", "new signature: x: dtype int32 -> bool (nearest: trace 1)")
		}},
		{"TF-02", "the Go backend has no strings: bool in their place", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				printf(s.out, "tracing with %s\n", x)
				return double(c, x)
			})
			s.counts(f, []int{1, 2, 3, 3},
				with(s, f, function.From(int32(1))),
				with(s, f, function.From(float32(1.1))),
				with(s, f, function.From(true)),
				with(s, f, function.From(false)))
			s.causes("first trace",
				"new signature: x: dtype int32 -> float32 (nearest: trace 1)",
				"new signature: x: dtype float32 -> bool (nearest: trace 2)")
			require.Equal(s, `tracing with Tensor("x:0", shape=(), dtype=int32)
tracing with Tensor("x:0", shape=(), dtype=float32)
tracing with Tensor("x:0", shape=(), dtype=bool)
`, s.out.String())
		}},
		{"TF-03", "", func(s *scenario) {
			var appended []string
			body := func(c *function.Ctx) function.Tensor {
				appended = append(appended, "called")
				return function.From(float32(1))
			}
			f := function.New(s.r, body)
			call := func() { f.Call(s.r.Host()) }
			s.counts(f, []int{1, 1}, call, call)
			require.Len(s, appended, 1)
			body(s.r.Host())
			require.Len(s, appended, 2)
			s.causes("first trace")
		}},
		{"TF-04", "the Go backend has no complex numbers: float32 and float64", func(s *scenario) {
			f := function.New(s.r, double)
			s.counts(f, []int{1, 2},
				with(s, f, f32(1, 1)),
				with(s, f, zeros(dtypes.Float64, 1, 1)))
			s.causes("first trace", "new signature: x: dtype float32 -> float64 (nearest: trace 1)")
		}},
		{"TF-05", "the Go backend has no complex numbers: float32", func(s *scenario) {
			f := function.New(s.r, double)
			s.counts(f, []int{1, 2}, with(s, f, f32(1, 1)), with(s, f, f32(1)))
			s.causes("first trace", "new signature: x: rank 2 -> 1 (nearest: trace 1)")
		}},
		{"TF-07", "", func(s *scenario) {
			f := function.New(s.r, identity)
			s.counts(f, []int{1, 2}, with(s, f, f32(12, 1)), with(s, f, f32(1, 21)))
			s.causes("first trace", "new signature: x: axis 0: 12 -> 1, x: axis 1: 1 -> 21 (nearest: trace 1)")
		}},
		{"TF-09", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, x, y function.Tensor) function.Tensor { return c.Add(x, y) })
			s.counts(f, []int{1, 2, 2},
				with2(s, f, function.From(int32(1)), function.From(int32(2))),
				with2(s, f, function.From([]int32{1, 2}), function.From([]int32{2, 4})),
				with2(s, f, function.From([]int32{333, 2}), function.From([]int32{2, 4444})))
			s.causes("first trace", "new signature: x: rank 0 -> 1, y: rank 0 -> 1 (nearest: trace 1)")
		}},
		{"TF-10", "", func(s *scenario) {
			f := function.New(s.r, double)
			for range 50 {
				f.Call(s.r.Host(), function.From(float32(3)))
				f.Call(s.r.Host(), function.From(float32(4)))
				for _, dims := range [][]int{{1, 2}, {1, 0}, {2, 2}, {3, 2}} {
					f.Call(s.r.Host(), f32(dims...))
				}
			}
			require.Equal(s, 5, f.TraceCount())
			s.causes("first trace",
				"new signature: x: rank 0 -> 2 (nearest: trace 1)",
				"new signature: x: axis 1: 2 -> 0 (nearest: trace 2)",
				"new signature: x: axis 0: 1 -> 2 (nearest: trace 2)",
				"new signature: x: axis 0: 2 -> 3 (nearest: trace 4)")
		}},
		{"TF-12", "", func(s *scenario) {
			f, g := function.New(s.r, double), function.New(s.r, double)
			s.counts(f, []int{1}, with(s, f, function.From(float32(1))))
			s.counts(g, []int{1}, with(s, g, function.From(float32(1))))
			require.Equal(s, 2, s.bodies("double"))
			s.causes("first trace", "same signature as trace 1, of another wrapper")
		}},
	}
}
