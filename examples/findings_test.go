// Package examples_test holds what tracelint finds in the examples.
package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const golden = "testdata/findings.golden"

var finding = regexp.MustCompile(`(?m)^(\S+\.go:\d+):\d+: .*\(([a-z-]+)\)$`)

// The golden has the place and the rule of each finding; no version called after has any. With TRACELINT_UPDATE=1 the
// test writes it instead.
func TestFindings(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tracelint")
	out, err := exec.Command("go", "build", "-o", binary, "github.com/tracelint/tracelint/cmd/tracelint").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command(binary, "./...").Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.ExitCode(), string(exit.Stderr))

	var got strings.Builder
	for _, match := range finding.FindAllStringSubmatch(string(out), -1) {
		require.NotContains(t, match[1], "/after/")
		got.WriteString(match[1] + " " + match[2] + "\n")
	}
	if os.Getenv("TRACELINT_UPDATE") == "1" {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), got.String()))
}
