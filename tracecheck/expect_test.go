package tracecheck_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

func square(x *et.Node) *et.Node { return x }

func shape(dims ...int) et.Shape { return et.Make(et.Float32, dims...) }

// record returns a recorder that takes enginetest for an engine.
func record(t testing.TB) *harness.Recorder {
	rec := tracecheck.Record(t)
	rec.RegisterEngine("github.com/tracelint/tracelint/internal/enginetest")
	return rec
}

func lined(text ...string) string { return strings.Join(text, "\n") }

func TestExpectedTracesPass(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	ran := 0
	tracecheck.ExpectTraces(fake, rec, 1, func() { exec.Call(shape(3)); ran++ })
	tracecheck.ExpectNoTraces(fake, rec, func() { exec.Call(shape(3)); ran++ })
	tracecheck.ExpectTraces(fake, rec, tracecheck.Counts{"square": 2, "other": 0}, func() {
		exec.Call(shape(4))
		exec.Call(shape(5))
		ran++
	})
	tracecheck.ExpectTraces(fake, rec, tracecheck.Counts(nil), func() { exec.Call(shape(5)); ran++ })
	fake.end()
	require.Equal(t, 4, ran)
	require.Empty(t, fake.errors)
	require.Empty(t, fake.fatals)
	require.Empty(t, fake.logs, "the log of a test that passes is nobody's")
}

func TestMoreTracesThanWanted(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		exec.Call(shape(3))
		exec.Call(shape(4))
	})
	want := lined(
		"want 1 trace, got 2",
		"  trace 1: square(x float32[3])",
		"      first trace",
		"      called at tracecheck/expect_test.go:LINE, took TIME",
		"  trace 2: square(x float32[4])",
		"      new signature: x: axis 0: 3 -> 4 (nearest: trace 1)",
		"      called at tracecheck/expect_test.go:LINE, took TIME",
		"  1 retrace cost TIME of TIME spent tracing",
		"  to trace less:",
		"    square: axis 0 of x had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, or make it dynamic if the engine's backend can",
	)
	require.Empty(t, cmp.Diff([]string{want}, fake.errors))
	require.Empty(t, fake.fatals)
	fake.end()
	require.Empty(t, cmp.Diff([]string{lined(
		"the recorder saw 2 traces",
		"  1 square(x float32[3]): first trace, at tracecheck/expect_test.go:LINE",
		"  2 square(x float32[4]): new signature: x: axis 0: 3 -> 4 (nearest: trace 1), at tracecheck/expect_test.go:LINE",
	)}, fake.logs))
}

func TestFewerTracesThanWanted(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(square)
	tracecheck.ExpectTraces(fake, rec, 2, func() { exec.Call(shape(3)) })
	exec = et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(shape(3))
	tracecheck.ExpectTraces(fake, rec, tracecheck.Counts{"square": 1}, func() { exec.Call(shape(3)) })
	require.Empty(t, cmp.Diff([]string{
		lined(
			"want 2 traces, got 0",
			`the recorder has seen no trace: is the function wrapped with it, as in harness.Wrap(rec, "", f)?`,
		),
		lined(
			"traces by function (-want +got):",
			"  - square  1",
			"  + square  0",
			"no traces",
		),
	}, fake.errors))
}

