package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/vettest"
)

// TestGuideToEngines holds docs/engines.md against the engine in testdata: the page shows its profile, adapter and test as
// they are, and what the linter and the test print.
func TestGuideToEngines(t *testing.T) {
	page := repository + "/docs/engines.md"
	blocks := map[string]string{}
	for _, name := range []string{".tracelint.yaml", "taperecord.go", "app_test.go", "tracelint ./...", "go test ./app"} {
		blocks[name] = docblock.Read(t, page, name)
	}
	t.Chdir(repository + "/testdata/engine")
	t.Setenv("GOWORK", "off")
	for name, path := range map[string]string{
		".tracelint.yaml": ".tracelint.yaml", "taperecord.go": "taperecord/taperecord.go", "app_test.go": "app/app_test.go",
	} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(text), blocks[name]), path)
	}

	alone := standalone().run(t, "./...")
	require.Equal(t, 3, alone.Code)
	require.Empty(t, cmp.Diff(blocks["tracelint ./..."], alone.Stdout))
	require.Empty(t, cmp.Diff(standalone().findings(t, "./..."), vettool().findings(t, "./...")))

	failing := vettest.Run(t, "go", "test", "-count=1", "./app")
	require.NotZero(t, failing.Code)
	started := strings.Index(failing.Stdout, "--- FAIL")
	require.GreaterOrEqual(t, started, 0, failing.Stdout)
	report, _, _ := strings.Cut(failing.Stdout[started:], "FAIL\n")
	require.Empty(t, cmp.Diff(withoutTimes(blocks["go test ./app"]), withoutTimes(report)))
	passing := vettest.Run(t, "go", "test", "-count=1", "./fixed")
	require.Zero(t, passing.Code, passing.Stdout)
}

func withoutTimes(text string) string {
	return regexp.MustCompile(`[\d.]+(ns|µs|ms|s)\b`).ReplaceAllString(text, "TIME")
}
