package function_test

import (
	"io"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

const goroutines = 100

func TestFirstCallThatMakesStateFromManyGoroutines(t *testing.T) {
	s := newScenario(t)
	m := &counter{}
	f := function.New(s.r, m.count)
	var calls sync.WaitGroup
	for range goroutines {
		calls.Go(func() { f.Call(s.r.Host()) })
	}
	calls.Wait()
	require.Equal(t, []int{2, 2}, []int{m.traces, f.TraceCount()})
	// Each call holds the variable's lock from its read to its write.
	require.Equal(t, int32(goroutines), m.v.Read(s.r.Host()).Value())
	s.causes("first trace", stateMade("count", m.v))
}

func TestMutualCallsDoNotDeadlock(t *testing.T) {
	for range 20 {
		r := newRuntime(t, harness.NewRecorder(), io.Discard)
		type literalBody = func(*function.Ctx, int) function.Tensor
		var a, b *function.Func[literalBody]
		next := func(f **function.Func[literalBody]) literalBody {
			return func(c *function.Ctx, n int) function.Tensor {
				if n == 0 {
					return function.From(int32(0))
				}
				return c.Add((*f).Call(c, n-1), function.From(int32(1)))
			}
		}
		a = function.New(r, next(&b), function.WithName("a"))
		b = function.New(r, next(&a), function.WithName("b"))
		var calls sync.WaitGroup
		for i := range 8 {
			f := a
			if i%2 == 1 {
				f = b
			}
			calls.Go(func() {
				if got := f.Call(r.Host(), 6).Value(); got != int32(6) {
					t.Errorf("got %v", got)
				}
			})
		}
		calls.Wait()
		require.Equal(t, 14, a.TraceCount()+b.TraceCount(), "7 numbers for each of the two")
	}
}

// Calls that assign the same two variables in other orders wait for each other,
// never in a circle, and lose no update.
func TestCallsHoldTheLocksOfWhatTheyAssign(t *testing.T) {
	s := newScenario(t)
	x := s.r.Host().Variable("x", function.Value(int64(0)))
	y := s.r.Host().Variable("y", function.Value(int64(0)))
	move := function.New(s.r, func(c *function.Ctx, from, to *function.Variable) function.Tensor {
		one := function.From(int64(1))
		from.Assign(c, c.Sub(from.Read(c), one))
		return to.AssignAdd(c, one)
	})
	var calls sync.WaitGroup
	for i := range goroutines {
		calls.Go(func() {
			if i%4 == 0 {
				move.Call(s.r.Host(), y, x)
			} else {
				move.Call(s.r.Host(), x, y)
			}
		})
	}
	calls.Wait()
	require.Equal(t, int64(-50), x.Read(s.r.Host()).Value())
	require.Equal(t, int64(50), y.Read(s.r.Host()).Value())
	require.Equal(t, 1, move.TraceCount())
}

func TestABodyThatDoesNotReturnLeavesNoLock(t *testing.T) {
	s := newScenario(t)
	leave := func() { runtime.Goexit() }
	f := function.New(s.r, func(_ *function.Ctx, x function.Tensor) function.Tensor {
		leave()
		return x
	})
	var calls sync.WaitGroup
	calls.Go(with(s, f, f32(2)))
	calls.Wait()
	require.Equal(t, harness.OutcomeGoexit, s.rec.Traces()[0].Outcome.Kind)

	leave = func() { panic("text") }
	require.PanicsWithValue(t, "text", with(s, f, f32(2)), "a panic that is no error passes unchanged")
	require.Equal(t, harness.OutcomePanic, s.rec.Traces()[1].Outcome.Kind)

	leave = func() {}
	s.counts(f, []int{1}, with(s, f, f32(2)))
}

func TestHostContextInsideATraceIsRefused(t *testing.T) {
	s := newScenario(t)
	inner := function.New(s.r, double, function.WithName("inner"))
	outer := function.New(s.r, func(_ *function.Ctx, x function.Tensor) function.Tensor {
		inner.Call(s.r.Host(), function.From(float32(1)))
		return x
	}, function.WithName("outer"))
	err := function.Try(with(s, outer, f32(2)))
	require.ErrorIs(t, err, function.ErrHostInTrace)
	require.EqualError(t, err, `function "outer": function "inner": the context of host code is used inside a trace: pass on the body's context, or its Host() to run things at trace time`)

	frozen := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		return c.Add(x, inner.Call(c.Host(), function.From(float32(1))))
	})
	require.Equal(t, float32(3), frozen.Call(s.r.Host(), function.From(float32(1))).Value())
	require.Equal(t, 1, inner.TraceCount())
}
