package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
)

// logTraces logs a function traced for two shapes.
func logTraces(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file, err := os.Create(filepath.Join(dir, "log.jsonl"))
	require.NoError(t, err)
	rec := harness.NewRecorder()
	log := harness.NewLog(file)
	rec.LogTo(log)
	for _, size := range []int{3, 4} {
		rec.Start(harness.Info{
			Function: harness.Function{Name: "square"},
			Args:     harness.Signature{{Name: "x", Kind: harness.Tensor, Type: "float32", Dims: []int{size}}},
		}).End(harness.Returned())
	}
	require.NoError(t, log.Err())
	require.NoError(t, file.Close())
	return dir
}

func TestReport(t *testing.T) {
	logs, out := logTraces(t), t.TempDir()
	html, perfetto := filepath.Join(out, "out.html"), filepath.Join(out, "out.json")
	stdout, stderr, code := run("report", "-html", html, "-perfetto="+perfetto, logs)
	require.Zero(t, code, stderr)
	require.Empty(t, stderr)
	require.Regexp(t, `^2 traces of 1 function in 1 process; 1 retrace cost \S+ of \S+ spent tracing\n`, stdout)
	require.Regexp(t, `(?m)^ +2 +1 +\S+ +square +report_test.go:26 +new signature: x: axis 0$`, stdout)

	page, err := os.ReadFile(html)
	require.NoError(t, err)
	require.Contains(t, string(page), `"cause":"new signature: x: axis 0: 3 → 4"`)
	text, err := os.ReadFile(perfetto)
	require.NoError(t, err)
	var timeline struct{ TraceEvents []struct{ Name, Ph string } }
	require.NoError(t, json.Unmarshal(text, &timeline))
	require.Equal(t, []struct{ Name, Ph string }{
		{"process_name", "M"}, {"square", "X"}, {"square", "X"}, {"thread_name", "M"},
	}, timeline.TraceEvents)
}

func TestReportNamesBrokenLines(t *testing.T) {
	file := filepath.Join(logTraces(t), "log.jsonl")
	log, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, log[:len(log)-20], 0o600))
	stdout, stderr, code := run("report", file)
	require.Equal(t, exitError, code)
	require.Contains(t, stdout, "1 trace of 1 function in 1 process; no retraces\n")
	require.Equal(t, "tracelint: "+file+": line 3 is cut short: the process or the disk stopped in the middle of it\n", stderr)
}

func TestReportFails(t *testing.T) {
	logs := logTraces(t)
	missing := filepath.Join(logs, "no", "such")
	for _, args := range [][]string{{missing}, {"-html", missing, logs}, {"-perfetto", missing, logs}, {t.TempDir()}} {
		_, stderr, code := run(append([]string{"report"}, args...)...)
		require.Equal(t, exitError, code, args)
		require.Regexp(t, `^tracelint: .*(no such file or directory|holds no \*\.jsonl file.*)\n$`, stderr)
	}
}

func TestReportUsage(t *testing.T) {
	stdout, _, code := run("report", "-h")
	require.Zero(t, code)
	require.Contains(t, stdout, "tracelint report [-html FILE] [-perfetto FILE] DIR|FILE...")
	require.Contains(t, stdout, "\n  -html FILE\n")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "report needs logs: the directory that TRACELINT_TRACE named, or files"},
		{[]string{"-json", "logs"}, "flag provided but not defined: -json"},
		{[]string{"logs", "-html", "out.html"}, "flag -html stands after the logs: put flags first"},
	} {
		stdout, stderr, code := run(append([]string{"report"}, test.args...)...)
		require.Equal(t, exitUsage, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, test.want)
	}
}

// What goes wrong with progress shows only where standard error is no terminal.
func TestReportShowsNoProgressInAPipe(t *testing.T) {
	dir := logTraces(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.jsonl"), []byte(strings.Repeat(strings.Repeat(" ", 1<<10)+"\n", 1<<16)), 0o600))
	command := exec.Command(binary, "report", dir)
	var stderr strings.Builder
	command.Stderr = &stderr
	require.NoError(t, command.Run())
	require.Empty(t, stderr.String())
}
