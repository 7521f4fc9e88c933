package gomlx_test

import (
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestCachedCallCostsNothing(t *testing.T) {
	rec, backend := tracecheck.Record(t), newBackend(t)
	attached := graph.MustNewExec(backend, square)
	gomlx.Attach(rec, attached)
	input := tensors.FromValue(ones(3))
	allocations := func(call func(args ...any) *tensors.Tensor) float64 {
		return testing.AllocsPerRun(1000, func() { call(input).MustFinalizeAll() })
	}

	raw := allocations(graph.MustNewExec(backend, square).MustCall1)
	require.Equal(t, raw, allocations(gomlx.MustNewExec(rec, backend, square).MustCall1))
	require.Equal(t, raw, allocations(attached.MustCall1))

	raw = allocations(model.MustNewExec(backend, model.NewStore(), scaled).MustCall1)
	require.Equal(t, raw, allocations(gomlx.MustNewModelExec(rec, backend, model.NewStore(), scaled).MustCall1))
}

// BenchmarkTrace reports what one trace costs without and with a recorder,
// measured in turn.
func BenchmarkTrace(b *testing.B) {
	rec, backend := tracecheck.Record(b), newBackend(b)
	shape := shapes.Make(dtypes.Float32, 3)
	trace := func(exec *graph.Exec) time.Duration {
		defer exec.Finalize()
		start := time.Now()
		_, err := exec.Compile(shape)
		elapsed := time.Since(start)
		require.NoError(b, err)
		return elapsed
	}
	var raw, recorded time.Duration
	for b.Loop() {
		raw += trace(graph.MustNewExec(backend, square))
		recorded += trace(gomlx.MustNewExec(rec, backend, square))
	}
	b.ReportMetric(float64(raw.Nanoseconds())/float64(b.N), "raw-ns/trace")
	b.ReportMetric(float64((recorded-raw).Nanoseconds())/float64(b.N), "overhead-ns/trace")
}

// BenchmarkCachedCall compares calls that hit the cache.
func BenchmarkCachedCall(b *testing.B) {
	rec, backend := tracecheck.Record(b), newBackend(b)
	attached := graph.MustNewExec(backend, square)
	gomlx.Attach(rec, attached)
	input := tensors.FromValue(ones(3))
	for _, variant := range []struct {
		name string
		exec *graph.Exec
	}{
		{"raw", graph.MustNewExec(backend, square)},
		{"recorded", gomlx.MustNewExec(rec, backend, square)},
		{"attached", attached},
	} {
		b.Run(variant.name, func(b *testing.B) {
			for b.Loop() {
				variant.exec.MustCall1(input).MustFinalizeAll()
			}
		})
	}
}
