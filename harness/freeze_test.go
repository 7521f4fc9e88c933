package harness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

func TestFreezeReportsTracesAsTheyStart(t *testing.T) {
	rec := harness.NewRecorder()
	var events []string
	exec := et.NewExec(harness.Wrap(rec, "", func(x *et.Node) *et.Node {
		events = append(events, "body")
		return x
	}))
	exec.Call(et.Make(et.Float32, 3))
	lift := rec.Freeze(func(trace harness.Trace) {
		events = append(events, trace.Cause.String()+", "+trace.Outcome.String())
	})
	exec.Call(et.Make(et.Float32, 3))
	exec.Call(et.Make(et.Float32, 4))
	lift()
	lift()
	exec.Call(et.Make(et.Float32, 5))
	require.Empty(t, cmp.Diff([]string{
		"body",
		"new signature: x: axis 0: 3 -> 4 (nearest: trace 1), still running", "body",
		"body",
	}, events))
}

func TestFreezesNest(t *testing.T) {
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "", identity)
	outer, inner := 0, 0
	liftOuter := rec.Freeze(func(harness.Trace) { outer++ })
	liftInner := rec.Freeze(func(harness.Trace) { inner++ })
	f(nil)
	liftInner()
	f(nil)
	liftOuter()
	f(nil)
	require.Equal(t, []int{2, 1}, []int{outer, inner})
}

func TestTraceOfID(t *testing.T) {
	rec := harness.NewRecorder()
	harness.Wrap(rec, "f", identity)(nil)
	trace, ok := rec.Trace(1)
	require.True(t, ok)
	require.Equal(t, "f", trace.Function.Name)
	for _, id := range []int{-1, 0, 2} {
		_, ok := rec.Trace(id)
		require.False(t, ok)
	}
}

func TestParameterNames(t *testing.T) {
	rec := harness.NewRecorder()
	require.Equal(t, []string{"x"}, rec.ParameterNames(identity))
	require.Nil(t, rec.ParameterNames(nil))
	require.Nil(t, rec.ParameterNames(3))
	require.Nil(t, rec.ParameterNames((func())(nil)))
	require.Nil(t, rec.ParameterNames(harness.Wrap(rec, "", identity)), "package reflect made it")
}

// An adapter's own names stay, contexts are no arguments, and where the adapter
// describes other arguments than the function has, there are no names.
func TestArgumentsAreNamedAfterParameters(t *testing.T) {
	rec := harness.NewRecorder()
	tensor := harness.Arg{Kind: harness.Tensor, Type: "float32"}
	mode := harness.Arg{Name: "mode", Kind: harness.Context, Value: "train"}
	args := harness.Signature{tensor, mode, {Name: "second", Kind: harness.Tensor, Type: "float32"}}
	f := harness.WrapFunc(rec, func(x, y int) {}, func([]any) harness.Info { return harness.Info{Args: args} })
	f(1, 2)
	args = args[:2]
	f(1, 2)
	require.Equal(t, "x float32[], mode train, second float32[]", rec.Traces()[0].Args.String())
	require.Equal(t, "float32[], mode train", rec.Traces()[1].Args.String())
	require.Empty(t, args[0].Name, "the adapter's signature is its own")
}
