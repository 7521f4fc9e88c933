package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	tracereport "github.com/tracelint/tracelint/internal/report"
)

// adapter is the module that the examples of the guide belong to.
const adapter = root + "/harness/gomlx"

// TestGuideToRetraces holds the guide "Find out why it retraces" against the code that it shows, and what a person sees of it.
func TestGuideToRetraces(t *testing.T) {
	text := read(t, "docs/retraces.md")
	var sources, shown strings.Builder
	for _, step := range []struct {
		name   string
		passes bool
	}{{"rebuilt", false}, {"hoisted", false}, {"padded", true}} {
		dir := filepath.Join("testdata", "retraces", step.name)
		source, err := os.ReadFile(filepath.Join(adapter, dir, "score_test.go"))
		require.NoError(t, err)
		sources.Write(source)

		output, passes := testAndReport(t, dir)
		require.Equal(t, step.passes, passes, output)
		shown.WriteString(output)
	}
	lines := strings.Split(withoutTimes(shown.String()), "\n")

	blocks := regexp.MustCompile("(?ms)^```(go|text)\n(.*?)^```$").FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		if block[1] == "go" {
			require.Contains(t, sources.String(), block[2])
			continue
		}
		for line := range strings.SplitSeq(withoutTimes(block[2]), "\n") {
			require.Contains(t, lines, line)
		}
	}
}

// testAndReport runs the tests of a directory of the adapter's with a log, and returns what the
// tests and a report of the log print.
func testAndReport(t *testing.T, dir string) (output string, passes bool) {
	t.Helper()
	logs := t.TempDir()
	command := exec.Command("go", "test", "-count=1", "./"+filepath.ToSlash(dir))
	command.Dir = adapter
	command.Env = append(os.Environ(), harness.LogVariable+"="+logs)
	out, err := command.CombinedOutput()
	work, absErr := filepath.Abs(adapter)
	require.NoError(t, absErr)
	loaded, loadErr := tracereport.Load([]string{logs}, tracereport.Options{Dir: work})
	require.NoError(t, loadErr, "%s", out)
	require.Empty(t, loaded.Problems)
	var summary strings.Builder
	require.NoError(t, loaded.WriteSummary(&summary))
	return string(out) + summary.String(), err == nil
}

// withoutTimes cuts times, and the spaces that align columns with them.
func withoutTimes(text string) string {
	text = regexp.MustCompile(`[\d.]+(ns|µs|ms|s)\b`).ReplaceAllString(text, "TIME")
	return regexp.MustCompile(` +`).ReplaceAllString(text, " ")
}
