// Package ci tests what runs tracelint for others: the GitHub action, the workflows, the pre-commit hook and the task
// of an editor.
package ci

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
)

// Exit codes of tracelint.
const (
	exitUsage    = 2
	exitFindings = 3
)

// annotation is what others show of a finding.
type annotation struct{ File, Line, Column, Message, Code string }

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
