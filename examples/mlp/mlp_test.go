// Package mlp_test counts the traces of both versions of the training loop.
package mlp_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/examples/mlp/after"
	"github.com/tracelint/tracelint/examples/mlp/before"
	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

func newBackend(t *testing.T) compute.Backend {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	return backend
}

// sums returns n points and the sums of their coordinates.
func sums(n int) (points, values [][]float32) {
	for i := range n {
		x, y := float32(i%7)/7, float32(i%5)/5
		points = append(points, []float32{x, y})
		values = append(values, []float32{x + y})
	}
	return points, values
}

// 80 examples are two batches of 32 and one of 16, each with a spec of its own: no step finds a trace made before.
func TestBefore(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	points, values := sums(80)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"mlp": 6, "squaredError": 6}, func() {
		require.NoError(t, before.Train(rec, backend, points, values, 2))
	})
	var causes []string
	for _, trace := range rec.Traces() {
		if trace.Function.Name == "mlp" {
			causes = append(causes, differences(trace))
		}
	}
	require.Equal(t, []string{
		"",
		"spec",
		"points: axis 0: 32 -> 16; spec",
		"spec",
		"spec",
		"spec",
	}, causes)
}

// differences returns what is new in a trace's signature, without the specs, whose addresses differ.
func differences(trace harness.Trace) string {
	var all []string
	for _, d := range trace.Cause.Differences {
		text, _, _ := strings.Cut(d.String(), ": *")
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// The trainer keeps 51 executors at most, so a few epochs more do not even end.
func TestBeforeFails(t *testing.T) {
	rec := harness.NewRecorder()
	points, values := sums(80)
	err := before.Train(rec, newBackend(t), points, values, 18)
	require.ErrorContains(t, err, "(LoopStep=51): Max number of executors reached")
}

func TestAfter(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	points, values := sums(80)
	var progress bytes.Buffer
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"mlp": 1, "squaredError": 1}, func() {
		require.NoError(t, after.Train(rec, backend, points, values, 18, &progress))
	})
	require.Equal(t, 36, strings.Count(progress.String(), "loss"), "one line for each step, not for each trace")
}

// A second training has a wrapper of its own.
func TestAfterTwice(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	points, values := sums(64)
	for range 2 {
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"mlp": 1, "squaredError": 1}, func() {
			require.NoError(t, after.Train(rec, backend, points, values, 1, io.Discard))
		})
	}
}
