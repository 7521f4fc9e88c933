package gomlx_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

const callers = 8

// atOnce runs call(0) to call(callers-1) on goroutines of their own and waits for all.
func atOnce(call func(i int)) {
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() { call(i) })
	}
	group.Wait()
}

func TestConcurrentExecRows(t *testing.T) {
	t.Run("G32 8 goroutines, first call, same shape", func(t *testing.T) {
		rec, exec := newSquare(t)
		tracecheck.ExpectTraces(t, rec, 1, func() {
			atOnce(func(int) { exec.MustCall1(ones(3)) })
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
	t.Run("G33 8 goroutines, 8 shapes, all traced at once", func(t *testing.T) {
		rec := tracecheck.Record(t)
		var inside sync.WaitGroup
		inside.Add(callers)
		exec := gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			inside.Done()
			inside.Wait() // returns only when all traces are open
			return graph.Neg(x)
		})
		tracecheck.ExpectTraces(t, rec, callers, func() {
			atOnce(func(i int) { exec.MustCall1(ones(i + 1)) })
		})
		for _, trace := range rec.Traces() {
			want := harness.CauseNewSignature
			if trace.ID == 1 {
				want = harness.CauseFirst
			}
			require.Equal(t, want, trace.Cause.Kind)
		}
		for _, depth := range depths(rec) {
			require.Zero(t, depth, "traces on other goroutines are no parents")
		}
	})
	t.Run("G33b 8 goroutines, same shape, function fails", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backend := newBackend(t)
		var failed atomic.Int32
		synctest.Test(t, func(t *testing.T) {
			exec := gomlx.MustNewExec(rec, backend, func(x *graph.Node) *graph.Node {
				synctest.Wait() // until the other callers wait for this trace
				panic(errors.New("no such layer"))
			})
			tracecheck.ExpectTraces(t, rec, 1, func() {
				atOnce(func(int) {
					if _, err := exec.Call1(ones(3)); err != nil {
						failed.Add(1)
					}
				})
			})
		})
		require.EqualValues(t, callers, failed.Load())
		require.Equal(t, []string{"first"}, causes(rec))
	})
}
