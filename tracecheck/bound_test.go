package tracecheck_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

// requireBounded requires that a text is within the bounds of texts for people.
func requireBounded(t *testing.T, text string) {
	t.Helper()
	require.LessOrEqual(t, strings.Count(text, "\n"), 200)
	require.LessOrEqual(t, len(text), 64<<10)
}

// requireFast requires that not much time has gone by. Failures over 10,000 functions, 10,000 signatures or 40,000 traces
// take a few tenths of a second, and what is quadratic in them minutes; the bound leaves room for a machine with other work.
func requireFast(t *testing.T, since time.Time) {
	t.Helper()
	require.Less(t, time.Since(since), 10*time.Second)
}

// trace records a trace of the function of that name.
func trace(rec *harness.Recorder, function string, wrapper harness.Wrapper, args ...harness.Arg) {
	rec.Start(harness.Info{Function: harness.Function{Name: function}, Wrapper: wrapper, Args: args}).End(harness.Returned())
}

// failure returns the message about a block that should not trace, which is bounded.
func failure(t *testing.T, block func(rec *harness.Recorder)) string {
	t.Helper()
	fake := &recordingT{}
	rec := record(fake)
	var traced time.Time
	tracecheck.ExpectNoTraces(fake, rec, func() {
		block(rec)
		traced = time.Now()
	})
	fake.end()
	requireFast(t, traced)
	require.Len(t, fake.errors, 1)
	requireBounded(t, fake.errors[0])
	require.Len(t, fake.logs, 1)
	requireBounded(t, fake.logs[0])
	return fake.errors[0]
}

func TestMessagesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	t.Run("values", func(t *testing.T) {
		got := failure(t, func(rec *harness.Recorder) {
			f := harness.Wrap(rec, "f", func(prompt string) {})
			for i := range 6 {
				f(long + fmt.Sprint(i))
			}
		})
		require.Contains(t, got, " bytes)")
		require.Contains(t, got, "\n    f: prompt had values ")
	})
	t.Run("values from an adapter", func(t *testing.T) {
		got := failure(t, func(rec *harness.Recorder) {
			for i := range 6 {
				trace(rec, "f", harness.Wrapper{}, harness.Arg{Kind: harness.Literal, Type: "string", Value: long + fmt.Sprint(i)})
			}
		})
		require.Regexp(t, `\n  trace 1: f\(x+…\(200001 bytes\)…x+0.*\)\n`, got)
		require.Regexp(t, `\n    f: arg 0 had values x+…\(\d+ bytes\)…`, got)
	})
	t.Run("values of many lines", func(t *testing.T) {
		failure(t, func(rec *harness.Recorder) {
			for i := range 6 {
				trace(rec, "f", harness.Wrapper{}, harness.Arg{Kind: harness.Literal, Value: strings.Repeat("x\n", 1000) + fmt.Sprint(i)})
			}
		})
	})
	t.Run("names", func(t *testing.T) {
		failure(t, func(rec *harness.Recorder) {
			for i := range 60 {
				trace(rec, fmt.Sprint(i)+long, harness.Wrapper{ID: i, Description: long}, harness.Arg{Name: long})
			}
		})
	})
	t.Run("panics", func(t *testing.T) {
		failure(t, func(rec *harness.Recorder) {
			rec.Start(harness.Info{}).End(harness.Panicked(long))
			rec.Start(harness.Info{}).End(harness.Failed(errors.New(long)))
		})
	})
	t.Run("parts", func(t *testing.T) {
		failure(t, func(rec *harness.Recorder) {
			for n := range 30 {
				args := make([]harness.Arg, 1000)
				for i := range args {
					args[i] = tensor("float32", n, i)
				}
				trace(rec, "f", harness.Wrapper{}, args...)
			}
		})
	})
	t.Run("wanted counts", func(t *testing.T) {
		fake := &recordingT{}
		counts := tracecheck.Counts{}
		for i := range 10_000 {
			counts[fmt.Sprint(i)+long[:1000]] = 1
		}
		tracecheck.ExpectTraces(fake, record(fake), counts, func() {})
		tracecheck.ExpectTraces(fake, record(fake), tracecheck.Counts{long: -1}, func() {})
		requireBounded(t, fake.errors[0])
		requireBounded(t, fake.fatals[0])
	})
	t.Run("after a freeze, all of them", func(t *testing.T) {
		fake := &recordingT{}
		rec := record(fake)
		tracecheck.Freeze(fake, rec)
		for range 20 {
			trace(rec, "f", harness.Wrapper{})
		}
		fake.end()
		require.Len(t, fake.errors, 20)
	})
	t.Run("after a freeze", func(t *testing.T) {
		fake := &recordingT{}
		rec := record(fake)
		tracecheck.Freeze(fake, rec)
		for range 50 {
			trace(rec, long, harness.Wrapper{})
		}
		fake.end()
		require.Len(t, fake.errors, 21)
		for _, text := range fake.errors {
			requireBounded(t, text)
		}
		require.Equal(t, "30 more traces after tracecheck.Freeze", fake.errors[20])
	})
}

