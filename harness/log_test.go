package harness_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/internal/tracelog"
)

// readLog returns the lines of a log, none of which may be broken.
func readLog(t *testing.T, log io.Reader) (processes []tracelog.Process, traces []tracelog.Trace) {
	t.Helper()
	for r := tracelog.NewReader(log); ; {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return processes, traces
		}
		require.NoError(t, err)
		if line.Process != nil {
			processes = append(processes, *line.Process)
		} else {
			traces = append(traces, *line.Trace)
		}
	}
}

func TestLogHoldsTheTrace(t *testing.T) {
	var text bytes.Buffer
	log := harness.NewLog(&text)
	rec := harness.NewRecorder()
	stop := rec.LogTo(log)
	wrapper := rec.NewWrapper("*graph.Exec")
	function := harness.Function{Package: "example.com/m", Name: "(*Model).Fun"}

	outer := rec.Start(harness.Info{Function: function, Wrapper: wrapper, Args: harness.Signature{
		{Name: "x", Kind: harness.Tensor, Type: "float32", Dims: []int{3, -1}},
		{Kind: harness.Structure, Type: "[]any", Elems: []harness.Arg{{Name: "[0]", Kind: harness.Literal, Type: "int", Value: "4", Key: "int 4"}}},
	}})
	rec.Start(harness.Info{Function: function, Wrapper: wrapper, Args: harness.Signature{
		{Name: "x", Kind: harness.Tensor, Type: "float32", Dims: []int{4, -1}},
	}, Untimed: true}).End(harness.Panicked("no\nsuch layer"))
	outer.End(harness.Returned())
	rec.Start(harness.Info{}).End(harness.Failed(errors.New("<b>")))
	stop()
	rec.Start(harness.Info{}).End(harness.Returned())
	require.NoError(t, log.Err())

	processes, traces := readLog(t, &text)
	require.Len(t, processes, 1)
	require.Equal(t, os.Getpid(), processes[0].PID)
	require.Equal(t, "github.com/tracelint/tracelint/harness.test", processes[0].Program)
	for _, trace := range traces {
		require.Equal(t, rec.Traces()[trace.ID-1].Duration, trace.Duration)
		require.True(t, rec.Traces()[trace.ID-1].Start.Equal(trace.Start))
		require.Equal(t, "github.com/tracelint/tracelint/harness_test.TestLogHoldsTheTrace", trace.Site.Function)
		require.Equal(t, "log_test.go", filepath.Base(trace.Site.File))
		require.Positive(t, trace.Site.Line)
	}
	logged := tracelog.Function{Package: "example.com/m", Name: "(*Model).Fun"}
	loggedWrapper := &tracelog.Wrapper{ID: 1, Description: "*graph.Exec"}
	want := []tracelog.Trace{{
		Recorder: 1, ID: 2, Parent: 1, Function: logged, Wrapper: loggedWrapper, Retrace: true,
		Args: []tracelog.Arg{{Name: "x", Kind: "tensor", Type: "float32", Dims: []int{4, -1}}}, Untimed: true,
		Cause: tracelog.Cause{
			Kind: "new-signature", Label: "new signature", Earlier: 1, Wrapper: "same",
			Text: "new signature: x: axis 0: 3 -> 4, arg 1: {[0] 4} -> none (nearest: trace 1, of the same wrapper)",
			Differences: []tracelog.Difference{
				{Arg: "x", Kind: "axis", Of: "tensor", Type: "float32", Where: "x: axis 0", From: "3", To: "4"},
				{Arg: "arg 1", Kind: "structure", Of: "structure", Type: "[]any", Where: "arg 1", From: "{[0] 4}"},
			},
		},
		Outcome: tracelog.Outcome{Kind: "panic", Text: "no\nsuch layer"},
	}, {
		Recorder: 1, ID: 1, Function: logged, Wrapper: loggedWrapper,
		Args: []tracelog.Arg{
			{Name: "x", Kind: "tensor", Type: "float32", Dims: []int{3, -1}},
			{Kind: "structure", Type: "[]any", Elems: []tracelog.Arg{{Name: "[0]", Kind: "literal", Type: "int", Value: "4", Key: "int 4"}}},
		},
		Cause:   tracelog.Cause{Kind: "first", Label: "first trace", Text: "first trace"},
		Outcome: tracelog.Outcome{Kind: "returned"},
	}, {
		Recorder: 1, ID: 3, Function: tracelog.Function{Name: "unnamed", Nameless: true},
		Cause:   tracelog.Cause{Kind: "first", Label: "first trace", Text: "first trace"},
		Outcome: tracelog.Outcome{Kind: "error", Text: "<b>"},
	}}
	ignored := cmp.Options{
		cmpopts.IgnoreFields(tracelog.Trace{}, "Site", "Start", "Duration"),
		cmpopts.IgnoreFields(tracelog.Wrapper{}, "Site"),
	}
	require.Empty(t, cmp.Diff(want, traces, ignored))
}

