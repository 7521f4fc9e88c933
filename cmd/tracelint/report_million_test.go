//go:build slow && linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// writeManyTraces writes the log of a program that traces 100 functions in turn, each
// time with the next size.
func writeManyTraces(t *testing.T, file *os.File, traces int) {
	t.Helper()
	out := bufio.NewWriter(file)
	write := func(l tracelog.Line) {
		text, err := l.Encode()
		require.NoError(t, err)
		_, err = out.Write(text)
		require.NoError(t, err)
	}
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	write(tracelog.Line{Process: &tracelog.Process{Program: "example.com/m.test", PID: 7, Go: "go1.26", Start: start}})
	for i := range traces {
		from, to := fmt.Sprint(i/100), fmt.Sprint(i/100+1)
		write(tracelog.Line{Trace: &tracelog.Trace{
			Recorder: 1,
			ID:       i + 1,
			Function: tracelog.Function{Package: "example.com/m", Name: fmt.Sprint("layer", i%100)},
			Wrapper:  &tracelog.Wrapper{ID: i % 100, Description: "*graph.Exec", Site: &tracelog.Site{File: "/src/m/model.go", Line: i % 100}},
			Args:     []tracelog.Arg{{Name: "x", Kind: tracelog.Tensor, Type: "float32", Dims: []int{i/100 + 1, 128}}},
			Cause: tracelog.Cause{
				Kind: tracelog.NewSignature, Label: "new signature", Text: "new signature: x: axis 0: " + from + " -> " + to, Wrapper: tracelog.SameWrapper,
				Differences: []tracelog.Difference{{Arg: "x", Kind: tracelog.DifferentAxis, Of: tracelog.Tensor, Where: "x: axis 0", From: from, To: to}},
			},
			Retrace:  i >= 100,
			Site:     &tracelog.Site{Function: "example.com/m.Train", File: "/src/m/train.go", Line: 12},
			Start:    start.Add(time.Duration(i) * time.Millisecond),
			Duration: time.Millisecond,
			Outcome:  tracelog.Outcome{Kind: tracelog.Returned},
		}})
	}
	require.NoError(t, out.Flush())
	require.NoError(t, file.Close())
}

func TestReportOfAMillionTraces(t *testing.T) {
	const traces, memory, output = 1_000_000, 300_000_000, 16_000_000
	read, write, err := os.Pipe()
	require.NoError(t, err)
	html, perfetto := filepath.Join(t.TempDir(), "out.html"), filepath.Join(t.TempDir(), "out.json")
	command := exec.Command(binary, "report", "-html", html, "-perfetto", perfetto, "/dev/stdin")
	command.Stdin = read
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	require.NoError(t, command.Start())
	require.NoError(t, read.Close())
	writeManyTraces(t, write, traces)
	require.NoError(t, command.Wait(), stderr.String())

	require.Contains(t, stdout.String(), "1000000 traces of 100 functions in 1 process; 999900 retraces cost 16m40s of 16m40s spent tracing\n")
	require.Contains(t, stdout.String(), "980000 traces with signatures beyond the first 20000 are counted, not listed\n")
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	t.Logf("%d traces took %v of the processors and %d MiB at most", traces, command.ProcessState.UserTime(), usage.Maxrss>>10)
	require.Less(t, usage.Maxrss<<10, int64(memory))
	for _, file := range []string{html, perfetto} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(output))
	}
}
