package ci

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/vettest"
)

// TestWorkflows has actionlint check the workflows of this repository and the documented one.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(repositoryFile(t, ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	documented := filepath.Join(t.TempDir(), "tracelint.yml")
	block := docblock.Read(t, repositoryFile(t, "docs", "ci.md"), ".github/workflows/tracelint.yml")
	require.NoError(t, os.WriteFile(documented, []byte(block), 0o644))

	// No other programs, so that the outcome is the same everywhere.
	args := append([]string{"tool", "actionlint", "-shellcheck=", "-pyflakes="}, append(files, documented)...)
	out := vettest.Run(t, "go", args...)
	require.Zero(t, out.Code, out.Stdout+out.Stderr)
}
