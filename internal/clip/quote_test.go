package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/clip"
)

func TestPrintableEscapesWhatTerminalsObey(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ünïcode and\ttabs":   "plain, ünïcode and\ttabs",
		"\x1b[31mred":                `\x1b[31mred`,
		"\x1b]0;title\x07":           `\x1b]0;title\a`,
		"\u009b2J":                   `\u009b2J`,
		"one\ntwo\rthree":            `one\ntwo\rthree`,
		"a\u202eb":                   `a\u202eb`,
		"bad \xff byte":              `bad \xff byte`,
		"back\\slash stays\\x1b too": "back\\slash stays\\x1b too",
	} {
		require.Equal(t, want, clip.Printable(text))
	}
}

func TestQuoteIsBounded(t *testing.T) {
	require.Equal(t, `"a\x1bb"`, clip.Quote("a\x1bb"))
	long := clip.Quote(strings.Repeat("x", 10_000))
	require.LessOrEqual(t, len(long), 90)
	require.Contains(t, long, "10000 bytes")
}

func TestMessagesHaveNoLongWords(t *testing.T) {
	require.Equal(t, "a.yaml:1: \\x1b is\nno name", clip.Message("a.yaml:1: \x1b is\nno name"))
	require.LessOrEqual(t, len(clip.Message("a.yaml:1: "+strings.Repeat("x", 10_000)+" is no name")), 110)
}