// What a trace gains must reach the log.
func TestLogHasEveryFieldOfATrace(t *testing.T) {
	pairs := map[reflect.Type]reflect.Type{
		reflect.TypeFor[harness.Trace]():      reflect.TypeFor[tracelog.Trace](),
		reflect.TypeFor[harness.Function]():   reflect.TypeFor[tracelog.Function](),
		reflect.TypeFor[harness.Wrapper]():    reflect.TypeFor[tracelog.Wrapper](),
		reflect.TypeFor[harness.Arg]():        reflect.TypeFor[tracelog.Arg](),
		reflect.TypeFor[harness.Cause]():      reflect.TypeFor[tracelog.Cause](),
		reflect.TypeFor[harness.Difference](): reflect.TypeFor[tracelog.Difference](),
		reflect.TypeFor[harness.Outcome]():    reflect.TypeFor[tracelog.Outcome](),
	}
	for from, to := range pairs {
		for i := range from.NumField() {
			name := from.Field(i).Name
			_, ok := to.FieldByName(name)
			require.True(t, ok, "%s.%s is not in the log", from, name)
		}
	}
}

// Kinds without a name have a String of the form CauseKind(7), and end the list.
func TestLogNamesEveryKind(t *testing.T) {
	var text bytes.Buffer
	rec := harness.NewRecorder()
	rec.LogTo(harness.NewLog(&text))
	kinds := 0
	for ; !strings.HasPrefix(harness.CauseKind(kinds).String(), "CauseKind("); kinds++ {
		rec.Start(harness.Info{Cause: &harness.Cause{Kind: harness.CauseKind(kinds)}}).End(harness.Returned())
	}
	_, traces := readLog(t, &text)
	require.Len(t, traces, kinds)
	for _, trace := range traces {
		require.NotContains(t, trace.Cause.Kind, "#", trace.Cause.Label)
	}
}

func TestLogOfSeveralRecorders(t *testing.T) {
	var text bytes.Buffer
	log := harness.NewLog(&text)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			rec := harness.NewRecorder()
			rec.LogTo(log)
			f := harness.Wrap(rec, "f", identity)
			for range 50 {
				f(et.NewNode(et.Float32, 3))
			}
		})
	}
	wait.Wait()
	_, traces := readLog(t, &text)
	seen := map[[2]int]bool{}
	for _, trace := range traces {
		seen[[2]int{trace.Recorder, trace.ID}] = true
	}
	require.Len(t, seen, 8*50)
}

// A disk that is full after a number of lines.
type fullDisk struct {
	free  int
	lines [][]byte
}

func (d *fullDisk) Write(line []byte) (int, error) {
	if d.free == 0 {
		return 0, errors.New("no space left on device")
	}
	d.free--
	d.lines = append(d.lines, bytes.Clone(line))
	return len(line), nil
}

