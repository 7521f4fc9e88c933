// Package clip cuts texts that are too long for people to read.
package clip

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Middle returns a text, or of one with more bytes than the limit, its beginning
// and its end with its length between them: `aaaa…(4096 bytes)…zzzz`.
func Middle(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	gap := fmt.Sprintf("…(%d bytes)…", len(text))
	room := max(limit-len(gap), 0)
	head, tail := (room+1)/2, len(text)-room/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + gap + text[tail:]
}

// Lines returns a text, or of one with more lines than the limit, its first and
// its last ones with the number of those left out between them.
func Lines(text string, limit int) string {
	if strings.Count(text, "\n") < limit {
		return text
	}
	lines := strings.Split(text, "\n")
	room := max(limit-1, 0)
	head, tail := (room+1)/2, len(lines)-room/2
	gap := fmt.Sprintf("…(%d lines)…", tail-head)
	return strings.Join(append(append(lines[:head:head], gap), lines[tail:]...), "\n")
}
