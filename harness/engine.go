package harness

import (
	_ "embed"
	"runtime"
	"slices"
	"strings"
	"sync"
)

//go:embed engines.txt
var engineTable string

// tabledPackages returns the packages of the engines that the table knows.
func tabledPackages() []string {
	var packages []string
	for line := range strings.Lines(engineTable) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			packages = append(packages, line)
		}
	}
	return packages
}

// ownPackages lie between an engine and a body on any stack: this package and
// its adapters, and what the Go runtime and a few generic helpers add.
var ownPackages = []string{
	"github.com/tracelint/tracelint/harness",
	"runtime", "reflect", "internal", "sync", "iter", "slices", "maps", "sort",
}

// engines tells the frames of engines from those of their users.
type engines struct {
	mu       sync.RWMutex
	prefixes []string
	// inside remembers what each program counter seen so far is: looking up its
	// function costs more than the rest of a call site.
	inside map[uintptr]bool
}

func (e *engines) register(prefixes []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, prefix := range prefixes {
		prefix = strings.TrimSuffix(prefix, "/")
		if !slices.Contains(e.prefixes, prefix) {
			e.prefixes = append(e.prefixes, prefix)
			e.inside = map[uintptr]bool{}
		}
	}
}

// callSite returns the innermost frame of the calling goroutine that is user
// code.
func (e *engines) callSite() CallSite {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			if !e.isInside(pc) {
				return CallSite{pc}
			}
		}
		if n < len(pcs) {
			return CallSite{}
		}
	}
}

func (e *engines) isInside(pc uintptr) bool {
	e.mu.RLock()
	inside, known := e.inside[pc]
	e.mu.RUnlock()
	if known {
		return inside
	}
	frame := CallSite{pc}.Frame()
	e.mu.Lock()
	defer e.mu.Unlock()
	inside = !strings.HasSuffix(frame.File, "_test.go") && isBelow(FunctionNamed(frame.Function).Package, e.prefixes)
	e.inside[pc] = inside
	return inside
}

// isBelow reports whether a package is an engine's: one of the prefixes, or
// below it and not among its examples, demos, commands or tests.
func isBelow(pkg string, prefixes []string) bool {
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(pkg, prefix)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		for element := range strings.SplitSeq(rest, "/") {
			if element == "examples" || element == "demo" || element == "cmd" || strings.HasSuffix(element, "_test") {
				return false
			}
		}
		return true
	}
	return false
}