func TestManyFunctionsAreFast(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	counts := tracecheck.Counts{}
	for i := range 10_000 {
		counts[fmt.Sprint("layer", i)] = i % 2
	}
	var traced time.Time
	tracecheck.ExpectTraces(fake, rec, counts, func() {
		for i := range 40_000 {
			trace(rec, fmt.Sprint("layer", i%10_000), harness.Wrapper{ID: i + 1}, tensor("float32", i))
		}
		traced = time.Now()
	})
	requireFast(t, traced)
	require.Len(t, fake.errors, 1)
	requireBounded(t, fake.errors[0])
	require.Contains(t, fake.errors[0], lined(
		"traces by function (-want +got):",
		"  - layer0     0",
		"  + layer0     4",
	))
	require.Contains(t, fake.errors[0], "\n    and 9950 more\n")
}

func TestManySignaturesAreFast(t *testing.T) {
	got := failure(t, func(rec *harness.Recorder) {
		for i := range 40_000 {
			trace(rec, "f", harness.Wrapper{ID: 1}, tensor("float32", i%10_000))
		}
	})
	require.Contains(t, got, "f: axis 0 of arg 0 had 10000 sizes from 0 to 9999: pad it to 16384")
}

func TestTracesNestedDeeplyAreFast(t *testing.T) {
	failure(t, func(rec *harness.Recorder) {
		var open []*harness.Span
		for range 40_000 {
			open = append(open, rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Args: harness.Signature{}}))
		}
		for i := len(open) - 1; i >= 0; i-- {
			open[i].End(harness.Returned())
		}
	})
}

// Those of the traces beyond the first ones that happened most come first.
func TestTopCausesComeFirst(t *testing.T) {
	got := failure(t, func(rec *harness.Recorder) {
		for range 5 {
			trace(rec, "shown", harness.Wrapper{})
		}
		for i, n := range []int{1, 3, 2, 3} {
			for range n {
				trace(rec, fmt.Sprint("f", i), harness.Wrapper{})
			}
		}
	})
	require.Contains(t, got, lined(
		"  and 9 more:",
		"    2 of f1: unknown cause (took TIME)",
		"    2 of f3: unknown cause (took TIME)",
		"    1 of f0: first trace (took TIME)",
		"    1 of f1: first trace (took TIME)",
		"    1 of f2: first trace (took TIME)",
		"    1 of f2: unknown cause (took TIME)",
		"    1 of f3: first trace (took TIME)",
		"",
	))
	got = failure(t, func(rec *harness.Recorder) {
		for i := range 100 {
			trace(rec, fmt.Sprint("f", i), harness.Wrapper{})
		}
	})
	require.Contains(t, got, "\n    75 for 75 further causes")
}

