package harness_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

func causes(rec *harness.Recorder) []string {
	var texts []string
	for _, t := range rec.Traces() {
		texts = append(texts, t.Cause.String())
	}
	return texts
}

func TestCausesOfWrappedFunction(t *testing.T) {
	shape := func(dims ...int) et.Shape { return et.Make(et.Float32, dims...) }
	tests := []struct {
		name string
		run  func(f func(*et.Node) *et.Node)
		want []string
	}{
		{"hits have no trace", func(f func(*et.Node) *et.Node) {
			exec := et.NewExec(f)
			exec.Call(shape(3))
			exec.Call(shape(3))
		}, []string{"first trace"}},
		{"new signatures are compared with the nearest", func(f func(*et.Node) *et.Node) {
			exec := et.NewExec(f)
			exec.Call(shape(3, 8))
			exec.Call(shape(4, 8))
			exec.Call(shape(5, 9))
			exec.Call(shape(4, 9))
			exec.Call(et.Make(et.Int64, 3, 8))
			exec.Call(shape(3))
		}, []string{
			"first trace",
			"new signature: x: axis 0: 3 -> 4 (nearest: trace 1)",
			"new signature: x: axis 0: 4 -> 5, x: axis 1: 8 -> 9 (nearest: trace 2)",
			"new signature: x: axis 0: 5 -> 4 (nearest: trace 3)",
			"new signature: x: dtype float32 -> int64 (nearest: trace 1)",
			"new signature: x: rank 2 -> 1 (nearest: trace 4)",
		}},
		{"the wrapper may be another one or have lost the trace", func(f func(*et.Node) *et.Node) {
			et.NewExec(f).Call(shape(3))
			exec := et.NewExec(f)
			exec.Call(shape(3))
			exec.Clear()
			exec.Call(shape(3))
		}, []string{
			"first trace",
			"same signature as trace 1: by another wrapper, by a further call in one trace, or after the cache lost it",
			"same signature as trace 2: by another wrapper, by a further call in one trace, or after the cache lost it",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rec := harness.NewRecorder()
			test.run(harness.Wrap(rec, "", identity))
			require.Empty(t, cmp.Diff(test.want, causes(rec)))
		})
	}
}

// trace starts and ends a trace of f.
func trace(rec *harness.Recorder, w harness.Wrapper, args harness.Signature, outcome harness.Outcome) {
	rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Wrapper: w, Args: args}).End(outcome)
}

func TestCausesWithKnownWrappers(t *testing.T) {
	args := harness.SignatureOf(et.NewNode(et.Float32, 3))
	other := harness.SignatureOf(et.NewNode(et.Float32, 4))
	rec := harness.NewRecorder()
	a, b := rec.NewWrapper("a"), rec.NewWrapper("b")
	require.NotEqual(t, a.ID, b.ID)

	trace(rec, a, args, harness.Returned())
	trace(rec, b, args, harness.Returned())
	trace(rec, a, args, harness.Returned())
	trace(rec, b, other, harness.Returned())
	trace(rec, harness.Wrapper{}, args, harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"first trace",
		"same signature as trace 1, of another wrapper",
		"same signature as trace 1, of the same wrapper: its cache lost the trace, or the call failed after it",
		"new signature: arg 0: axis 0: 3 -> 4 (nearest: trace 1, of another wrapper)",
		"same signature as trace 3: by another wrapper, by a further call in one trace, or after the cache lost it",
	}, causes(rec)))
}

