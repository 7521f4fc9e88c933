package gomlxtest_test

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestWhatAPersonSees(t *testing.T) {
	output, err := exec.Command("go", "test", "-count=1", "./testdata/failing").CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", output)
	require.Equal(t, 1, exit.ExitCode(), "%s", output)
	want, err := os.ReadFile("testdata/failing.golden")
	require.NoError(t, err)
	got := regexp.MustCompile(`\b[0-9.]+s\b`).ReplaceAllString(string(output), "TIME")
	require.Empty(t, cmp.Diff(string(want), got))
}