// Of traces that the recorder no longer has nobody knows the number.
func TestAssertionsOverDroppedTracesFail(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	rec.SetLimit(3)
	f := harness.Wrap(rec, "f", square)
	grow := func(n int) {
		for i := range n {
			f(et.NewNode(et.Float32, i))
		}
	}
	tracecheck.ExpectTraces(fake, rec, 3, func() { grow(3) })
	tracecheck.ExpectTraces(fake, rec, 2, func() { grow(2) })
	require.Empty(t, fake.errors, "none of the block is dropped")

	tracecheck.ExpectTraces(fake, rec, 3, func() { grow(4) })
	tracecheck.ExpectMaxTraces(fake, rec, tracecheck.Counts{"f": 9}, func() { grow(5) })
	tracecheck.ExpectCause(fake, rec, "f", func() { grow(6) })
	tracecheck.ExpectNoTraces(fake, rec, func() { grow(1); rec.Reset() })
	require.Equal(t, []string{
		"tracecheck.ExpectTraces: the recorder's limit dropped 1 trace of the block: raise it with its method SetLimit",
		"tracecheck.ExpectMaxTraces: the recorder's limit dropped 2 traces of the block: raise it with its method SetLimit",
		"tracecheck.ExpectCause: the recorder's limit dropped 3 traces of the block: raise it with its method SetLimit",
		"tracecheck.ExpectNoTraces: the recorder was reset in the block, which lost 1 trace of it",
	}, firstLines(fake.errors))
	require.Contains(t, fake.errors[0], "\n  the recorder's limit has dropped 6 earlier traces\n")
}

// What an adapter no longer sees is no proof that nothing was traced.
func TestAssertionsOverABlindRecorderFail(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	var blind error
	rec.AddCheck(func() error { return blind })
	tracecheck.ExpectNoTraces(fake, rec, func() {})
	tracecheck.Freeze(fake, rec)
	require.Empty(t, fake.errors)
	lose := func() { blind = errors.New("the logger was replaced") }
	tracecheck.ExpectNoTraces(fake, rec, lose)
	tracecheck.ExpectTraces(fake, rec, 0, func() { blind = nil })
	lose()
	tracecheck.ExpectMaxTraces(fake, rec, 5, func() {})
	tracecheck.ExpectCause(fake, rec, harness.CauseFirst, func() { trace(rec, "f", harness.Wrapper{}) })
	fake.end()
	require.Equal(t, []string{
		"tracecheck.ExpectNoTraces: the logger was replaced",
		"tracecheck.ExpectTraces: the logger was replaced",
		"tracecheck.ExpectMaxTraces: the logger was replaced",
		"traced after tracecheck.Freeze",
		"tracecheck.ExpectCause: the logger was replaced",
		"tracecheck.Freeze: the logger was replaced",
	}, firstLines(fake.errors))
}

func TestUnknownTimesAndPlacesAreLeftOut(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	wrapper := rec.NewFoundWrapper("*enginetest.Exec")
	seen := func(n int, untimed bool) {
		rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Wrapper: wrapper, Args: harness.Signature{tensor("float32", n)}, Untimed: untimed}).
			End(harness.Returned())
	}
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		for n := range 8 {
			seen(n, true)
		}
	})
	tracecheck.ExpectNoTraces(fake, rec, func() { seen(8, true); seen(9, false) })
	tracecheck.ExpectNoTraces(fake, rec, func() { trace(rec, "f", rec.NewFoundWrapper("*enginetest.Exec"), tensor("float32", 1)) })
	require.Contains(t, fake.errors[0], lined(
		"  trace 1: f(float32[0])",
		"      first trace",
		"      called at tracecheck/bound_test.go:LINE through *enginetest.Exec",
		"  trace 2: f(float32[1])",
	))
	require.Contains(t, fake.errors[0], lined(
		"  and 3 more:",
		"    3 of f: new signature: arg 0: axis 0",
		"  7 retraces, seen too late to be timed",
	))
	require.Contains(t, fake.errors[1], "\n  2 retraces cost TIME of TIME spent tracing, those aside that were seen too late to be timed (1)\n")
	require.Contains(t, fake.errors[2], lined(
		"      called at tracecheck/bound_test.go:LINE through *enginetest.Exec, took TIME",
		"  1 retrace cost TIME of TIME spent tracing",
		"  to trace less:",
		"    f: wrappers share no traces: build one and keep it, or one for each model",
	))
}