func TestLogStopsAtAnError(t *testing.T) {
	disk := &fullDisk{free: 2}
	log := harness.NewLog(disk)
	rec := harness.NewRecorder()
	rec.LogTo(log)
	f := harness.Wrap(rec, "f", identity)
	f(et.NewNode(et.Float32, 3))
	require.NoError(t, log.Err())
	f(et.NewNode(et.Float32, 4))
	disk.free = 1
	f(et.NewNode(et.Float32, 5))
	require.EqualError(t, log.Err(), "no space left on device")
	require.Len(t, disk.lines, 2)
	require.Equal(t, 3, rec.LastID(), "the recorder goes on")
}

func buildLogging(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "logging")
	out, err := exec.Command("go", "build", "-o", binary, "./testdata/logging").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

func TestKillLosesNoFinishedTrace(t *testing.T) {
	binary, dir := buildLogging(t), filepath.Join(t.TempDir(), "made", "by", "the", "log")
	command := exec.Command(binary)
	command.Env = append(os.Environ(), harness.LogVariable+"="+dir)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())

	// The process goes on while what it said is read, so that it dies anywhere.
	var acknowledged []string
	lines := bufio.NewScanner(stdout)
	for len(acknowledged) < 500 && lines.Scan() {
		acknowledged = append(acknowledged, lines.Text())
	}
	require.NoError(t, command.Process.Kill())
	for lines.Scan() { // what it said before it died
		acknowledged = append(acknowledged, lines.Text())
	}
	require.Error(t, command.Wait(), "it was killed")
	acknowledged = acknowledged[:len(acknowledged)-1] // may be cut short

	files, err := filepath.Glob(filepath.Join(dir, "logging-*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	whole := text[:bytes.LastIndexByte(text, '\n')+1] // the last line may be cut short
	processes, traces := readLog(t, bytes.NewReader(whole))
	require.Len(t, processes, 1)
	require.Equal(t, command.Process.Pid, processes[0].PID)
	logged := map[string]bool{}
	for _, trace := range traces {
		logged[strconv.Itoa(trace.ID)] = true
	}
	for _, id := range acknowledged {
		require.True(t, logged[id], "trace %s ended and is not in the log", id)
	}
}

func TestLogRefusesWhatItCannotUse(t *testing.T) {
	binary := buildLogging(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for dir, want := range map[string]string{
		"out/": `tracelint: the traces are not logged as TRACELINT_TRACE asks: directory "out/" is relative, ` +
			`and each package's tests run in the package's own directory: give an absolute one, such as TRACELINT_TRACE="$PWD/out"` + "\n",
		file: "tracelint: the traces are not logged as TRACELINT_TRACE asks: mkdir " + file + ": not a directory\n",
	} {
		work := t.TempDir()
		command := exec.Command(binary)
		command.Dir, command.Env = work, append(os.Environ(), harness.LogVariable+"="+dir)
		stderr, err := command.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		got, err := bufio.NewReader(stderr).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
		entries, err := os.ReadDir(work)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func TestLogIsInUTC(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	time.Local = time.FixedZone("east", 5*60*60)
	var text bytes.Buffer
	rec := harness.NewRecorder()
	rec.LogTo(harness.NewLog(&text))
	rec.Start(harness.Info{}).End(harness.Returned())
	require.Equal(t, 2, strings.Count(text.String(), `"start":"`))
	require.Equal(t, 2, len(regexp.MustCompile(`"start":"[-0-9T:.]+Z"`).FindAllString(text.String(), -1)), text.String())
}

// Servers import this package.
func TestOnlyTheStandardLibraryIsImported(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	for _, pkg := range strings.Fields(string(out)) {
		require.True(t, strings.HasPrefix(pkg, "github.com/tracelint/tracelint/"), pkg)
	}
	out, err = exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	require.NotContains(t, strings.Fields(string(out)), "testing")
}
