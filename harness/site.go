package harness

import (
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A CallSite is a place in code, kept as a program counter and looked up when
// it is shown. The zero value is an unknown one.
type CallSite struct{ pc uintptr }

// Known reports whether the call site is known. It is not where the call came
// from an engine's own goroutine.
func (c CallSite) Known() bool { return c.pc != 0 }

// Frame returns the function, file and line; the zero Frame if unknown.
func (c CallSite) Frame() runtime.Frame {
	if !c.Known() {
		return runtime.Frame{}
	}
	frame, _ := runtime.CallersFrames([]uintptr{c.pc}).Next()
	return frame
}

// String returns the file with its directory's name, and the line:
// `model/train.go:12`, or `unknown`.
func (c CallSite) String() string {
	if !c.Known() {
		return "unknown"
	}
	frame := c.Frame()
	file := filepath.ToSlash(frame.File)
	return lastElements(file, 2) + ":" + strconv.Itoa(frame.Line)
}

// lastElements returns the last n elements of a slash-separated path.
func lastElements(path string, n int) string {
	elements := strings.Split(path, "/")
	return strings.Join(elements[max(0, len(elements)-n):], "/")
}
