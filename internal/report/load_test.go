package report

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadSkipsBrokenLinesAndNamesThem(t *testing.T) {
	log := model(t)
	cut := strings.Index(log, "\n") + 1
	broken := log[:cut] + "panic: boom\n" + log[cut:] + log[cut:cut+strings.Index(log[cut:], "\n")+1] + `{"v":1,"trace":{"rec`
	dir := write(t, log, broken)
	r, err := Load([]string{dir}, Options{})
	require.NoError(t, err)
	require.Equal(t, []string{
		filepath.Join(dir, "1.jsonl") + ": line 2 is no line of a trace log: invalid character 'p' looking for beginning of value",
		filepath.Join(dir, "1.jsonl") + ": line 10 repeats trace 2 of recorder 1",
		filepath.Join(dir, "1.jsonl") + ": line 11 is cut short: the process or the disk stopped in the middle of it",
	}, r.Problems)
	require.Equal(t, 2*load(t, log).all.traces, r.all.traces)
}

func TestLoadTakesWhatIsGivenOnce(t *testing.T) {
	dir := write(t, model(t), model(t))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("not a log"), 0o600))
	r, err := Load([]string{dir, filepath.Join(dir, ".", "0.jsonl"), filepath.Join(dir, "1.jsonl")}, Options{})
	require.NoError(t, err)
	require.Empty(t, r.Problems)
	require.Equal(t, 2, r.processes)
}

func TestLoadReadsJoinedLogs(t *testing.T) {
	r := load(t, model(t)+model(t))
	require.Empty(t, r.Problems)
	require.Equal(t, 2, r.processes)
	require.Equal(t, 14, r.all.traces)
}

func TestLoadWithoutTheProcess(t *testing.T) {
	_, traces, _ := strings.Cut(model(t), "\n")
	r := load(t, traces)
	require.Empty(t, r.Problems)
	require.Equal(t, "0.jsonl", r.program)
	require.Equal(t, 7, r.all.traces)
}

func TestLoadErrors(t *testing.T) {
	empty := t.TempDir()
	_, err := Load([]string{empty}, Options{})
	require.EqualError(t, err, "directory "+empty+" holds no *.jsonl file: "+
		"record traces with TRACELINT_TRACE=DIR go test -count=1 ./..., where DIR is absolute")
	_, err = Load([]string{filepath.Join(empty, "missing")}, Options{})
	require.ErrorIs(t, err, os.ErrNotExist)

	device := filepath.Join(empty, "device.jsonl")
	require.NoError(t, os.Symlink(os.DevNull, device))
	_, err = Load([]string{empty}, Options{})
	require.EqualError(t, err, device+" is no regular file: name the logs to read instead of their directory")
}

func TestLoadReportsProgress(t *testing.T) {
	logs := []string{model(t), strings.Repeat(" ", 1<<20), model(t)}
	var reads []int64
	var total int64
	_, err := Load([]string{write(t, logs...)}, Options{Progress: func(read, all int64) { reads, total = append(reads, read), all }})
	require.NoError(t, err)
	require.Greater(t, len(reads), 3)
	require.IsNonDecreasing(t, reads)
	require.Equal(t, total, reads[len(reads)-1])
	require.Equal(t, int64(len(strings.Join(logs, ""))), total)
}

func TestProgress(t *testing.T) {
	var terminal strings.Builder
	p := Progress{terminal: &terminal}
	p.Show(1e6, 4e6)
	p.Show(2e6, 4e6) // too soon after
	p.Done()
	require.Equal(t, "\rreading traces: 25% of 4 MB\r\x1b[K", terminal.String())
}

func TestNoProgressForShortInputOrWithoutTerminal(t *testing.T) {
	var terminal strings.Builder
	short := NewProgress(os.Stderr)
	short.terminal = &terminal
	short.Show(1, 2)
	short.Done()
	require.Empty(t, terminal.String())

	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	p := NewProgress(file)
	p.next = p.next.Add(-progressAfter)
	p.Show(1, 2)
	p.Done()
	require.NoError(t, file.Close())
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Empty(t, text)
}

func TestOfManyBrokenLinesTheFirstAreNamed(t *testing.T) {
	r := load(t, model(t)+strings.Repeat("\x1b[31m\n", 1000))
	require.Len(t, r.Problems, 51)
	require.Contains(t, r.Problems[49], "0.jsonl: line 58 is no line of a trace log: invalid character '\\x1b' looking for")
	require.Equal(t, "and 950 further lines that cannot be used", r.Problems[50])
	require.Contains(t, html(t, r), "could not be used: 1000<")
}

// Whatever the logs hold, all outputs can be written.
func FuzzReport(f *testing.F) {
	f.Add(model(f))
	f.Add(`{"v":1,"trace":{"recorder":1,"id":2,"parent":1,"function":{"name":"\u0000"},"wrapper":{"id":0},` +
		`"args":[{"kind":"structure","elems":[{"kind":"tensor","dims":[-1]},{}]}],"cause":{"differences":[{"arg":"[0]"}]}}}`)
	f.Add(`{"v":1,"process":{}}` + "\n" + `{"v":1,"trace":{"recorder":1,"id":9,"retrace":true,"duration_ns":9223372036854775807,"function":{"name":"f"},"start":"9999-12-31T23:59:59Z"}}`)
	f.Fuzz(func(t *testing.T, log string) {
		l := &loader{collector: newCollector("/src", defaultLimits()), progress: func(int64) {}}
		require.NoError(t, l.log("fuzz", strings.NewReader(log)))
		report := l.result()
		require.NotContains(t, summary(t, report), "\x1b")
		require.NoError(t, report.WriteHTML(io.Discard))
		requireTimeline(t, report)
	})
}
