package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// fixers are the commands that apply fixes.
func fixers() map[string][]string {
	return map[string][]string{
		"tracelint -fix": {binary, "-fix"},
		"go vet -fix":    {"go", "vet", "-vettool=" + binary, "-fix"},
		"go fix":         {"go", "fix", "-fixtool=" + binary},
	}
}

// enterFixtures makes a copy of a module with suggested fixes the current directory and gives its Go files.
func enterFixtures(t *testing.T, module string) (files []string) {
	t.Helper()
	vettest.Enter(t, "")
	require.NoError(t, os.CopyFS(".", os.DirFS(filepath.Join(repository, "analyzer", "testdata", module))))
	t.Setenv("GOWORK", "off")
	vettest.Download(t)
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// requireFixed compares files with their golden ones, or with what they were if they have none.
func requireFixed(t *testing.T, module string, files []string) {
	t.Helper()
	for _, file := range files {
		want := filepath.Join(repository, "analyzer", "testdata", module, file)
		if _, err := os.Stat(want + ".golden"); err == nil {
			want += ".golden"
		}
		wantText, err := os.ReadFile(want)
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(wantText), string(text)), file)
	}
}

func TestFixesCompileAndLeaveNothingToFix(t *testing.T) { holdFixes(t, "fixes") }

// holdFixes applies all fixes of a module with each of the commands.
func holdFixes(t *testing.T, module string) {
	t.Helper()
	enterFixtures(t, module)
	all := findings(t)
	require.NotEmpty(t, all)
	var unfixed []vettest.Finding
	for _, f := range all {
		if strings.Contains(f.Position, "/kept.go:") {
			unfixed = append(unfixed, f)
		}
	}
	for name, command := range fixers() {
		t.Run(name, func(t *testing.T) {
			files := enterFixtures(t, module)
			out := vettest.Run(t, command[0], append(command[1:], "./...")...)
			require.Equal(t, vettest.Output{}, out)
			requireFixed(t, module, files)

			built := vettest.Run(t, "go", "build", "./...")
			require.Equal(t, vettest.Output{}, built)
			require.Empty(t, cmp.Diff(unfixed, findings(t)))
		})
	}
}

// findings are those in the current directory, without the positions that fixes elsewhere move. No fix is certain for
// those in files named kept.go.
func findings(t *testing.T) []vettest.Finding {
	t.Helper()
	found := vettest.FromText(t, vettest.Run(t, binary, "./...").Stdout)
	for i := range found {
		found[i].Related = nil
	}
	return found
}

func TestFixDiffChangesNothing(t *testing.T) {
	for name, command := range fixers() {
		t.Run(name, func(t *testing.T) {
			enterFixtures(t, "fixes")
			out := vettest.Run(t, command[0], append(command[1:], "-diff", "./abort")...)
			require.Equal(t, 1, out.Code, out.Stderr)
			require.Contains(t, out.Stdout, "+\tpanic(errors.New(\"no scalars\"))")
			text, err := os.ReadFile("abort/alone.go")
			require.NoError(t, err)
			require.NotContains(t, string(text), "errors")
		})
	}
}

func TestFixesKeepLineEndsAndByteOrderMarks(t *testing.T) {
	for name, command := range fixers() {
		t.Run(name, func(t *testing.T) {
			files := enterFixtures(t, "fixes")
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				vettest.Write(t, file, "\ufeff"+strings.ReplaceAll(string(text), "\n", "\r\n"))
			}
			out := vettest.Run(t, command[0], append(command[1:], "./abort")...)
			require.Equal(t, vettest.Output{}, out)
			text, err := os.ReadFile("abort/alone.go")
			require.NoError(t, err)
			require.Contains(t, string(text), "panic(errors.New(\"no scalars\"))")
			require.Equal(t, strings.Count(string(text), "\n"), strings.Count(string(text), "\r\n"))
			require.True(t, strings.HasPrefix(string(text), "\ufeffpackage"), "%.20q", text)
		})
	}
}
