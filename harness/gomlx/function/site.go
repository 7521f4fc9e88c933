package function

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// enginePackage is this package's import path: its frames are no call site.
var enginePackage = reflect.TypeFor[Runtime]().PkgPath()

// callSite returns directory, file and line of the first frame outside of this
// package.
func callSite() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if !isInside(frame.Function) {
			file := filepath.ToSlash(frame.File)
			return fmt.Sprintf("%s/%s:%d", path.Base(path.Dir(file)), path.Base(file), frame.Line)
		}
		if !more {
			return "unknown"
		}
	}
}

// isInside reports whether a frame lies between a body and who called its
// function: in this package, or in what package reflect needs for the call.
func isInside(function string) bool {
	return strings.HasPrefix(function, enginePackage+".") ||
		strings.HasPrefix(function, "reflect.") || strings.HasPrefix(function, "runtime.")
}
