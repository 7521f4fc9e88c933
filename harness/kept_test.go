package harness_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

func ids(traces []harness.Trace) []int {
	var ids []int
	for _, t := range traces {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestLimitKeepsTheLatestTraces(t *testing.T) {
	rec := harness.NewRecorder()
	for range 5 {
		start(rec, "f").End(harness.Returned())
	}
	rec.SetLimit(3)
	require.Equal(t, []int{3, 4, 5}, ids(rec.Traces()))
	require.Equal(t, 2, rec.Dropped())
	start(rec, "f").End(harness.Returned())
	require.Equal(t, []int{4, 5, 6}, ids(rec.Traces()))
	require.Equal(t, []int{6}, ids(rec.TracesSince(5)))
	require.Equal(t, []int{4, 5, 6}, ids(rec.TracesSince(1)))
	require.Equal(t, 3, rec.Dropped())
	require.Equal(t, 6, rec.LastID())
	for id, kept := range map[int]bool{0: false, 3: false, 4: true, 6: true, 7: false} {
		trace, ok := rec.Trace(id)
		require.Equal(t, kept, ok, id)
		require.True(t, !ok || trace.ID == id)
	}
	rec.SetLimit(0)
	for range 5 {
		start(rec, "f").End(harness.Returned())
	}
	require.Len(t, rec.Traces(), 8)
	require.Equal(t, 3, rec.Dropped())
}

func TestListenersHearOfTracesThatAreDropped(t *testing.T) {
	rec := harness.NewRecorder()
	rec.SetLimit(1)
	var heard []int
	rec.OnTrace(func(trace harness.Trace) { heard = append(heard, trace.ID) })
	outer := start(rec, "outer")
	start(rec, "inner").End(harness.Returned())
	outer.End(harness.Returned())
	require.Equal(t, []int{2, 1}, heard)
	require.Equal(t, 1, rec.Traces()[0].Parent)
}

// A cause claims no more than the traces that are kept show.
func TestCausesBelowALimit(t *testing.T) {
	rec := harness.NewRecorder()
	rec.SetLimit(2)
	w := rec.NewWrapper("w")
	for _, n := range []int{3, 3, 4, 5, 3, 3} {
		trace(rec, w, harness.SignatureOf(et.NewNode(et.Float32, n)), harness.Returned())
	}
	rec.SetLimit(6)
	other := start(rec, "g")
	require.Equal(t, "first trace", rec.Traces()[2].Cause.String())
	other.End(harness.Returned())
	require.Empty(t, cmp.Diff([]string{
		"new signature: arg 0: axis 0: 5 -> 3 (nearest: trace 4, of the same wrapper): among the traces that are kept",
		"same signature as trace 5, of the same wrapper: its cache lost the trace, or the call failed after it",
		"first trace",
	}, causes(rec)))

	rec = harness.NewRecorder()
	rec.SetLimit(1)
	for _, name := range []string{"f", "g", "f"} {
		start(rec, name).End(harness.Returned())
		require.Equal(t, []harness.Function{{Name: name}}, rec.Functions())
	}
	require.Equal(t, []string{"first trace: among the traces that are kept"}, causes(rec))
	require.False(t, rec.Traces()[0].Retrace)
}

func TestResetForgetsTracesAndFunctions(t *testing.T) {
	rec := harness.NewRecorder()
	rec.SetLimit(1)
	start(rec, "f").End(harness.Returned())
	running := start(rec, "f")
	rec.Reset()
	require.Empty(t, rec.Traces())
	require.Empty(t, rec.Functions())
	require.Zero(t, rec.Dropped())
	running.End(harness.Returned())
	start(rec, "f").End(harness.Returned())
	require.Equal(t, []int{3}, ids(rec.Traces()))
	require.Equal(t, []string{"first trace"}, causes(rec))
	require.False(t, rec.Traces()[0].Retrace)
}

func TestLimitsAndGoroutines(t *testing.T) {
	rec := harness.NewRecorder()
	rec.SetLimit(10)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 200 {
				f := harness.Function{Name: fmt.Sprint("f", i%2)}
				args := harness.SignatureOf(et.NewNode(et.Float32, j%30))
				rec.Start(harness.Info{Function: f, Wrapper: rec.NewWrapper("w"), Args: args}).End(harness.Returned())
				if j == 100 && i == 0 {
					rec.Reset()
				}
				rec.Traces()
			}
		})
	}
	all.Wait()
	require.Len(t, rec.Traces(), 10)
	require.Equal(t, 1600, rec.LastID())
}

// A server makes wrappers, signatures and traces without end.
func TestMemoryOfAServer(t *testing.T) {
	rec := harness.NewRecorder()
	rec.SetLimit(1000)
	lift := rec.Freeze(func(harness.Trace) {})
	defer lift()
	serve := func(from, to int) {
		for i := from; i < to; i++ {
			rec.Start(harness.Info{
				Wrapper: rec.NewWrapper("*enginetest.Exec"), // whose function has no name, either
				Args:    harness.SignatureOf(et.NewNode(et.Float32, i%7, i)),
			}).End(harness.Returned())
			start(rec, "f").End(harness.Returned())
		}
	}
	serve(0, 2000)
	before := heap()
	serve(2000, 10_000)
	require.InDelta(t, before, heap(), 1e6)
	require.Equal(t, 19_000, rec.Dropped())
}

func TestFoundWrapperHasNoSite(t *testing.T) {
	rec := harness.NewRecorder()
	built, found := rec.NewWrapper("built"), rec.NewFoundWrapper("found")
	require.True(t, built.Site.Known())
	require.Equal(t, harness.Wrapper{ID: 2, Description: "found"}, found)
}

func TestUntimedTraceHasNoDuration(t *testing.T) {
	rec := harness.NewRecorder()
	rec.Start(harness.Info{Untimed: true}).End(harness.Returned())
	start(rec, "f").End(harness.Returned())
	traces := rec.Traces()
	require.True(t, traces[0].Untimed)
	require.Zero(t, traces[0].Duration)
	require.False(t, traces[1].Untimed)
	require.Positive(t, traces[1].Duration)
}

func TestKeyDecidesWhereThereIsOne(t *testing.T) {
	arg := func(value, key string) harness.Signature {
		return harness.Signature{{Kind: harness.Literal, Type: "mode", Value: value, Key: key}}
	}
	require.Empty(t, harness.Diff(arg("train", "1"), arg("training", "1")))
	require.Len(t, harness.Diff(arg("train", "1"), arg("train", "2")), 1)
	require.Len(t, harness.Diff(arg("train", ""), arg("train", "train")), 1)
	require.Equal(t, arg("train", "1").Key(), arg("training", "1").Key())
	require.NotEqual(t, arg("train", "1").Key(), arg("train", "2").Key())
	require.NotEqual(t, arg("train", "").Key(), arg("train", "train").Key())
}
