package suggest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/suggest"
)

func TestDidYouMean(t *testing.T) {
	names := []string{"abort", "print", "write"}
	require.Equal(t, ": did you mean print?", suggest.DidYouMean("pritn", names))
	require.Equal(t, ": did you mean write?", suggest.DidYouMean("writ", names))
	require.Equal(t, ": use one of abort, print, write", suggest.DidYouMean("something", names))
}
