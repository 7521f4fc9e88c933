// Package docblock gives tests the code blocks of the documentation, so that what people copy is what is tested.
package docblock

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Read gives the fenced block of a Markdown file whose first line, a comment, names the file that the block is to be
// copied to. It fails the test if there is no such block.
func Read(t *testing.T, path, name string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var block *strings.Builder // the one that is open
	for line := range strings.Lines(string(text)) {
		fence := strings.HasPrefix(line, "```")
		switch {
		case block == nil && fence:
			block = new(strings.Builder)
		case block == nil:
		case fence && names(block.String(), name):
			return block.String()
		case fence:
			block = nil
		default:
			block.WriteString(line)
		}
	}
	require.FailNow(t, "no such block", "%s has no block whose first line is a comment with the name %s", path, name)
	return ""
}

// names reports whether a block's first line is a comment that consists of a name.
func names(block, name string) bool {
	line, _, _ := strings.Cut(block, "\n")
	return line == "# "+name || line == "// "+name
}
