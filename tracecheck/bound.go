package tracecheck

import (
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// Bounds of every text for people, whatever was passed to what was traced.
const (
	maxLines = 200
	maxBytes = 64 << 10
	maxLine  = 2 << 10
	maxName  = 200 // of what stands in a column
)

// bounded returns a text within the bounds: long lines are cut in their middle,
// and so is the text, since what to do about it stands at its end.
func bounded(text string) string {
	text = cutLines(clip.Lines(text, maxLines), maxLine)
	if len(text) > maxBytes {
		text = cutLines(text, maxBytes/maxLines-1)
	}
	return text
}

func cutLines(text string, limit int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clip.Middle(line, limit)
	}
	return strings.Join(lines, "\n")
}
