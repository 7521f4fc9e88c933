package ci

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tracelint/tracelint/internal/vettest"
)

// TestPreCommitHook installs the hook as pre-commit does for its language, and runs it.
func TestPreCommitHook(t *testing.T) {
	text, err := os.ReadFile(repositoryFile(t, ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	var hooks []struct {
		Language, Entry string
		Args            []string
		PassFilenames   bool `yaml:"pass_filenames"`
	}
	require.NoError(t, yaml.Unmarshal(text, &hooks))
	require.Len(t, hooks, 1)
	hook := hooks[0]
	require.Equal(t, "golang", hook.Language)
	require.False(t, hook.PassFilenames, "packages cannot be named by their files")

	bin, directory := t.TempDir(), t.TempDir()
	copyLinted(t, directory)
	t.Setenv("GOBIN", bin)
	t.Chdir(repositoryFile(t))
	install := vettest.Run(t, "go", "install", "./...")
	require.Zero(t, install.Code, install.Stderr)

	t.Chdir(directory)
	out := vettest.Run(t, filepath.Join(bin, hook.Entry), hook.Args...)
	require.Equal(t, exitFindings, out.Code, out.Stderr)
	var places []string
	for _, f := range vettest.FromText(t, out.Stdout) {
		places = append(places, f.Position)
	}
	require.Empty(t, cmp.Diff([]string{"model/model.go:14:2", "model/model.go:15:2", "model/model_test.go:10:5"}, places))
}