func TestCauseAfterFailure(t *testing.T) {
	args := harness.SignatureOf(et.NewNode(et.Float32, 3))
	for _, failure := range []harness.Outcome{
		harness.Failed(errors.New("no")), harness.Panicked("no"), harness.Exited(),
	} {
		rec := harness.NewRecorder()
		a, b := rec.NewWrapper("a"), rec.NewWrapper("b")
		trace(rec, a, args, failure)
		trace(rec, a, args, harness.Returned())
		trace(rec, a, args, harness.Returned())
		trace(rec, b, args, failure)
		trace(rec, a, args, harness.Returned())
		require.Empty(t, cmp.Diff([]string{
			"first trace",
			"retrace after a failure of trace 1, of the same wrapper",
			"same signature as trace 2, of the same wrapper: its cache lost the trace, or the call failed after it",
			"same signature as trace 3, of another wrapper",
			"same signature as trace 3, of the same wrapper: its cache lost the trace, or the call failed after it",
		}, causes(rec)))
	}

	rec := harness.NewRecorder()
	fail := true
	exec := et.NewExec(harness.Wrap(rec, "", func(x *et.Node) *et.Node {
		if fail {
			panic("no")
		}
		return x
	}))
	require.EqualError(t, exec.TryCall(et.Make(et.Float32, 3)), "trace failed: no")
	fail = false
	exec.Call(et.Make(et.Float32, 3))
	require.Empty(t, cmp.Diff([]string{"first trace", "retrace after a failure of trace 1"}, causes(rec)))
}

func TestCauseOfTraceInsideOneOfTheSameSignature(t *testing.T) {
	rec := harness.NewRecorder()
	a := rec.NewWrapper("a")
	info := harness.Info{Function: harness.Function{Name: "f"}, Wrapper: a, Args: harness.Signature{}}
	outer := rec.Start(info)
	rec.Start(info).End(harness.Returned())
	outer.End(harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"first trace",
		"same signature as trace 1, of the same wrapper: that trace was still running",
	}, causes(rec)))
}

func TestCauseWithoutArgumentsIsUnknown(t *testing.T) {
	rec := harness.NewRecorder()
	trace(rec, harness.Wrapper{}, nil, harness.Returned())
	trace(rec, harness.Wrapper{}, nil, harness.Returned())
	trace(rec, harness.Wrapper{}, harness.Signature{}, harness.Returned())
	trace(rec, harness.Wrapper{}, harness.Signature{}, harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"first trace",
		"unknown cause: the arguments are unknown",
		"unknown cause: the arguments of the earlier traces are unknown",
		"same signature as trace 3: by another wrapper, by a further call in one trace, or after the cache lost it",
	}, causes(rec)))
}

func TestAdapterSaysWhyATraceIsLost(t *testing.T) {
	rec := harness.NewRecorder()
	lost := func(w harness.Wrapper, args harness.Signature, why string, outcome harness.Outcome) {
		rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Wrapper: w, Args: args, Lost: why}).End(outcome)
	}
	a, b := rec.NewWrapper("a"), rec.NewWrapper("b")
	args := harness.SignatureOf(et.NewNode(et.Float32, 3))
	lost(a, args, "Finalize emptied it", harness.Returned())
	lost(a, args, "Finalize emptied it", harness.Returned())
	lost(b, args, "the trainer was reset", harness.Returned())
	lost(b, harness.SignatureOf(et.NewNode(et.Float32, 4)), "the trainer was reset", harness.Panicked("no"))
	lost(b, harness.SignatureOf(et.NewNode(et.Float32, 4)), "the trainer was reset", harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"first trace",
		"same signature as trace 1, of the same wrapper: Finalize emptied it",
		"same signature as trace 2, of another wrapper: the trainer was reset",
		"new signature: arg 0: axis 0: 3 -> 4 (nearest: trace 1, of another wrapper)",
		"retrace after a failure of trace 4, of the same wrapper",
	}, causes(rec)))
}

func TestEngineSaysTheCause(t *testing.T) {
	rec := harness.NewRecorder()
	info := harness.Info{Function: harness.Function{Name: "inference"}, Args: harness.Signature{}}
	first := rec.Start(info)
	first.End(harness.Returned())
	info.Cause = &harness.Cause{Kind: harness.CauseState, Earlier: first.ID(), Detail: "variable w"}
	rec.Start(info).End(harness.Returned())
	info.Cause = nil
	rec.Start(info).End(harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"first trace",
		"second trace of a first call, because state was made: variable w",
		"same signature as trace 2: by another wrapper, by a further call in one trace, or after the cache lost it",
	}, causes(rec)))
	require.Equal(t, []bool{false, true, true},
		[]bool{rec.Traces()[0].Retrace, rec.Traces()[1].Retrace, rec.Traces()[2].Retrace})
}

