package harness

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Where goroutines cannot be told apart, traces have no parents, and nothing
// else is missing.
func TestTracesOfUnknownGoroutines(t *testing.T) {
	rec := NewRecorder()
	rec.goroutine = func() uint64 { return 0 }
	ended := 0
	rec.OnTrace(func(Trace) { ended++ })
	inner := Wrap(rec, "inner", func(x int) int { return 2 * x })
	outer := Wrap(rec, "outer", func(x int) int { return inner(x) + inner(x) })
	require.Equal(t, 12, outer(3))
	require.Panics(t, func() { Wrap(rec, "fails", func() { panic("no") })() })
	require.Equal(t, 4, ended)
	for _, trace := range rec.Traces() {
		require.Zero(t, trace.Parent)
		require.NotEqual(t, OutcomeRunning, trace.Outcome.Kind)
		require.True(t, trace.Site.Known())
	}
	require.Equal(t, CauseSameSignature, rec.Traces()[2].Cause.Kind)
	require.Equal(t, OutcomePanic, rec.Traces()[3].Outcome.Kind)
}

func TestGoroutineIDTellsGoroutinesApart(t *testing.T) {
	mine := GoroutineID()
	require.NotZero(t, mine)
	other := make(chan uint64)
	go func() { other <- GoroutineID() }()
	require.NotEqual(t, mine, <-other)
	require.Equal(t, mine, GoroutineID())
}
