package tracecheck_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// recordingT is a testing.TB that keeps what it is told. Its Fatalf returns,
// unlike the real one's, as that of a test double does.
type recordingT struct {
	testing.TB
	errors, fatals, logs []string
	cleanups             []func()
}

func (t *recordingT) Helper()          {}
func (t *recordingT) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
func (t *recordingT) Failed() bool     { return len(t.errors)+len(t.fatals) > 0 }
func (t *recordingT) Log(args ...any)  { t.logs = append(t.logs, normalise(fmt.Sprint(args...))) }

func (t *recordingT) Errorf(format string, args ...any) {
	t.errors = append(t.errors, normalise(fmt.Sprintf(format, args...)))
}

func (t *recordingT) Fatalf(format string, args ...any) {
	t.fatals = append(t.fatals, normalise(fmt.Sprintf(format, args...)))
}

// end runs the cleanups as the end of a test does.
func (t *recordingT) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

var (
	durations = regexp.MustCompile(`\b[0-9.]+(ns|µs|ms|s)\b`)
	lines     = regexp.MustCompile(`(\w+/\w+\.go|\w+_test\.go):[0-9]+`)
)

// normalise replaces what differs from run to run, and line numbers.
func normalise(text string) string {
	text = durations.ReplaceAllString(text, "TIME")
	text = lines.ReplaceAllString(text, "$1:LINE")
	return strings.ReplaceAll(text, "\r\n", "\n")
}