// The nearest signature is looked for among the latest ones only, so that many
// of them do not slow the next trace down, and the cause says so, unless none
// can be nearer.
func TestNearestSignatureAmongMany(t *testing.T) {
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "", identity)
	f(et.NewNode(et.Float32, 0, 0, 0))
	for i := range 3000 {
		f(et.NewNode(et.Int64, i+1, i+1, i+1))
	}
	f(et.NewNode(et.Float32, 0, 5000, 5000))
	f(et.NewNode(et.Int64, 3000, 3000, 6000))
	f(et.NewNode(et.Int64, 7, 7, 7))
	traces := rec.Traces()[3001:]
	require.Equal(t, 410, traces[0].Cause.Among, "5 steps each")
	require.Equal(t, "new signature: x: dtype int64 -> float32, x: axis 0: 3000 -> 0, x: axis 1: 3000 -> 5000, "+
		"x: axis 2: 3000 -> 5000 (nearest of the latest 410: trace 3001)", traces[0].Cause.String())
	require.Equal(t, "new signature: x: axis 2: 3000 -> 6000 (nearest: trace 3001)", traces[1].Cause.String())
	require.Equal(t, harness.CauseSameSignature, traces[2].Cause.Kind)
	require.Equal(t, 8, traces[2].Cause.Earlier)
}

// A signature that is larger than what may be looked at is compared with one.
func TestNearestOfLargeSignatures(t *testing.T) {
	rec := harness.NewRecorder()
	signature := func(n int) harness.Signature {
		s := make(harness.Signature, 80)
		for i := range s {
			s[i] = harness.Arg{Kind: harness.Tensor, Type: "f", Dims: []int{n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n}}
		}
		return s
	}
	for n := range 3 {
		trace(rec, harness.Wrapper{}, signature(n), harness.Returned())
	}
	cause := rec.Traces()[2].Cause
	require.Len(t, cause.Differences, 16)
	require.Equal(t, 80*30-16, cause.More)
	require.Equal(t, "new signature: arg 0: axis 0: 1 -> 2, ", cause.String()[:38])
	require.Equal(t, ", and 2384 more (compared with the latest: trace 2)", cause.String()[len(cause.String())-51:])
}

func TestSignaturesAreNotConfused(t *testing.T) {
	rec := harness.NewRecorder()
	signatures := []harness.Signature{
		{},
		{{Kind: harness.Literal, Type: "string", Value: `"a"`}, {Kind: harness.Literal, Type: "string", Value: `"b"`}},
		{{Kind: harness.Literal, Type: "string", Value: `"a""b"`}},
		{{Kind: harness.Tensor, Type: "float32", Dims: []int{1, 21}}},
		{{Kind: harness.Tensor, Type: "float32", Dims: []int{12, 1}}},
		{{Kind: harness.Tensor, Type: "float32", Dims: []int{12, 1}, Value: "shared"}},
		{{Kind: harness.Structure, Elems: []harness.Arg{{Kind: harness.Tensor}, {Kind: harness.Tensor}}}},
		{{Kind: harness.Structure, Elems: []harness.Arg{{Kind: harness.Tensor}}}, {Kind: harness.Tensor}},
		{{Kind: harness.Structure}, {Kind: harness.Tensor}, {Kind: harness.Tensor}},
	}
	for _, s := range signatures {
		trace(rec, harness.Wrapper{}, s, harness.Returned())
	}
	for i, trace := range rec.Traces()[1:] {
		require.Equal(t, harness.CauseNewSignature, trace.Cause.Kind, "signature %d", i+1)
		require.NotEmpty(t, trace.Cause.Differences, "signature %d", i+1)
	}
}

func TestGoexitInsideEngineIsAFailure(t *testing.T) {
	rec := harness.NewRecorder()
	exec := et.NewExec(harness.Wrap(rec, "", func(x *et.Node) *et.Node {
		if rec.LastID() == 1 {
			runtime.Goexit()
		}
		return x
	}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		exec.Call(et.Make(et.Float32, 3))
	}()
	<-done
	exec.Call(et.Make(et.Float32, 3))
	require.Empty(t, cmp.Diff([]string{"first trace", "retrace after a failure of trace 1"}, causes(rec)))
}
