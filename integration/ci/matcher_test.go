package ci

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/drivertest"
	"github.com/tracelint/tracelint/internal/vettest"
)

// matcher reads output a line at a time. GitHub and VS Code know the same form: an expression, and which of its groups
// is what.
type matcher struct {
	Regexp                            string
	File, Line, Column, Message, Code int
}

// annotation is what a matcher makes of a line that matches.
type annotation struct{ File, Line, Column, Message, Code string }

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

// inLinted are the annotations of the module that the tests analyse, which lies in a directory. Those of its tests come
// last. tracelint itself does not heed nolint.
func inLinted(directory string) []annotation {
	return []annotation{
		{File: directory + "model/model.go", Line: "14", Column: "2", Code: "print"},
		{File: directory + "model/model.go", Line: "15", Column: "2", Code: "print"},
		{File: directory + "model/model_test.go", Line: "10", Column: "5", Code: "environ"},
	}
}

// requireAnnotations compares annotations but for their messages, of which there must be some.
func requireAnnotations(t *testing.T, want, got []annotation) {
	t.Helper()
	require.Empty(t, cmp.Diff(want, got, cmpopts.IgnoreFields(annotation{}, "Message")))
	for _, a := range got {
		require.NotEmpty(t, a.Message)
		require.NotContains(t, a.Message, a.File)
		require.NotContains(t, a.Message, "("+a.Code+")")
	}
}

// repositoryFile is the absolute path of a file or directory of this repository.
func repositoryFile(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"..", ".."}, elements...)...))
	require.NoError(t, err)
	return path
}

// copyLinted lays the module with findings into a directory, which need not exist.
func copyLinted(t *testing.T, directory string) {
	t.Helper()
	require.NoError(t, os.CopyFS(directory, os.DirFS(repositoryFile(t, "integration", "testdata", "linted"))))
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
