package tracecheck_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// runFailing runs tests of testdata/failing as a person does and returns what
// it prints, up to the last line, which names the package.
func runFailing(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("go", append([]string{"test", "-count=1", "-parallel=1"}, append(args, "./testdata/failing")...)...)
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", output)
	require.Equal(t, 1, exit.ExitCode(), "%s", output)
	return normalise(string(output))
}

func TestWhatAPersonSees(t *testing.T) {
	const golden = "testdata/failing.golden"
	got := runFailing(t, "-skip=TestPanicInBlock")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), got))
}

func TestPanicInBlockEndsTheTestWithItsLog(t *testing.T) {
	got := runFailing(t, "-run=TestPanicInBlock")
	require.Contains(t, got, "failing_test.go:LINE: the recorder saw 1 trace\n")
	require.Contains(t, got, "1 TestPanicInBlock.func1(float32[3]): first trace, at failing/failing_test.go:LINE")
	require.Contains(t, got, "panic: no such layer [recovered, repanicked")
	require.NotContains(t, got, "want 1 trace")
}
