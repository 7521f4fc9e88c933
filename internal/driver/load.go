package driver

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// maxErrors is how many errors of one package are kept: as many as the compiler shows.
const maxErrors = 10

// loader takes packages through parsing, type checking and analysis, as many at once as there are processors.
type loader struct {
	fset       *token.FileSet
	sizes      types.Sizes
	outline    func(files []*ast.File) bool
	units      []*unit                   // what is loaded from source, imports before importers
	standard   map[string]*types.Package // what is imported from export data
	processors chan struct{}             // holds one entry for each that is busy
}

// unit is one package loaded from source.
type unit struct {
	*listedPackage
	imports   map[string]*unit // by import path with test
	typesOnly bool             // stands in for export data, and is not analysed
	done      chan struct{}    // closed when all that follows is final

	types       *types.Package
	files       []*ast.File // until the unit is done
	info        *types.Info // until the unit is done
	diagnostics []analysis.Diagnostic
	result      any     // the analyzer's
	failed      bool    // an error is in errs, or in an import
	blocker     string  // path of the import, direct or not, whose errors keep this package from being loaded
	errs        []Error // of this package alone
}

// newLoader prepares to load the listed packages, which must come after their imports.
func newLoader(config Config, listed []*listedPackage) (*loader, error) {
	arch, err := targetArch()
	if err != nil {
		return nil, err
	}
	l := &loader{
		fset:       token.NewFileSet(),
		sizes:      types.SizesFor("gc", arch),
		outline:    config.Outline,
		processors: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	// Export data refers to export data only, so the standard library, which imports itself, comes from source as soon as
	// a part of it is to be analysed.
	fromExports := !slices.ContainsFunc(listed, func(p *listedPackage) bool { return p.Standard && !p.DepOnly })
	exports := make(map[string]string)
	if fromExports {
		exports, err = config.listExports(standardOf(listed))
		if err != nil {
			return nil, fmt.Errorf("building the standard library: %w", err)
		}
	}
	if err := l.importStandard(exports, l.planUnits(listed, exports, fromExports)); err != nil {
		return nil, err
	}
	return l, nil
}

// standardOf lists the paths of the standard library's packages that have sources.
func standardOf(listed []*listedPackage) []string {
	var paths []string
	for _, p := range listed {
		if p.Standard && p.ImportPath != "unsafe" && len(p.sources()) > 0 {
			paths = append(paths, p.ImportPath)
		}
	}
	return paths
}

// planUnits makes a unit of each package to load from source and returns which packages they import beside each other.
// With typesOnly, what has no export data in the standard library is not analysed: only its types are wanted. Nothing that
// imports it has export data either, so that types from source and from export data do not mix.
func (l *loader) planUnits(listed []*listedPackage, exports map[string]string, typesOnly bool) (standard []string) {
	var elsewhere []*listedError // errors that units before report, or that do not matter
	planned := make(map[string]*unit)
	for _, p := range listed {
		if p.ImportPath == "unsafe" || exports[p.ImportPath] != "" {
			continue
		}
		u := &unit{listedPackage: p, imports: make(map[string]*unit), done: make(chan struct{})}
		u.typesOnly = typesOnly && p.Standard && len(p.sources()) > 0
		if !u.typesOnly {
			u.errs = p.listErrors(elsewhere)
		}
		if p.Error != nil {
			elsewhere = append(elsewhere, p.Error)
		}
		for _, id := range p.Imports {
			if imported, ok := planned[id]; ok {
				u.imports[id] = imported
			} else if exports[id] != "" {
				standard = append(standard, id)
			}
		}
		planned[p.ImportPath] = u
		l.units = append(l.units, u)
	}
	slices.Sort(standard)
	return slices.Compact(standard)
}

// importStandard reads the export data of packages of the standard library, which lies in files by path.
func (l *loader) importStandard(files map[string]string, paths []string) (err error) {
	l.standard = map[string]*types.Package{"unsafe": types.Unsafe}
	exports := importer.ForCompiler(l.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	for _, path := range paths {
		l.standard[path], err = exports.Import(path)
		if err != nil {
			return fmt.Errorf("reading the export data of %s: %w; was tracelint, built with %s, built before Go was updated?",
				path, err, runtime.Version())
		}
	}
	return nil
}

// run completes all units and returns them.
func (l *loader) run(r *runner) []*unit {
	for _, u := range l.units {
		go func() {
			defer close(u.done)
			for _, imported := range u.imports {
				<-imported.done
			}
			l.processors <- struct{}{}
			u.failed = !l.load(u) || !u.typesOnly && !r.analyze(l, u)
			u.files, u.info = nil, nil
			<-l.processors
		}()
	}
	for _, u := range l.units {
		<-u.done
	}
	return l.units
}

// load fills in syntax and types of a unit whose imports are done, and reports whether it is free of errors.
func (l *loader) load(u *unit) bool {
	for _, id := range slices.Sorted(maps.Keys(u.imports)) {
		if imported := u.imports[id]; imported.failed {
			u.blocker = cmp.Or(imported.blocker, imported.path())
			return false // errors that follow from reported ones help nobody
		}
	}
	if len(u.errs) > 0 {
		return false
	}
	for _, name := range u.sources() {
		file, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			u.addError(err)
		}
		u.files = append(u.files, file)
	}
	if len(u.errs) == 0 {
		l.check(u)
	}
	return len(u.errs) == 0
}

func (l *loader) check(u *unit) {
	outlined := l.outline != nil && l.outline(u.files)
	if outlined {
		dropBodies(u.files)
	}
	u.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	config := types.Config{
		Importer:         importerFunc(func(path string) (*types.Package, error) { return l.importFor(u, path) }),
		Sizes:            l.sizes,
		GoVersion:        u.languageVersion(),
		Error:            u.addError,
		IgnoreFuncBodies: u.typesOnly || outlined,
		FakeImportC:      u.typesOnly && u.lacksCgo(),
	}
	u.types, _ = config.Check(u.path(), l.fset, u.files, u.info) // the error has been added
}

// dropBodies empties the bodies of functions, which the type checker wants of main and init.
func dropBodies(files []*ast.File) {
	for _, file := range files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				fn.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Rbrace}
			}
		}
	}
}

