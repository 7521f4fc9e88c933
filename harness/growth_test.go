//go:build !race

package harness_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

// within2Seconds holds what is linear today against becoming worse. Other
// processes may have the machine for a while.
func within2Seconds(t *testing.T, what string, f func()) {
	t.Helper()
	took := time.Duration(math.MaxInt64)
	for try := 0; try < 3 && took >= 2*time.Second; try++ {
		start := time.Now()
		f()
		took = time.Since(start)
	}
	require.Less(t, took, 2*time.Second, what)
}

func TestCostsGrowWithTheNumberOfTraces(t *testing.T) {
	look := func(rec *harness.Recorder, want int) {
		traces := rec.Traces()
		require.Len(t, traces, want)
		for _, trace := range traces {
			_ = rec.NameOf(trace.Function)
			_ = trace.Cause.String()
		}
		_ = rec.Functions()
	}
	within2Seconds(t, "10,000 functions", func() {
		rec := harness.NewRecorder()
		for i := range 10_000 {
			start(rec, fmt.Sprint("f", i)).End(harness.Returned())
		}
		look(rec, 10_000)
	})
	within2Seconds(t, "10,000 signatures", func() {
		rec := harness.NewRecorder()
		for i := range 10_000 {
			trace(rec, harness.Wrapper{}, harness.SignatureOf(et.NewNode(et.Float32, i, i, i)), harness.Returned())
		}
		look(rec, 10_000)
	})
	within2Seconds(t, "40,000 traces", func() {
		rec := harness.NewRecorder()
		args := harness.SignatureOf(et.NewNode(et.Float32, 3))
		for range 40_000 {
			trace(rec, rec.NewWrapper("w"), args, harness.Returned())
		}
		look(rec, 40_000)
	})
	within2Seconds(t, "300 tensors", func() {
		rec := harness.NewRecorder()
		args := make([]any, 300)
		for i := range 200 {
			for j := range args {
				args[j] = et.NewNode(et.Float32, i, j)
			}
			trace(rec, harness.Wrapper{}, harness.SignatureOf(args...), harness.Returned())
		}
		look(rec, 200)
	})
}
