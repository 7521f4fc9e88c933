package harness_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
)

func TestCheckTellsAllThatARecorderMayMiss(t *testing.T) {
	rec := harness.NewRecorder()
	require.NoError(t, rec.Check())
	var first, second error
	rec.AddCheck(func() error { return first })
	rec.AddCheck(func() error { return second })
	require.NoError(t, rec.Check())
	first, second = errors.New("the logger is gone"), errors.New("the hook is gone")
	require.EqualError(t, rec.Check(), "the logger is gone\nthe hook is gone")
	first = nil
	rec.Reset()
	require.EqualError(t, rec.Check(), "the hook is gone", "wrappers stay observed")
}