func (l *loader) importFor(u *unit, path string) (*types.Package, error) {
	id := u.resolve(path)
	if imported, ok := u.imports[id]; ok {
		return imported.types, nil
	}
	if p, ok := l.standard[id]; ok {
		return p, nil
	}
	return nil, errors.New("the go command did not list it; was a file changed just now?")
}

// languageVersion is the version of Go that the package is written for.
func (u *unit) languageVersion() string {
	if u.Module == nil {
		return "" // the newest
	}
	return "go" + cmp.Or(u.Module.GoVersion, "1.16") // the go command's reading of a go.mod without a version
}

// addError adds what the parser or the type checker says.
func (u *unit) addError(err error) {
	var found []Error
	var list scanner.ErrorList
	var typeError types.Error
	switch {
	case errors.As(err, &list):
		for _, err := range list {
			found = append(found, Error{shortPosition(err.Pos), err.Msg})
		}
	case errors.As(err, &typeError):
		found = append(found, Error{shortPosition(typeError.Fset.Position(typeError.Pos)), typeError.Msg})
	default:
		found = append(found, Error{Message: shortPaths(err.Error())})
	}
	for _, err := range found {
		if len(u.errs) == maxErrors {
			err = Error{Message: fmt.Sprintf("%s: too many errors", u.path())}
		}
		if len(u.errs) <= maxErrors {
			u.errs = append(u.errs, err)
		}
	}
}

type importerFunc func(path string) (*types.Package, error)

// Import implements types.Importer.
func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