func TestCountsByFunction(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	inference := et.NewExec(harness.Wrap(rec, "inference", square))
	fun := et.NewExec(harness.Wrap(rec, "fun", func(x *et.Node) *et.Node {
		inference.Call(x.Shape())
		return x
	}))
	block := func() {
		fun.Call(shape(3))
		fun.Call(shape(4))
		inference.Call(shape(5))
	}
	tracecheck.ExpectTraces(fake, rec, tracecheck.Counts{"fun": 2, "inference": 2, "other": 1}, block)
	want := lined(
		"traces by function (-want +got):",
		"    fun        2",
		"  - inference  2",
		"  + inference  3",
		"  - other      1",
		"  + other      0",
		"  trace 1: fun(x float32[3])",
		"      first trace",
		"      called at tracecheck/expect_test.go:LINE, took TIME",
		"    trace 2: inference(x float32[3])",
		"        first trace",
		"        called at tracecheck/expect_test.go:LINE, took TIME",
		"  trace 3: fun(x float32[4])",
		"      new signature: x: axis 0: 3 -> 4 (nearest: trace 1)",
		"      called at tracecheck/expect_test.go:LINE, took TIME",
		"    trace 4: inference(x float32[4])",
		"        new signature: x: axis 0: 3 -> 4 (nearest: trace 2)",
		"        called at tracecheck/expect_test.go:LINE, took TIME",
		"  trace 5: inference(x float32[5])",
		"      new signature: x: axis 0: 4 -> 5 (nearest: trace 4)",
		"      called at tracecheck/expect_test.go:LINE, took TIME",
		"  3 retraces cost TIME of TIME spent tracing",
		"  to trace less:",
		"    inference: axis 0 of x had 3 sizes from 3 to 5: pad it to 8, the power of two that fits, or each size to its own power of two, "+
			"or make it dynamic if the engine's backend can",
		"    fun: axis 0 of x had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, or make it dynamic if the engine's backend can",
	)
	require.Empty(t, cmp.Diff([]string{want}, fake.errors))

	fake.errors = nil
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		fun.Call(shape(6))
		inference.Call(shape(7))
	})
	require.Contains(t, fake.errors[0], lined(
		"want 1 trace, got 3:",
		"    fun        1",
		"    inference  2",
		"  trace 6: fun(x float32[6])",
	))
}

func TestManyTracesAreGroupedByCause(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		for i := range 100 {
			exec.Call(shape(i, 8))
		}
		for range 3 {
			et.NewExec(harness.Wrap(rec, "", square)).Call(shape(7, 8))
		}
	})
	require.Len(t, fake.errors, 1)
	require.Contains(t, fake.errors[0], "trace 5:")
	require.NotContains(t, fake.errors[0], "trace 6:")
	require.Contains(t, fake.errors[0], lined(
		"  and 98 more:",
		"    95 of square: new signature: x: axis 0 (took TIME)",
		"    3 of square: same signature (took TIME)",
		"  102 retraces cost TIME of TIME spent tracing",
		"  to trace less:",
		"    square: axis 0 of x had 100 sizes from 0 to 99: pad it to 128, the power of two that fits, or each size to its own power of two, "+
			"or make it dynamic if the engine's backend can",
		"    square: if the wrapper is built anew at each call, or by a run-once helper, build one and keep it",
	))
	require.Less(t, strings.Count(fake.errors[0], "\n"), 25)
	fake.end()
	require.Contains(t, fake.logs[0], lined(
		"  and 83 more:",
		"    80 of square: new signature: x: axis 0 (took TIME)",
		"    3 of square: same signature (took TIME)",
	))
}

func TestOutcomesAndWrappersAreShown(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	wrapper := rec.NewWrapper("*enginetest.Exec")
	info := harness.Info{Function: harness.Function{Name: "f"}, Wrapper: wrapper}
	tracecheck.ExpectNoTraces(fake, rec, func() {
		rec.Start(info).End(harness.Failed(errors.New("no such layer\nat all")))
		rec.Start(info)
	})
	require.Empty(t, cmp.Diff([]string{lined(
		"want 0 traces, got 2",
		"  trace 1: f(?)",
		"      first trace",
		"      called at tracecheck/expect_test.go:LINE through *enginetest.Exec built at tracecheck/expect_test.go:LINE, "+
			"returned an error: no such layer after TIME",
		"  trace 2: f(?)",
		"      unknown cause: the arguments are unknown",
		"      called at tracecheck/expect_test.go:LINE through *enginetest.Exec built at tracecheck/expect_test.go:LINE, still running",
		"  1 retrace cost TIME of TIME spent tracing",
	)}, fake.errors))
}

