// Package docblock gives tests the code blocks of the documentation, so that what people copy is what is tested.
package docblock

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Read gives the fenced block of a Markdown file that follows on a line which ends with the name, in backquotes, and a
// colon:
//
//	This is the whole of `nogo.json`:
//
// It fails the test if there is no such block.
func Read(t *testing.T, path, name string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	title := "`" + name + "`:"
	var above string // the last line of text before a block
	var block strings.Builder
	open := false
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case open && strings.HasPrefix(line, "```"):
			if strings.HasSuffix(above, title) {
				return block.String()
			}
			open = false
			above = ""
		case open:
			block.WriteString(line + "\n")
		case strings.HasPrefix(line, "```"):
			open = true
			block.Reset()
		case line != "":
			above = line
		}
	}
	require.FailNow(t, "no such block", "%s has no block below a line that ends with %s", path, title)
	return ""
}
