package tracecheck_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
)

// testLogged runs passing tests of two packages of one name, logged to dir.
func testLogged(dir string) (output string, err error) {
	command := exec.Command("go", "test", "-count=1", "./testdata/logged/...")
	command.Env = append(os.Environ(), harness.LogVariable+"="+dir)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestEachProcessLogsToAFileOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	for runs := 1; runs <= 2; runs++ {
		output, err := testLogged(dir)
		require.NoError(t, err, output)
		files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		require.NoError(t, err)
		require.Len(t, files, 2*runs)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Regexp(t, `^{"v":1,"process":{"program":"[^"]+/logged/[ab]/same.test",[^\n]*\n`+
				`{"v":1,"trace":{"recorder":1,"id":1,[^\n]*\n{"v":1,"trace":{"recorder":2,"id":1,[^\n]*\n$`, string(text))
		}
	}
}

// The go command hides what passing tests print.
func TestUnusableLogFailsTheTest(t *testing.T) {
	output, err := testLogged("traces")
	require.Error(t, err)
	require.Contains(t, output, `the traces are not logged as TRACELINT_TRACE asks: directory "traces" is relative, `+
		`and each package's tests run in the package's own directory: give an absolute one, such as TRACELINT_TRACE="$PWD/traces"`)
	require.Contains(t, output, "--- FAIL: TestFirst")
	require.Contains(t, output, "--- FAIL: TestSecond")
}
