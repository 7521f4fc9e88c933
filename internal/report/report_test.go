package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is a name that each of the outputs could take for its own.
const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e\"'`${1}{{.}}&amp;\n"

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func at(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }

// aProcess begins a log.
func aProcess(program string, start int) tracelog.Line {
	return tracelog.Line{Process: &tracelog.Process{Program: program, PID: 7, Go: "go1.26", Start: at(start)}}
}

func site(file string, line int) *tracelog.Site {
	return &tracelog.Site{Function: "example.com/m.Train", File: file, Line: line}
}

// first is the first trace of a function with a tensor of one axis.
func first(id int, name string, size, start, took int) *tracelog.Trace {
	return &tracelog.Trace{
		Recorder: 1,
		ID:       id,
		Function: tracelog.Function{Package: "example.com/m", Name: name},
		Wrapper:  &tracelog.Wrapper{ID: 1, Description: "*graph.Exec", Site: site("/src/m/model.go", 5)},
		Args:     []tracelog.Arg{{Name: "x", Kind: tracelog.Tensor, Type: "float32", Dims: []int{size}}},
		Cause:    tracelog.Cause{Kind: tracelog.First, Label: "first trace", Text: "first trace"},
		Site:     site("/src/m/train.go", 12),
		Start:    at(start),
		Duration: time.Duration(took) * time.Millisecond,
		Outcome:  tracelog.Outcome{Kind: tracelog.Returned},
	}
}

// again is a retrace with another size of the axis.
func again(id int, name string, from, to, start, took int) *tracelog.Trace {
	t := first(id, name, to, start, took)
	t.Retrace = true
	text := fmt.Sprintf("new signature: x: axis 0: %d -> %d (nearest: trace 1)", from, to)
	t.Cause = tracelog.Cause{
		Kind: tracelog.NewSignature, Label: "new signature", Text: text, Earlier: 1, Wrapper: tracelog.SameWrapper,
		Differences: []tracelog.Difference{{
			Arg: "x", Kind: tracelog.DifferentAxis, Of: tracelog.Tensor, Where: "x: axis 0", From: fmt.Sprint(from), To: fmt.Sprint(to),
		}},
	}
	return t
}

// rewrapped is a retrace by another wrapper.
func rewrapped(id int, name string, size, start, took int) *tracelog.Trace {
	t := first(id, name, size, start, took)
	t.Retrace = true
	t.Wrapper = &tracelog.Wrapper{ID: 2, Description: "*graph.Exec", Site: site("/src/m/serve.go", 40)}
	t.Cause = tracelog.Cause{
		Kind: tracelog.SameSignature, Label: "same signature", Text: "same signature as trace 1, of another wrapper",
		Earlier: 1, Wrapper: tracelog.OtherWrapper,
	}
	return t
}

func within(parent int, t *tracelog.Trace) *tracelog.Trace {
	t.Parent = parent
	return t
}

func failed(kind, text string, t *tracelog.Trace) *tracelog.Trace {
	t.Outcome = tracelog.Outcome{Kind: kind, Text: text}
	return t
}

func encode(t testing.TB, process tracelog.Line, traces ...*tracelog.Trace) string {
	t.Helper()
	var text strings.Builder
	for _, l := range append([]tracelog.Line{process}, lines(traces)...) {
		line, err := l.Encode()
		require.NoError(t, err)
		text.Write(line)
	}
	return text.String()
}

func lines(traces []*tracelog.Trace) []tracelog.Line {
	result := make([]tracelog.Line, len(traces))
	for i, t := range traces {
		result[i].Trace = t
	}
	return result
}

// write writes logs into a new directory.
func write(t testing.TB, logs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, log := range logs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), []byte(log), 0o600))
	}
	return dir
}

func load(t testing.TB, logs ...string) *Report {
	t.Helper()
	r, err := Load([]string{write(t, logs...)}, Options{Dir: "/src"})
	require.NoError(t, err)
	return r
}

// model is a log with what reports tell: nesting, several causes, failures.
func model(t testing.TB) string {
	return encode(t, aProcess("example.com/m.test", 0),
		within(1, first(2, "inference", 3, 1, 5)),
		first(1, "fun", 3, 0, 20),
		within(3, again(4, "inference", 3, 4, 31, 5)),
		again(3, "fun", 3, 4, 30, 20),
		rewrapped(5, "fun", 3, 60, 7),
		failed(tracelog.Panic, "no such layer", again(6, "fun", 3, 5, 70, 30)),
		within(7, first(8, hostile, 1, 100, 0)), // the outer one never ended
	)
}

func summary(t testing.TB, r *Report) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, r.WriteSummary(&text))
	return text.String()
}

func TestSummary(t *testing.T) {
	r := load(t, model(t), encode(t, aProcess("example.com/n.test", 50), first(1, "fun", 3, 51, 1)))
	require.Empty(t, r.Problems)
	got := summary(t, r)
	const golden = "testdata/summary.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), got))
}

func TestSummaryOfNothing(t *testing.T) {
	require.Equal(t, "0 traces of 0 functions in 1 process; no retraces\n", summary(t, load(t, encode(t, aProcess("m.test", 0)))))
}

func TestSummaryIsShort(t *testing.T) {
	var traces []*tracelog.Trace
	for i := range 200 {
		name := fmt.Sprintf("f%d%s", i, strings.Repeat("x", 1000))
		traces = append(traces, first(2*i+1, name, 1, i, 1), again(2*i+2, name, 1, 2, i, 1))
	}
	got := strings.Split(summary(t, load(t, encode(t, aProcess("m.test", 0), traces...))), "\n")
	require.Less(t, len(got), 50)
	require.Contains(t, got, "and 175 functions with fewer traces: -html shows all")
	require.Contains(t, got, "and 190 causes that cost less: -html shows all")
	for _, line := range got {
		require.Less(t, len([]rune(line)), 350)
	}
}

func TestNames(t *testing.T) {
	var traces []*tracelog.Trace
	for i, f := range []tracelog.Function{
		{Package: "a.com/x", Name: "one"},
		{Package: "a.com/x", Name: "two"}, {Package: "a.com/y", Name: "two"},
		{Package: "a.com/x", Name: "three"}, {Package: "b.com/x", Name: "three"}, {Name: "three"},
	} {
		trace := first(i+1, "", 1, 0, 0)
		trace.Function = f
		traces = append(traces, trace)
	}
	var names []string
	for _, f := range load(t, encode(t, aProcess("m.test", 0), traces...)).functions {
		names = append(names, f.name)
	}
	require.Equal(t, []string{"a.com/x.three", "b.com/x.three", "one", "three", "x.two", "y.two"}, names)
}

func TestPlaces(t *testing.T) {
	here := newPlaces(filepath.FromSlash("/src/m"))
	require.Empty(t, here.show(nil))
	for range 2 {
		require.Equal(t, "train.go:12", here.show(site("/src/m/train.go", 12)))
	}
	require.Equal(t, "sub/train.go:12", here.show(site("/src/m/sub/train.go", 12)))
	require.Equal(t, "other/train.go:12", here.show(site("/src/other/train.go", 12)))
	require.Equal(t, "m/train.go:12", here.show(site("example.com/m/train.go", 12)), "built with -trimpath")
}
