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

func start(rec *harness.Recorder, name string) *harness.Span {
	return rec.Start(harness.Info{Function: harness.Function{Name: name}, Args: harness.Signature{}})
}

func TestParentIsTheOpenTraceOfTheGoroutine(t *testing.T) {
	rec := harness.NewRecorder()
	x := et.NewNode(et.Float32, 3)
	inner := harness.Wrap(rec, "inner", identity)
	outer := harness.Wrap(rec, "outer", func(x *et.Node) *et.Node {
		inner(x)
		done := make(chan struct{})
		go func() {
			defer close(done)
			inner(x)
		}()
		<-done
		return inner(x)
	})
	outer(x)
	inner(x)
	var parents []int
	for _, trace := range rec.Traces() {
		parents = append(parents, trace.Parent)
	}
	require.Equal(t, []int{0, 1, 0, 1, 0}, parents)
}

func TestParentOutlivesPanicsBelow(t *testing.T) {
	rec := harness.NewRecorder()
	inner := et.NewExec(harness.Wrap(rec, "inner", func(*et.Node) *et.Node { panic("no") }))
	outer := harness.Wrap(rec, "outer", func() {
		_ = inner.TryCall(et.Make(et.Float32, 3))
		_ = inner.TryCall(et.Make(et.Float32, 3))
	})
	outer()
	require.Equal(t, 1, rec.Traces()[1].Parent)
	require.Equal(t, 1, rec.Traces()[2].Parent)
}

func TestRecordersDoNotSeeEachOther(t *testing.T) {
	a, b := harness.NewRecorder(), harness.NewRecorder()
	outer, inner := start(a, "outer"), start(b, "inner")
	inner.End(harness.Returned())
	outer.End(harness.Returned())
	require.Len(t, a.Traces(), 1)
	require.Zero(t, b.Traces()[0].Parent)
}

func TestEndInAnyOrderOnAnyGoroutine(t *testing.T) {
	rec := harness.NewRecorder()
	outer := start(rec, "outer")
	inner := start(rec, "inner")
	outer.End(harness.Returned())
	require.Zero(t, start(rec, "after").ID()-3)
	inner.End(harness.Panicked("no"))
	inner.End(harness.Returned())

	elsewhere := start(rec, "elsewhere")
	done := make(chan struct{})
	go func() {
		defer close(done)
		elsewhere.End(harness.Outcome{})
	}()
	<-done
	traces := rec.Traces()
	require.Equal(t, 1, traces[1].Parent)
	require.Zero(t, traces[2].Parent, "the trace that was never ended below it is no parent")
	require.Equal(t, harness.OutcomePanic, traces[1].Outcome.Kind, "the first end counts")
	require.Equal(t, harness.OutcomeRunning, traces[2].Outcome.Kind)
	require.Equal(t, harness.Returned(), traces[3].Outcome)
}

func TestOnTrace(t *testing.T) {
	rec := harness.NewRecorder()
	var heard []string
	listen := func(name string) (remove func()) {
		return rec.OnTrace(func(t harness.Trace) {
			heard = append(heard, fmt.Sprintf("%s: %d %s", name, t.ID, t.Outcome))
		})
	}
	removeA := listen("a")
	listen("b")
	outer := start(rec, "outer")
	start(rec, "inner").End(harness.Panicked("no"))
	require.Len(t, heard, 2, "a trace is told of when it ends")
	removeA()
	removeA()
	outer.End(harness.Returned())
	require.Empty(t, cmp.Diff([]string{"a: 2 panicked: no", "b: 2 panicked: no", "b: 1 returned"}, heard))
}

// A listener may use the recorder, trace, and register others.
func TestOnTraceMayCallBack(t *testing.T) {
	rec := harness.NewRecorder()
	calls := 0
	var remove func()
	remove = rec.OnTrace(func(trace harness.Trace) {
		calls++
		remove()
		require.Equal(t, trace, rec.Traces()[0])
		start(rec, "again").End(harness.Returned())
	})
	start(rec, "f").End(harness.Returned())
	require.Equal(t, 1, calls)
	require.Equal(t, 2, rec.LastID())
}

