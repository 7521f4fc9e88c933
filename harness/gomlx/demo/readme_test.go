package demo

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

const root = "../../.."

// run gives a command's output in the repository's root. Both commands that README.md shows end with findings, so
// their exit codes are not zero.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, string(out))
	return string(out)
}

var (
	block    = "(?s)<!-- %s -->\n```\n(.*?)```\n"
	duration = regexp.MustCompile(`\d+(\.\d+)?(ns|µs|ms|s)\b`)
)

// hold compares a block of README.md with what a command prints, durations apart. With UPDATE_README=1 it writes the
// block instead.
func hold(t *testing.T, mark, got string) {
	t.Helper()
	path := filepath.Join(root, "README.md")
	readme, err := os.ReadFile(path)
	require.NoError(t, err)
	pattern := regexp.MustCompile(strings.Replace(block, "%s", regexp.QuoteMeta(mark), 1))
	found := pattern.FindSubmatchIndex(readme)
	require.NotNil(t, found, "README.md has no block after %q", mark)
	shown := string(readme[found[2]:found[3]])
	if os.Getenv("UPDATE_README") == "1" {
		updated := string(readme[:found[2]]) + got + string(readme[found[3]:])
		require.NoError(t, os.WriteFile(path, []byte(updated), 0o644))
		return
	}
	normalise := func(s string) string { return duration.ReplaceAllString(s, "TIME") }
	require.Empty(t, cmp.Diff(normalise(shown), normalise(got)))
}

func TestReadmeFindings(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "tracelint")
	build := exec.Command("go", "build", "-o", binary, "./cmd/tracelint")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	hold(t, "output of the command above, held by a test", run(t, binary, "./harness/gomlx/demo"))
}

func TestReadmeFailure(t *testing.T) {
	out := run(t, "go", "test", "-count=1", "./harness/gomlx/demo/testdata/failing")
	out, _, _ = strings.Cut(out, "    lengths_test.go:25:") // the log of all traces, which Record adds
	hold(t, "output of go test ./harness/gomlx/demo/testdata/failing, held by a test",
		regexp.MustCompile(`(?m)^(--- FAIL.*\(\d+\.\d+s\)\n)`).ReplaceAllString(out, "--- FAIL: TestSentences (0.00s)\n"))
}
