// Package driver runs an analyzer that knows the standard library from a table over Go packages and all that they
// import, in one process.
//
// Packages are loaded from source, so that facts cross them, but the standard library comes from export data, which
// takes a fraction of the time and memory that its source would. What of it cannot be built, as without a C compiler, is
// type-checked from source and not analysed. Each package is analysed as soon as its imports are, and its syntax dropped.
//
// A package that fails takes along those that import it, which Result.Errors names, and no others.
//
// What is analysed is what "go vet" analyses: a package together with its in-package test files, and the external test
// package beside it. So a package and its test variant give each finding once.
package driver

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Config says how packages are loaded. The go command looks for them from the current directory.
type Config struct {
	Tags  string // build tags, comma-separated; empty for those of GOFLAGS
	Tests bool   // load test files of the packages that the patterns name

	// Outline says, of the files of a package, that the analyzer needs no bodies of their functions. Nil needs all.
	Outline func(files []*ast.File) bool
}

// Result is what an analysis gave.
type Result struct {
	Fset     *token.FileSet // positions of all diagnostics
	Packages []Package      // those that could be analysed, in the order of their paths
	Imported []Package      // those that were analysed because the others import them, likewise
	Errors   []Error        // why others could not, in a stable order

	sources map[string]bool
}

// IsSource reports whether a file is one that the go command lists among those of a package. Others are not to be opened:
// a //line comment can name any file.
func (r *Result) IsSource(file string) bool { return r.sources[file] }

// Package is an analysed package.
type Package struct {
	Path        string // import path; external tests are "path_test"
	Diagnostics []analysis.Diagnostic
	Result      any // what the analyzer returned
}

// Error is why a package could not be listed, parsed, type-checked or analysed.
type Error struct {
	Position string // "file:line:column", or empty if unknown
	Message  string
}

// Error is the position, if there is one, and the message.
func (e Error) Error() string {
	if e.Position == "" {
		return e.Message
	}
	return e.Position + ": " + e.Message
}

// Run analyses the packages that patterns name, the one in the current directory if there are none. What is wrong with
// single packages is in Result.Errors; an error is returned if the go command fails or there is nothing to analyse.
//
// The analyzer may have facts about objects. Facts about packages and lists of all facts, which "go vet" does not hand
// on from indirect imports, are not there for it.
func Run(config Config, analyzer *analysis.Analyzer, patterns ...string) (*Result, error) {
	if err := analysis.Validate([]*analysis.Analyzer{analyzer}); err != nil {
		return nil, err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	listed, unmatched, err := config.listGraph(patterns)
	if err != nil {
		return nil, err
	}
	roots := rootsOf(listed)
	loader, err := newLoader(config, needed(listed, roots))
	if err != nil {
		return nil, err
	}
	result := &Result{Fset: loader.fset, Errors: unmatched, sources: sourcesOf(listed)}
	for _, u := range loader.run(newRunner(analyzer)) {
		result.Errors = append(result.Errors, u.errs...)
		switch {
		case u.failed && len(u.errs) == 0 && roots[u.ImportPath]:
			result.Errors = append(result.Errors, Error{
				Message: fmt.Sprintf("%s: not analysed: it imports %s, which has errors", u.path(), u.blocker),
			})
		case u.failed || u.typesOnly || len(u.sources()) == 0:
		case roots[u.ImportPath]:
			result.Packages = append(result.Packages, Package{u.path(), u.diagnostics, u.result})
		default:
			result.Imported = append(result.Imported, Package{u.path(), u.diagnostics, u.result})
		}
	}
	result.Errors = distinct(result.Errors)
	if len(result.Packages) == 0 && len(result.Errors) == 0 {
		return nil, fmt.Errorf("%s: nothing but test files, which are not to be analysed", strings.Join(patterns, " "))
	}
	byPath := func(a, b Package) int { return strings.Compare(a.Path, b.Path) }
	slices.SortStableFunc(result.Packages, byPath)
	slices.SortStableFunc(result.Imported, byPath)
	return result, nil
}

// sourcesOf is the set of the files of the listed packages, without those that cgo made of others and left in the build
// cache.
func sourcesOf(listed []*listedPackage) map[string]bool {
	sources := make(map[string]bool)
	for _, p := range listed {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			if !filepath.IsAbs(name) { // unlike a test's generated main
				sources[filepath.Join(p.Dir, name)] = true
			}
		}
	}
	return sources
}

// rootsOf chooses which of the listed packages to analyse.
func rootsOf(listed []*listedPackage) map[string]bool {
	roots := make(map[string]bool)
	for _, p := range listed {
		switch {
		case p.DepOnly:
		case p.ForTest != "": // the package with its test files, or its external tests
			roots[p.ImportPath] = true
			if p.ForTest == p.path() {
				delete(roots, p.path())
			}
		case len(p.Match) > 0: // unlike a test's generated main
			roots[p.ImportPath] = true
		}
	}
	return roots
}

// needed keeps what the roots import, directly or not, in its order: imports before importers.
func needed(listed []*listedPackage, roots map[string]bool) []*listedPackage {
	wanted := make(map[string]bool)
	var kept []*listedPackage
	for _, p := range slices.Backward(listed) {
		if !wanted[p.ImportPath] && !roots[p.ImportPath] {
			continue
		}
		kept = append(kept, p)
		for _, path := range p.Imports {
			wanted[path] = true
		}
	}
	slices.Reverse(kept)
	return kept
}

// distinct drops repeated errors: a package and its test variant have most in common.
func distinct(errs []Error) []Error {
	seen := make(map[Error]bool)
	return slices.DeleteFunc(errs, func(err Error) bool {
		repeated := seen[err]
		seen[err] = true
		return repeated
	})
}