func TestTracesSince(t *testing.T) {
	rec := harness.NewRecorder()
	require.Zero(t, rec.LastID())
	require.Empty(t, rec.Traces())
	for range 3 {
		start(rec, "f").End(harness.Returned())
	}
	require.Equal(t, 3, rec.LastID())
	for _, test := range []struct{ since, n int }{{-1, 3}, {0, 3}, {1, 2}, {3, 0}, {9, 0}} {
		require.Len(t, rec.TracesSince(test.since), test.n, "since %d", test.since)
	}
	require.Equal(t, 2, rec.TracesSince(1)[0].ID)
}

func TestNamesThatTwoFunctionsShare(t *testing.T) {
	rec := harness.NewRecorder()
	square := func(pkg string) harness.Function { return harness.Function{Package: pkg, Name: "square"} }
	record := func(f harness.Function) { rec.Start(harness.Info{Function: f}).End(harness.Returned()) }

	record(square("example.com/a"))
	require.Equal(t, "square", rec.NameOf(square("example.com/a")))
	record(square("example.com/b"))
	require.Equal(t, "example.com/a.square", rec.NameOf(square("example.com/a")))
	require.Equal(t, "example.com/b.square", rec.NameOf(square("example.com/b")))
	record(square(""))
	require.Equal(t, "square", rec.NameOf(square("")))
	record(harness.Function{})
	require.Equal(t, []harness.Function{
		square(""), {Name: "unnamed", Nameless: true}, square("example.com/a"), square("example.com/b"),
	}, rec.Functions())
}

// Goroutines that trace at once wait for each other neither while a body runs
// nor while a listener does.
func TestTracesAtOnce(t *testing.T) {
	const goroutines, rounds = 64, 20
	rec := harness.NewRecorder()
	var inBody, inListener sync.WaitGroup
	inBody.Add(goroutines)
	inListener.Add(goroutines)
	meet := func(group *sync.WaitGroup) {
		group.Done()
		group.Wait()
	}
	remove := rec.OnTrace(func(harness.Trace) { meet(&inListener) })

	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() {
			harness.Wrap(rec, "meeting", func(*et.Node) { meet(&inBody) })(et.NewNode(et.Float32, i))
		})
	}
	all.Wait()
	remove()

	for i := range goroutines {
		all.Go(func() {
			inner := harness.Wrap(rec, fmt.Sprint("inner", i%8), identity)
			outer := harness.Wrap(rec, "outer", func(x *et.Node) *et.Node { return inner(x) })
			for j := range rounds {
				outer(et.NewNode(et.Float32, i, j))
				rec.NameOf(rec.TracesSince(rec.LastID() - 1)[0].Function)
			}
		})
	}
	all.Wait()

	traces := rec.Traces()
	require.Len(t, traces, goroutines+2*goroutines*rounds)
	for i, trace := range traces {
		require.Equal(t, i+1, trace.ID)
		require.Equal(t, harness.Returned(), trace.Outcome)
		switch trace.Function.Name {
		case "meeting", "outer":
			require.Zero(t, trace.Parent)
		default:
			parent := traces[trace.Parent-1]
			require.Equal(t, "outer", parent.Function.Name)
			require.Equal(t, parent.Args, trace.Args)
		}
		if trace.Cause.Kind != harness.CauseFirst {
			require.Equal(t, harness.CauseNewSignature, trace.Cause.Kind)
			require.Less(t, trace.Cause.Earlier, trace.ID)
		}
	}
}

// Goroutines that trace a function for the first time at once have one first
// trace between them.
func TestOneOfTheTracesAtOnceIsTheFirst(t *testing.T) {
	rec := harness.NewRecorder()
	const goroutines, rounds = 4, 1000
	for i := range rounds {
		name := fmt.Sprint("f", i)
		var ready, all sync.WaitGroup
		ready.Add(goroutines)
		for range goroutines {
			all.Go(func() {
				ready.Done()
				ready.Wait()
				start(rec, name).End(harness.Returned())
			})
		}
		all.Wait()
	}
	first := 0
	for _, trace := range rec.Traces() {
		if !trace.Retrace {
			first++
		}
	}
	require.Equal(t, rounds, first)
}
