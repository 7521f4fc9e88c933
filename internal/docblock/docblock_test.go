package docblock

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const page = "# Title\n\nWrite `a.yml`:\n\n```yaml\na: 1\n\nb: 2\n```\n\n```yaml\nunnamed: 1\n```\n\nThen run it, and keep\n`b.json`:\n```json\n{}\n```\n"

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	require.Equal(t, "a: 1\n\nb: 2\n", Read(t, path, "a.yml"))
	require.Equal(t, "{}\n", Read(t, path, "b.json"))
}
