package driver

import (
	"fmt"
	"go/types"
	"os"
	"reflect"
	"runtime/debug"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// runner applies an analyzer to packages and carries its facts from one to the next.
type runner struct {
	analyzer *analysis.Analyzer

	mu    sync.Mutex
	facts map[factKey]analysis.Fact
}

// factKey is one kind of fact about one object. Importers see the very objects of what they import, so a pointer
// identifies an object everywhere.
type factKey struct {
	object types.Object
	kind   reflect.Type
}

func newRunner(analyzer *analysis.Analyzer) *runner {
	return &runner{analyzer: analyzer, facts: make(map[factKey]analysis.Fact)}
}

func (r *runner) importFact(object types.Object, fact analysis.Fact) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.facts[factKey{object, reflect.TypeOf(fact)}]
	if ok {
		reflect.ValueOf(fact).Elem().Set(reflect.ValueOf(known).Elem())
	}
	return ok
}

func (r *runner) exportFact(object types.Object, fact analysis.Fact) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.facts[factKey{object, reflect.TypeOf(fact)}] = fact
}

// analyze applies the analyzer, and before it those that it requires, to a loaded unit. It reports whether that
// succeeded.
func (r *runner) analyze(l *loader, u *unit) bool {
	results := make(map[*analysis.Analyzer]any)
	var apply func(*analysis.Analyzer) error
	apply = func(a *analysis.Analyzer) error {
		if _, ok := results[a]; ok {
			return nil
		}
		for _, required := range a.Requires {
			if err := apply(required); err != nil {
				return err
			}
		}
		pass := r.newPass(l, u, a)
		pass.ResultOf = results // of all that is required, and of more
		result, err := protect(pass)
		results[a] = result
		return err
	}
	if err := apply(r.analyzer); err != nil {
		u.errs = append(u.errs, Error{Message: fmt.Sprintf("analysing %s: %v", u.path(), err)})
		return false
	}
	u.result = results[r.analyzer]
	return true
}

// protect runs a pass and turns a panic into an error that tells which package cannot be analysed.
func protect(pass *analysis.Pass) (result any, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("internal error, please report it: %v\n%s", value, debug.Stack())
		}
	}()
	return pass.Analyzer.Run(pass)
}

// newPass makes the pass of an analyzer over a loaded unit.
func (r *runner) newPass(l *loader, u *unit, a *analysis.Analyzer) *analysis.Pass {
	pass := &analysis.Pass{
		Analyzer:         a,
		Fset:             l.fset,
		Files:            u.files,
		Pkg:              u.types,
		TypesInfo:        u.info,
		TypesSizes:       l.sizes,
		ReadFile:         os.ReadFile,
		Report:           func(analysis.Diagnostic) {},
		ImportObjectFact: r.importFact,
		ExportObjectFact: r.exportFact,
	}
	if a == r.analyzer { // what it requires may report too, but nobody asked
		pass.Report = func(d analysis.Diagnostic) { u.diagnostics = append(u.diagnostics, d) }
	}
	if u.Module != nil { // as much as "go vet" tells
		pass.Module = &analysis.Module{Path: u.Module.Path, Version: u.Module.Version, GoVersion: u.Module.GoVersion}
	}
	return pass
}
