package clip_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/clip"
)

func TestMiddleKeepsBothEnds(t *testing.T) {
	require.Equal(t, "abc", clip.Middle("abc", 3))
	long := strings.Repeat("a", 500) + strings.Repeat("z", 500)
	require.Equal(t, "aaaaaaa…(1000 bytes)…zzzzzz", clip.Middle(long, 31))
	require.Equal(t, "…(1000 bytes)…", clip.Middle(long, 0))
	for limit := range 70 {
		got := clip.Middle(strings.Repeat("é世", 30), limit)
		require.True(t, utf8.ValidString(got), got)
		require.LessOrEqual(t, len(got), max(limit, len("…(150 bytes)…")))
	}
	require.LessOrEqual(t, len(clip.Middle(strings.Repeat("\x80", 1000), 100)), 100, "no text at all")
}

func TestLinesKeepsBothEnds(t *testing.T) {
	require.Equal(t, "a\nb\nc", clip.Lines("a\nb\nc", 3))
	require.Equal(t, "a\nb\n…(3 lines)…\nf", clip.Lines("a\nb\nc\nd\ne\nf", 4))
	require.Equal(t, "…(2 lines)…", clip.Lines("a\nb", 1))
	require.Len(t, strings.Split(clip.Lines(strings.Repeat("x\n", 100_000), 200), "\n"), 200)
}
