package tracecheck_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

// firstLines returns the first line of each text.
func firstLines(texts []string) []string {
	var lines []string
	for _, text := range texts {
		line, _, _ := strings.Cut(text, "\n")
		lines = append(lines, line)
	}
	return lines
}

func TestExpectMaxTraces(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	f, g := harness.Wrap(rec, "f", square), harness.Wrap(rec, "g", square)
	once := func() { f(nil); g(nil) }
	tracecheck.ExpectMaxTraces(fake, rec, 2, once)
	tracecheck.ExpectMaxTraces(fake, rec, 3, once)
	tracecheck.ExpectMaxTraces(fake, rec, tracecheck.Counts{"f": 1, "g": 7, "h": 1}, once)
	require.Empty(t, fake.errors)

	tracecheck.ExpectMaxTraces(fake, rec, 1, once)
	tracecheck.ExpectMaxTraces(fake, rec, tracecheck.Counts{"f": 5, "h": 2}, once)
	require.Contains(t, fake.errors[0], lined(
		"want at most 1 trace, got 2:",
		"    f  1",
		"    g  1",
		"  trace 7: f(x nil)",
	))
	require.Contains(t, fake.errors[1], lined(
		"traces by function (-want at most +got):",
		"    f  1",
		"  - g  0",
		"  + g  1",
		"    h  0",
		"  trace 9: f(x nil)",
	))
	tracecheck.ExpectMaxTraces(fake, rec, -1, once)
	tracecheck.ExpectMaxTraces(fake, nil, 1, once)
	require.Equal(t, []string{
		"tracecheck.ExpectMaxTraces: want -1: a number of traces cannot be negative",
		"tracecheck.ExpectMaxTraces: the recorder is nil; make one with tracecheck.Record",
	}, fake.fatals)
}

func TestExpectCause(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	next := 2
	grow := func() { next++; exec.Call(shape(next)) }
	tracecheck.ExpectCause(fake, rec, harness.CauseFirst, grow)
	tracecheck.ExpectCause(fake, rec, harness.CauseNewSignature, grow)
	tracecheck.ExpectCause(fake, rec, "x: axis 0: 4 -> 5", grow)
	require.Empty(t, fake.errors)

	tracecheck.ExpectCause(fake, rec, harness.CauseFailure, grow)
	tracecheck.ExpectCause(fake, rec, "x: dtype", func() {
		grow()
		exec.Call(et.Make(et.Int64, next))
	})
	tracecheck.ExpectCause(fake, rec, harness.CauseNewSignature, func() { exec.Call(shape(next)) })
	require.Empty(t, cmp.Diff([]string{
		`want all traces for the cause "retrace after a failure", got 1 of 1 for another`,
		`want all traces for the cause "x: dtype", got 1 of 2 for another`,
		`want a trace for the cause "new signature", got none`,
	}, firstLines(fake.errors)))
	require.Contains(t, fake.errors[0], lined(
		"  trace 4: square(x float32[6])",
		"      new signature: x: axis 0: 5 -> 6 (nearest: trace 3)",
		"      called at tracecheck/assertions_test.go:LINE, took TIME",
	))

	tracecheck.ExpectCause(fake, rec, "", grow)
	tracecheck.ExpectCause(fake, rec, harness.CauseKind(77), grow)
	require.Equal(t, []string{
		"tracecheck.ExpectCause: want is empty, which is a part of each cause; give a part that tells, such as `x: axis 0`",
		"tracecheck.ExpectCause: want CauseKind(77): there is no such cause; use one of package harness",
	}, fake.fatals)
}

func TestFreeze(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	returned := 0
	exec := et.NewExec(harness.Wrap(rec, "square", func(x *et.Node) *et.Node {
		defer func() { returned++ }()
		return x
	}))
	exec.Call(shape(3))
	tracecheck.Freeze(fake, rec)
	exec.Call(shape(3))
	require.Empty(t, fake.errors)
	exec.Call(shape(5))
	require.Equal(t, 2, returned, "the trace goes on")
	require.Empty(t, cmp.Diff([]string{lined(
		"traced after tracecheck.Freeze",
		"  trace 2: square(x float32[5])",
		"      new signature: x: axis 0: 3 -> 5 (nearest: trace 1)",
		"      called at tracecheck/assertions_test.go:LINE, still running",
		"  to trace less:",
		"    square: axis 0 of x had 2 sizes from 3 to 5: pad it to 8, the power of two that fits, or each size to its own power of two, "+
			"or make it dynamic if the engine's backend can",
	)}, fake.errors))
	fake.end()
	exec.Call(shape(6))
	require.Len(t, fake.errors, 1, "the end of the test lifts it")

	tracecheck.Freeze(fake, nil)
	require.Equal(t, []string{"tracecheck.Freeze: the recorder is nil; make one with tracecheck.Record"}, fake.fatals)
}

// Each subtest has a recorder and a freeze of its own, and assertions nest in it.
func TestAssertionsInParallelSubtests(t *testing.T) {
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rec := record(t)
			exec := et.NewExec(harness.Wrap(rec, "", square))
			tracecheck.ExpectMaxTraces(t, rec, 3, func() {
				tracecheck.ExpectCause(t, rec, harness.CauseFirst, func() { exec.Call(shape(n)) })
				tracecheck.ExpectTraces(t, rec, 1, func() {
					tracecheck.ExpectCause(t, rec, "x: dtype", func() { exec.Call(et.Make(et.Int64, n)) })
				})
			})
			tracecheck.Freeze(t, rec)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { exec.Call(shape(n)) })
			}
			all.Wait()
		})
	}
}

// No error may reach a test that has ended, whatever goroutines go on.
func TestFreezeWhileOthersTrace(t *testing.T) {
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "", square)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					f(nil)
				}
			}
		})
	}
	for range 20 {
		ended := &recordingT{}
		tracecheck.Freeze(ended, rec)
		ended.end()
		seen := len(ended.errors)
		f(nil)
		require.Len(t, ended.errors, seen)
	}
	close(stop)
	all.Wait()
}

// A trace may be on its way to the test when that ends.
func TestFreezeOfATestThatEndsMeanwhile(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	rec.Freeze(func(harness.Trace) { fake.end() })
	tracecheck.Freeze(fake, rec)
	harness.Wrap(rec, "", square)(nil)
	require.Empty(t, fake.errors)
}

func TestBenchmarksReportTracesPerOperation(t *testing.T) {
	perOp := func(traces func(call func(n int), i int)) float64 {
		result := testing.Benchmark(func(b *testing.B) {
			rec := record(b)
			exec := et.NewExec(harness.Wrap(rec, "", square))
			exec.Call(shape(0))
			i := 0
			for b.Loop() {
				i++
				traces(func(n int) { exec.Call(shape(n)) }, i)
				if i == 1 {
					tracecheck.ExpectNoTraces(b, rec, func() { exec.Call(shape(0)) })
				}
			}
		})
		return result.Extra["traces/op"]
	}
	require.Less(t, perOp(func(call func(int), _ int) { call(0) }), 0.01)
	require.InDelta(t, 2, perOp(func(call func(int), i int) { call(2 * i); call(2*i + 1) }), 0.01)
}
