package function_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// A function keeps a number of traces. The oldest goes, and a later call for it
// says that it was evicted.
func TestOldestTraceIsEvicted(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Neg(x) },
		function.WithMaxTraces(2), function.WithName("f"))
	s.counts(f, []int{1, 2, 2, 2, 2, 2}, with(s, f, f32(1)), with(s, f, f32(2)), with(s, f, f32(3)), with(s, f, f32(2)), with(s, f, f32(1)), with(s, f, f32(4)))
	require.Equal(t, 3, f.Evicted())
	require.Equal(t, []string{"x float32[1]", "x float32[4]"}, []string{f.Signatures()[0].String(), f.Signatures()[1].String()})
	s.causes("first trace",
		"new signature: x: axis 0: 1 -> 2 (nearest: trace 1)",
		"new signature: x: axis 0: 2 -> 3 (nearest: trace 2)",
		"same signature as trace 1: its trace was evicted",
		"new signature: x: axis 0: 3 -> 4 (nearest: trace 3)")

	_, err := function.TryNew(s.r, func(c *function.Ctx) {}, function.WithMaxTraces(0), function.WithName("none"))
	require.EqualError(t, err, `function "none": WithMaxTraces(0) leaves no room for a trace, want 1 or more`)
}

func TestTracesAreBoundedUnlessAskedOtherwise(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(_ *function.Ctx, n int) function.Tensor { return function.From(int32(n)) })
	for n := range 300 {
		require.Equal(t, int32(n), f.Call(s.r.Host(), n).Value())
	}
	require.Equal(t, []int{256, 44}, []int{f.TraceCount(), f.Evicted()})
}

// A trace for an object that is gone is dropped, before one that a call may need.
func TestTracesOfDeadObjectsAreDropped(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, flavorOf, function.WithMaxTraces(10))
	kept := &fruit{flavor: 1}
	f.Call(s.r.Host(), kept)
	for range 5 {
		for i := range 5 {
			f.Call(s.r.Host(), &fruit{flavor: float32(i)})
		}
		runtime.GC()
	}
	f.Call(s.r.Host(), &fruit{flavor: 3})
	require.Equal(t, []int{2, 0}, []int{f.TraceCount(), f.Evicted()})
	require.Equal(t, float32(1), f.Call(s.r.Host(), kept).Value())
	require.Len(t, s.rec.Traces(), 27, "the trace for the object that is still there serves it")
	runtime.KeepAlive(kept)
}
