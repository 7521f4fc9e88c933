package harness

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// LogVariable is the environment variable that turns the log on for every
// recorder of a process: it names the directory in which each process makes a
// file of its own. It is read when the process makes its first recorder.
const LogVariable = "TRACELINT_TRACE"

// A Log streams the traces of any number of recorders as JSON lines, each as
// soon as it ends; docs/trace-log.md tells their form.
type Log struct {
	onError func(error) // called with the first error

	mu        sync.Mutex
	w         io.Writer
	recorders int
	err       error
}

// NewLog returns a log that writes to w, one call of Write a line, and begins
// with a line about the process. After an error it writes no more. If w does
// not buffer, as *os.File does not, then no trace that ended is lost when the
// process dies, whatever it dies of.
func NewLog(w io.Writer) *Log { return newLog(w, func(error) {}) }

func newLog(w io.Writer, onError func(error)) *Log {
	l := &Log{w: w, onError: onError}
	l.write(tracelog.Line{Process: &tracelog.Process{
		Program: program(),
		PID:     os.Getpid(),
		Go:      runtime.Version(),
		Start:   time.Now().UTC(),
	}})
	return l
}

// Err returns the first error of writing, nil if there was none.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// LogTo streams the traces that end from now on to a log. The function returned
// stops that.
func (r *Recorder) LogTo(l *Log) (stop func()) {
	l.mu.Lock()
	l.recorders++
	number := l.recorders
	l.mu.Unlock()
	return r.OnTrace(func(t Trace) { l.write(tracelog.Line{Trace: logged(number, t)}) })
}

func (l *Log) write(line tracelog.Line) {
	text, err := line.Encode()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	if err == nil {
		_, err = l.w.Write(text)
	}
	if err != nil {
		l.err = err
		l.onError(err)
	}
}

// LogErr returns why the log that TRACELINT_TRACE asks for is missing or
// incomplete; nil if nothing is wrong or none is asked for. A process says it
// on standard error too, which the go command hides if the tests pass.
func LogErr() error {
	log, err := processLog()
	if log == nil {
		return err
	}
	return logError(log.Err())
}

// processLog opens the log that the environment asks for, once: all recorders
// of a process share one file. It returns nil if none is asked for.
var processLog = sync.OnceValues(func() (*Log, error) {
	dir := os.Getenv(LogVariable)
	if dir == "" {
		return nil, nil
	}
	log, err := openLog(dir)
	if err != nil {
		err = logError(err)
		complain(err)
	}
	return log, err
})

func openLog(dir string) (*Log, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("directory %q is relative, and each package's tests run in the package's own directory: "+
			"give an absolute one, such as %s=\"$PWD/%s\"", dir, LogVariable, filepath.ToSlash(filepath.Clean(dir)))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	// The name is for people; that no two processes share it is CreateTemp's doing.
	pattern := fmt.Sprintf("%s-%d-*%s", filepath.Base(program()), os.Getpid(), tracelog.Extension)
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	return newLog(file, func(err error) { complain(logError(err)) }), nil
}

// complain tells of an error where nobody may ask for it.
func complain(err error) { fmt.Fprintln(os.Stderr, "tracelint:", err) }

func logError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the traces are not logged as %s asks: %w", LogVariable, err)
}

// program returns the import path of what was built: `example.com/m/pkg.test`.
func program() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		return info.Path
	}
	return filepath.Base(os.Args[0])
}

// logToProcess is for each new recorder.
func (r *Recorder) logToProcess() {
	if log, _ := processLog(); log != nil {
		r.LogTo(log)
	}
}
