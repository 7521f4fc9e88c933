package ci

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/drivertest"
	"github.com/tracelint/tracelint/internal/vettest"
)

// matcher reads output a line at a time: an expression, and which of its groups is what.
type matcher struct {
	Regexp                            string
	File, Line, Column, Message, Code int
}

func (m matcher) match(t *testing.T, text string) []annotation {
	t.Helper()
	expression, err := regexp.Compile(m.Regexp)
	require.NoError(t, err)
	var annotations []annotation
	for line := range strings.Lines(text) {
		if g := expression.FindStringSubmatch(strings.TrimSuffix(line, "\n")); g != nil {
			annotations = append(annotations, annotation{g[m.File], g[m.Line], g[m.Column], g[m.Message], g[m.Code]})
		}
	}
	return annotations
}

// TestTaskOfVSCode runs the documented task and reads its output with the documented problem matcher.
func TestTaskOfVSCode(t *testing.T) {
	var file struct {
		Tasks []struct {
			Command        string
			Args           []string
			ProblemMatcher struct{ Pattern matcher }
		}
	}
	block := docblock.Read(t, repositoryFile(t, "docs", "editors.md"), ".vscode/tasks.json")
	require.NoError(t, json.Unmarshal([]byte(block), &file))
	require.Len(t, file.Tasks, 1)
	task := file.Tasks[0]

	t.Setenv("PATH", filepath.Dir(drivertest.Tool(t, "tracelint"))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	directory := t.TempDir()
	copyLinted(t, directory)
	t.Chdir(directory)
	out := vettest.Run(t, task.Command, task.Args...)
	require.Equal(t, exitFindings, out.Code, out.Stderr)
	requireAnnotations(t, inLinted(""), task.ProblemMatcher.Pattern.match(t, out.Stdout))
}
