package harness_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

type model struct{ calls int }

func (m *model) Inference(x *et.Node) *et.Node { m.calls++; return x }

func variadic(first int, rest ...string) int { return first + len(rest) }

func generic[T any](x T) T { return x }

type graphFn func(*et.Node) *et.Node

func TestNameOfWrappedFunction(t *testing.T) {
	m := &model{}
	literal := func(x *et.Node) *et.Node { return x }
	tests := []struct {
		call func(rec *harness.Recorder)
		want string
	}{
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", identity)(nil) }, "identity"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "chosen", identity)(nil) }, "chosen"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", m.Inference)(nil) }, "(*model).Inference"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", (*model).Inference)(m, nil) }, "(*model).Inference"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", literal)(nil) }, "TestNameOfWrappedFunction.func1"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", generic[int])(1) }, "generic[...]"},
		{func(rec *harness.Recorder) { harness.Wrap(rec, "", graphFn(identity))(nil) }, "identity"},
	}
	for _, test := range tests {
		rec := harness.NewRecorder()
		test.call(rec)
		f := rec.Traces()[0].Function
		require.Equal(t, test.want, rec.NameOf(f))
		if test.want != "chosen" {
			require.Equal(t, "github.com/tracelint/tracelint/harness_test", f.Package)
		}
	}
}

// Functions without names are functions of their own all the same.
func TestNamelessFunctionsAreToldApart(t *testing.T) {
	rec := harness.NewRecorder()
	made := func() func(*et.Node) *et.Node { return harness.Wrap(harness.NewRecorder(), "", identity) }
	a, b := harness.Wrap(rec, "", made()), harness.Wrap(rec, "", made())
	a(nil)
	b(nil)
	a(nil)
	for range 2 {
		w := rec.NewWrapper("w")
		harness.WrapFunc(rec, made(), func([]any) harness.Info { return harness.Info{Wrapper: w, Function: harness.FunctionOf(made())} })(nil)
	}
	rec.Start(harness.Info{Function: harness.Function{Package: "example.com/m"}}).End(harness.Returned())
	var names []string
	for _, trace := range rec.Traces() {
		names = append(names, trace.Function.String())
	}
	require.Equal(t, []string{"unnamed 1", "unnamed 2", "unnamed 1", "unnamed (wrapper 1)", "unnamed (wrapper 2)", "unnamed"}, names)
}

func TestWrapKeepsArgumentsAndResults(t *testing.T) {
	rec := harness.NewRecorder()
	m := &model{}
	x := et.NewNode(et.Float32, 3)

	require.Same(t, x, harness.Wrap(rec, "", m.Inference)(x))
	require.Equal(t, 1, m.calls)

	f := harness.Wrap(rec, "", variadic)
	require.Equal(t, 1, f(1))
	require.Equal(t, 3, f(1, "a", "b"))
	require.Equal(t, 3, f(1, []string{"a", "b"}...))

	named := harness.Wrap(rec, "", graphFn(identity))
	require.IsType(t, graphFn(nil), named)

	var untyped any = identity
	require.Same(t, x, harness.Wrap(rec, "", untyped).(func(*et.Node) *et.Node)(x))

	for _, trace := range rec.Traces() {
		require.Equal(t, harness.Returned(), trace.Outcome)
		require.Positive(t, trace.Duration)
	}
}

func TestWrapRefusesWhatIsNoFunction(t *testing.T) {
	rec := harness.NewRecorder()
	refused := func(want string, f func()) {
		t.Helper()
		require.PanicsWithValue(t, want, f)
	}
	refused("harness.Wrap: the function is nil; give the function to trace", func() { harness.Wrap[func()](rec, "", nil) })
	refused("harness.Wrap: the function is nil; give the function to trace", func() { harness.Wrap[any](rec, "", nil) })
	refused("harness.Wrap: int is not a function; give the function to trace", func() { harness.Wrap(rec, "", 3) })
	refused("harness.Wrap: the recorder is nil; make one with harness.NewRecorder or tracecheck.Record",
		func() { harness.Wrap(nil, "", identity) })
	refused("harness.WrapFunc: info is nil; use harness.Wrap if there is nothing to add",
		func() { harness.WrapFunc(rec, identity, nil) })
	require.Empty(t, rec.Traces())
}

func TestPanicPassesUnchanged(t *testing.T) {
	rec := harness.NewRecorder()
	err := errors.New("no such layer")
	for _, value := range []any{err, "text", 3, rec} {
		f := harness.Wrap(rec, "", func() { panic(value) })
		require.PanicsWithValue(t, value, func() { f() })
	}
	var runtimeError runtime.Error
	func() {
		defer func() { runtimeError = recover().(runtime.Error) }()
		harness.Wrap(rec, "", func(s []int) int { return s[3] })(nil)
	}()
	traces := rec.Traces()
	require.Equal(t, harness.Outcome{Kind: harness.OutcomePanic, Text: "no such layer"}, traces[0].Outcome)
	require.Equal(t, harness.Outcome{Kind: harness.OutcomePanic, Text: "text"}, traces[1].Outcome)
	require.Equal(t, harness.Outcome{Kind: harness.OutcomePanic, Text: runtimeError.Error()}, traces[4].Outcome)
}

// Programs whose go.mod says go 1.20 or less have panicnil=1.
func TestPanicOfNilPassesUnchanged(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "", func() { panic(nil) })
	returned := false
	func() {
		defer func() { _ = recover() }()
		f()
		returned = true
	}()
	require.False(t, returned)
	require.Equal(t, harness.OutcomePanic, rec.Traces()[0].Outcome.Kind)
}

func TestGoexitIsNoPanicAndNoReturn(t *testing.T) {
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "", func() { runtime.Goexit() })
	var returned bool
	var recovered any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { recovered = recover() }()
		f()
		returned = true
	}()
	<-done
	require.False(t, returned)
	require.Nil(t, recovered)
	require.Equal(t, harness.Exited(), rec.Traces()[0].Outcome)
}

func TestErrorResultIsAFailure(t *testing.T) {
	rec := harness.NewRecorder()
	err := errors.New("no such layer")
	f := harness.Wrap(rec, "", func(fail bool) (int, error) {
		if fail {
			return 0, err
		}
		return 1, nil
	})
	_, got := f(true)
	require.Same(t, err, got)
	_, got = f(false)
	require.NoError(t, got)
	traces := rec.Traces()
	require.Equal(t, harness.Failed(err), traces[0].Outcome)
	require.True(t, traces[0].Outcome.Failed())
	require.Equal(t, harness.Returned(), traces[1].Outcome)
	require.False(t, traces[1].Outcome.Failed())
}

func TestWrapFuncAddsWhatAnAdapterKnows(t *testing.T) {
	rec := harness.NewRecorder()
	wrapper := rec.NewWrapper("*enginetest.Exec")
	mode := "train"
	f := harness.WrapFunc(rec, identity, func(args []any) harness.Info {
		context := harness.Arg{Name: "mode", Kind: harness.Context, Value: mode}
		return harness.Info{Wrapper: wrapper, Args: append(harness.Signature{context}, harness.SignatureOf(args...)...)}
	})
	f(et.NewNode(et.Float32, 3))
	mode = "eval"
	f(et.NewNode(et.Float32, 4))

	traces := rec.Traces()
	require.Equal(t, "identity", traces[0].Function.Name)
	require.Equal(t, wrapper, traces[0].Wrapper)
	require.Equal(t,
		"new signature: mode: train -> eval, x: axis 0: 3 -> 4 (nearest: trace 1, of the same wrapper)",
		traces[1].Cause.String())
}
