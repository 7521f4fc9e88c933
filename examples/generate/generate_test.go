// Package generate_test counts the traces of both versions of the generator.
package generate_test

import (
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/examples/generate/after"
	"github.com/tracelint/tracelint/examples/generate/before"
	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

func newBefore(t *testing.T, rec *harness.Recorder) *before.Generator {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	return before.New(rec, backend, newStore(t))
}

func newAfter(t *testing.T, rec *harness.Recorder) *after.Generator {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	return after.New(rec, backend, newStore(t))
}

// newStore returns a store whose variables get the same weights each time.
func newStore(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(1))
	return store
}

// Each token is a trace, and the next answer traces all of them again.
func TestBefore(t *testing.T) {
	rec := tracecheck.Record(t)
	g := newBefore(t, rec)
	for range 2 {
		tracecheck.ExpectTraces(t, rec, 7, func() { g.Generate([]int32{1, 2, 3}, 10) })
	}
}

// The 33rd length does not fit into the wrapper's cache.
func TestBeforeFails(t *testing.T) {
	rec := tracecheck.Record(t)
	g := newBefore(t, rec)
	tracecheck.ExpectTraces(t, rec, 32, func() {
		require.Panics(t, func() { g.Generate([]int32{1}, 40) })
	})
}

func TestAfter(t *testing.T) {
	rec := tracecheck.Record(t)
	g := newAfter(t, rec)
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for _, limit := range []int{10, 40, 64} {
			tokens, err := g.Generate([]int32{1, 2, 3}, limit)
			require.NoError(t, err)
			require.Len(t, tokens, limit)
		}
	})
	_, err := g.Generate([]int32{1}, 65)
	require.EqualError(t, err, "a prompt of 1 tokens cannot grow to 65, the most being 64")
}

func TestSameTokens(t *testing.T) {
	want := newBefore(t, harness.NewRecorder()).Generate([]int32{1, 2, 3}, 20)
	got, err := newAfter(t, harness.NewRecorder()).Generate([]int32{1, 2, 3}, 20)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