func TestNamesThatNeedTheirPackage(t *testing.T) {
	run := func(want tracecheck.Counts) *recordingT {
		fake := &recordingT{}
		rec := record(fake)
		tracecheck.ExpectTraces(fake, rec, want, func() {
			for _, pkg := range []string{"example.com/a", "example.com/b"} {
				rec.Start(harness.Info{Function: harness.Function{Package: pkg, Name: "square"}}).End(harness.Returned())
			}
			harness.Wrap(rec, "", square)(nil)
			rec.Start(harness.Info{Function: harness.Function{Package: "example.com/a", Name: "cube"}}).End(harness.Returned())
		})
		return fake
	}
	own := "github.com/tracelint/tracelint/tracecheck_test.square"
	require.Empty(t, run(tracecheck.Counts{
		"example.com/a.square": 1, "example.com/b.square": 1, own: 1, "cube": 1,
	}).errors)
	require.Empty(t, run(tracecheck.Counts{
		"example.com/a.square": 1, "example.com/b.square": 1, own: 1, "example.com/a.cube": 1,
	}).errors)

	failure := func(want tracecheck.Counts) string {
		t.Helper()
		fake := run(want)
		require.Len(t, fake.errors, 1)
		first, _, _ := strings.Cut(fake.errors[0], "\n")
		return first
	}
	require.Equal(t, `"square" names 3 functions; count each with its package: `+
		"example.com/a.square, example.com/b.square, "+own, failure(tracecheck.Counts{"square": 3}))
	require.Equal(t, `"cube" is counted twice, with and without its package`,
		failure(tracecheck.Counts{"cube": 1, "example.com/a.cube": 1}))
}

func TestTracesBelongToTheBlockInWhichTheyStart(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	var all sync.WaitGroup
	started, release := make(chan struct{}), make(chan struct{})
	slow := et.NewExec(harness.Wrap(rec, "slow", func(x *et.Node) *et.Node {
		close(started)
		<-release
		return x
	}))
	exec := et.NewExec(harness.Wrap(rec, "", square))
	tracecheck.ExpectTraces(fake, rec, 3, func() {
		exec.Call(shape(1))
		tracecheck.ExpectTraces(fake, rec, tracecheck.Counts{"square": 1, "slow": 1}, func() {
			all.Go(func() { slow.Call(shape(1)) })
			<-started
			exec.Call(shape(2))
		})
	})
	tracecheck.ExpectNoTraces(fake, rec, func() {
		close(release)
		all.Wait()
	})
	require.Empty(t, fake.errors)
}

func TestBlockThatDoesNotReturnIsNotJudged(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	require.PanicsWithValue(t, "no", func() {
		tracecheck.ExpectTraces(fake, rec, 7, func() { exec.Call(shape(3)); panic("no") })
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		tracecheck.ExpectTraces(fake, rec, 7, func() { exec.Call(shape(4)); runtime.Goexit() })
	}()
	<-done
	require.Empty(t, fake.errors)
	tracecheck.ExpectTraces(fake, rec, 1, func() { exec.Call(shape(5)) })
	require.Empty(t, fake.errors)
}

func TestBadInput(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	ran := func() { t.Error("the block ran") }
	tracecheck.ExpectTraces(fake, nil, 1, ran)
	tracecheck.ExpectTraces(fake, rec, 1, nil)
	tracecheck.ExpectTraces(fake, rec, -1, ran)
	tracecheck.ExpectTraces(fake, rec, tracecheck.Counts{"f": -2}, ran)
	tracecheck.ExpectNoTraces(fake, nil, ran)
	require.Empty(t, cmp.Diff([]string{
		"tracecheck.ExpectTraces: the recorder is nil; make one with tracecheck.Record",
		"tracecheck.ExpectTraces: the block is nil; give the code that traces",
		"tracecheck.ExpectTraces: want -1: a number of traces cannot be negative",
		`tracecheck.ExpectTraces: want -2 of "f": a number of traces cannot be negative`,
		"tracecheck.ExpectNoTraces: the recorder is nil; make one with tracecheck.Record",
	}, fake.fatals))
	require.Empty(t, fake.errors)
}

// The log of a test that panics is printed however deep the stack is on which
// its cleanups run.
func TestPanicIsSeenBelowADeepStack(t *testing.T) {
	for _, depth := range []int{0, 50, 60, 70, 130, 500} {
		fake := &recordingT{}
		record(fake)
		require.PanicsWithValue(t, "no", func() {
			defer func() { deep(depth, fake.end) }()
			panic("no")
		})
		require.Len(t, fake.logs, 1, "depth %d", depth)
	}
	fake := &recordingT{}
	record(fake)
	deep(200, fake.end)
	require.Empty(t, fake.logs)
}

//go:noinline
func deep(depth int, f func()) {
	if depth == 0 {
		f()
		return
	}
	deep(depth-1, f)
}
