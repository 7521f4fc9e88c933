package tracelog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// readAll returns the usable lines and the errors of the others.
func readAll(log io.Reader) (lines []tracelog.Line, broken []string, err error) {
	for r := tracelog.NewReader(log); ; {
		line, err := r.Next()
		var unusable *tracelog.LineError
		switch {
		case errors.Is(err, io.EOF):
			return lines, broken, nil
		case errors.As(err, &unusable):
			broken = append(broken, err.Error())
		case err != nil:
			return lines, broken, err
		default:
			lines = append(lines, line)
		}
	}
}

func trace(id int) tracelog.Line {
	return tracelog.Line{Version: tracelog.Version, Trace: &tracelog.Trace{
		Recorder: 1,
		ID:       id,
		Function: tracelog.Function{Package: "example.com/m", Name: "f"},
		Args:     []tracelog.Arg{{Name: "<x>", Kind: tracelog.Tensor, Type: "float32", Dims: []int{id}}},
		Cause:    tracelog.Cause{Kind: tracelog.First, Label: "first trace", Text: "first trace"},
		Start:    time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Duration: time.Millisecond,
		Outcome:  tracelog.Outcome{Kind: tracelog.Returned},
	}}
}

func encode(t testing.TB, lines ...tracelog.Line) string {
	t.Helper()
	var text strings.Builder
	for _, l := range lines {
		line, err := l.Encode()
		require.NoError(t, err)
		text.Write(line)
	}
	return text.String()
}

func TestRoundTrip(t *testing.T) {
	process := tracelog.Line{Version: tracelog.Version, Process: &tracelog.Process{Program: "m.test", PID: 7, Go: "go1.26", Start: time.Unix(1, 2).UTC()}}
	unknownArgs, noArgs := trace(1), trace(2)
	unknownArgs.Trace.Args, noArgs.Trace.Args = nil, []tracelog.Arg{}
	want := []tracelog.Line{process, unknownArgs, noArgs, trace(3)}
	got, broken, err := readAll(strings.NewReader(encode(t, want...)))
	require.NoError(t, err)
	require.Empty(t, broken)
	require.Empty(t, cmp.Diff(want, got))
}

func TestBrokenLines(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"cut", `{"v":1,"trace":{"recorder":1,"id`, "is cut short: the process or the disk stopped in the middle of it"},
		{"text", "ok  	example.com/m	0.1s", "is no line of a trace log: invalid character 'o' looking for beginning of value"},
		{"zeros", "\x00\x00\x00", `is no line of a trace log: invalid character '\x00' looking for beginning of value`},
		{"other JSON", `{"Action":"run"}`, `is no line of a trace log: it has no version "v"`},
		{"array", `[]`, "is no line of a trace log: the format is not for a JSON array"},
		{"newer", `{"v":2,"trace":"new form"}`, "is of version 2 of the format, of which this tracelint knows 1: use the tracelint that"},
		{"type", `{"v":1,"trace":{"recorder":"one"}}`, "is no line of a trace log: trace.recorder is not for a JSON string"},
		{"number", `{"v":1,"trace":{"recorder":` + strings.Repeat("9", 1000) + `}}`, "is no line of a trace log: trace.recorder is not for a JSON number"},
		{"time", `{"v":1,"process":{"start":"\u001b[31m` + strings.Repeat("x", 1000) + `"}}`, "is no line of a trace log: parsing time"},
		{"neither", `{"v":1}`, "holds not exactly one of a process and a trace"},
		{"both", `{"v":1,"process":{},"trace":{}}`, "holds not exactly one of a process and a trace"},
		{"recorder", `{"v":1,"trace":{"id":1,"function":{"name":"f"}}}`, "has recorder 0: recorders count from 1"},
		{"id", `{"v":1,"trace":{"recorder":1,"function":{"name":"f"}}}`, "has id 0: traces count from 1"},
		{"cycle", `{"v":1,"trace":{"recorder":1,"id":3,"parent":3,"function":{"name":"f"}}}`, "has parent 3 of trace 3: a parent starts before"},
		{"earlier", `{"v":1,"trace":{"recorder":1,"id":3,"cause":{"earlier":-1},"function":{"name":"f"}}}`, "has earlier trace -1: traces count from 1"},
		{"function", `{"v":1,"trace":{"recorder":1,"id":1}}`, "names no function"},
		{"duration", `{"v":1,"trace":{"recorder":1,"id":1,"duration_ns":-5,"function":{"name":"f"}}}`, "has a duration of -5 ns: none is negative"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := encode(t, trace(1)) + "\n" + test.line + "\n" + encode(t, trace(2))
			got, broken, err := readAll(strings.NewReader(log))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff([]tracelog.Line{trace(1), trace(2)}, got))
			require.Len(t, broken, 1)
			require.Contains(t, broken[0], "line 3 "+test.want)
			require.NotContains(t, broken[0], "\x1b")
			require.Less(t, len(broken[0]), 200)
		})
	}
}

func TestDocumentedLines(t *testing.T) {
	text, err := os.ReadFile("../../docs/trace-log.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```json\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	lines, broken, err := readAll(strings.NewReader(example))
	require.NoError(t, err)
	require.Empty(t, broken)
	require.Equal(t, example, encode(t, lines...))
}

// endless is a line that never ends before its limit.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = ' '
	}
	e.left -= n
	return n, nil
}

func TestLongLines(t *testing.T) {
	_, broken, err := readAll(&endless{65 << 20})
	require.NoError(t, err)
	require.Equal(t, []string{"line 1 is longer than 64 MiB"}, broken)

	long := trace(1)
	long.Trace.Outcome.Text = strings.Repeat("x", 1<<20)
	text, err := json.Marshal(long)
	require.NoError(t, err)
	got, broken, err := readAll(bytes.NewReader(text))
	require.NoError(t, err)
	require.Empty(t, broken)
	require.Equal(t, []tracelog.Line{long}, got, "a last line needs no end")
}

func TestInputFails(t *testing.T) {
	failure := errors.New("input/output error")
	input := io.MultiReader(strings.NewReader(encode(t, trace(1))), errorReader{failure})
	got, _, err := readAll(input)
	require.ErrorIs(t, err, failure)
	require.Len(t, got, 1)
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// What is read can be written, and is then read as the same.
func FuzzReader(f *testing.F) {
	f.Add(encode(f, trace(1), trace(2)))
	f.Add(`{"v":1,"process":{"program":"m","pid":-1,"go":"","start":"2026-01-02T03:04:05+01:00"}}` + "\n\x00\n{\"v\":1")
	f.Add(`{"v":1,"trace":{"recorder":1,"id":2,"parent":1,"function":{"name":"\ud800"},"args":[{"elems":[{"dims":[-1]}]}]}}`)
	f.Fuzz(func(t *testing.T, log string) {
		first, broken, err := readAll(strings.NewReader(log))
		require.NoError(t, err)
		require.LessOrEqual(t, len(first)+len(broken), 1+strings.Count(log, "\n"))
		again, broken, err := readAll(strings.NewReader(encode(t, first...)))
		require.NoError(t, err)
		require.Empty(t, broken)
		require.Equal(t, encode(t, first...), encode(t, again...))
	})
}
