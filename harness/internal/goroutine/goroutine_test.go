package goroutine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/internal/goroutine"
)

func TestIDTellsGoroutinesApart(t *testing.T) {
	mine := goroutine.ID()
	require.NotZero(t, mine)
	require.Equal(t, mine, goroutine.ID())
	other := make(chan uint64)
	go func() { other <- goroutine.ID() }()
	require.NotEqual(t, mine, <-other)
}
