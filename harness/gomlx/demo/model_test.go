package demo

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func newModel(t *testing.T) *Model {
	t.Helper()
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	require.NoError(t, err)
	return New(backend)
}

func TestTraces(t *testing.T) {
	rec, m := tracecheck.Record(t), newModel(t)
	m.fun.WithName("Fun")
	m.inference.WithName("Inference")
	gomlx.Attach(rec, m.fun)
	gomlx.Attach(rec, m.inference)

	tokens := []int64{1, 2, 3}
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"Fun": 1, "Inference": 1}, func() { m.Score(tokens) })
	tracecheck.ExpectNoTraces(t, rec, func() { m.Score(tokens) })
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"Inference": 1}, func() { m.Infer(tokens) })
	tracecheck.ExpectNoTraces(t, rec, func() { m.Infer(tokens) })
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"Fun": 1}, func() { m.Score(tokens[:2]) })
}

func TestGraphs(t *testing.T) {
	m := newModel(t)
	tokens := []int64{1, 2, 3}
	require.Equal(t, 3, gomlx.GraphsBuilt(func() { m.Score(tokens) }), "Fun, Inference and the variables")
	require.Zero(t, gomlx.GraphsBuilt(func() { m.Score(tokens) }))
	for range 3 {
		require.Equal(t, 1, gomlx.GraphsBuilt(func() { m.Embed(tokens) }), "the wrapper is rebuilt at each call")
	}
}

func TestResultsLookRight(t *testing.T) {
	m := newModel(t)
	require.Equal(t, []int{3, units}, m.Score([]int64{1, 2, 3}).Shape().Dimensions)
	require.Equal(t, []int{3, units}, m.Infer([]int64{1, 2, 3}).Shape().Dimensions)
	require.Equal(t, []int{3, embeddingSize}, m.Embed([]int64{1, 2, 3}).Shape().Dimensions)
}
