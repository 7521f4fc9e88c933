package analyzer

import (
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer/internal/budget"
	"github.com/tracelint/tracelint/analyzer/internal/churn"
	"github.com/tracelint/tracelint/analyzer/internal/directive"
	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

//go:embed doc.go
var doc string

// url is where the rules' pages lie.
const url = "https://github.com/tracelint/tracelint/blob/main/docs/rules/"

// Config is what a driver that embeds the analyzer can set. The zero value is the default.
type Config struct {
	// Settings beat those of a file; flags beat both.
	Settings
	// NoFile reads no .tracelint.yaml, for drivers that have settings of their own.
	NoFile bool
	// NoRelated leaves out related positions, for drivers that make findings of them.
	NoRelated bool
}

// Analyzer is the analyzer with its default settings, which its flags change.
var Analyzer = mustNew(Config{})

// New returns an analyzer with other settings than the default ones. It fails if a setting has no
// meaning.
func New(config Config) (*analysis.Analyzer, error) {
	r := &runner{config: config}
	if _, err := r.files.load("", config.Settings); err != nil {
		return nil, err
	}
	a := &analysis.Analyzer{
		Name:      "tracelint",
		Doc:       analyzerDoc(),
		URL:       url,
		Run:       r.run,
		FactTypes: []analysis.Fact{new(summary.Fact)},
		// Drivers of golang.org/x/tools want this very type of all results, also of packages without any.
		ResultType: reflect.TypeFor[*Result](),
	}
	a.Flags.Init(a.Name, flag.ContinueOnError)
	r.flags.register(&a.Flags)
	return a, nil
}

func mustNew(config Config) *analysis.Analyzer {
	a, err := New(config)
	if err != nil {
		panic(err) // the built-in profiles are broken, which their test shows first
	}
	return a
}

// analyzerDoc is the part of the package comment that describes the analyzer.
func analyzerDoc() string {
	_, text, _ := strings.Cut(doc, "// # Analyzer tracelint\n//\n")
	text, _, _ = strings.Cut(text, "package analyzer")
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

// maxSteps bounds the work on one package, to five times what the largest packages take that are known to end. It is a few
// seconds' worth.
const maxSteps = 3_000_000

// maxSource bounds the bytes of source of one package. What is larger is generated, and would take hundreds of megabytes.
const maxSource = 4 << 20

// runner is one analyzer with its settings.
type runner struct {
	config Config
	flags  flags
	files  loader
}

func (r *runner) run(pass *analysis.Pass) (result any, err error) {
	// Some drivers would lose the findings of all other packages too.
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("internal error, please report it: %v\n%s", value, debug.Stack())
		}
	}()
	return r.analyze(pass)
}

func (r *runner) analyze(pass *analysis.Pass) (*Result, error) {
	table := library.Default()
	if len(pass.Files) == 0 || table.Covers(pass.Pkg.Path()) {
		return new(Result), nil
	}
	set, err := r.settings(pass)
	if err != nil {
		return nil, err
	}
	if TooLarge(pass.Files) {
		return &Result{Missing: fmt.Sprintf("given up, as it has more than %d MB of source", maxSource>>20)}, nil
	}
	files := pass.Files
	if set.Tests != nil && !*set.Tests {
		files = slices.DeleteFunc(slices.Clone(files), func(f *ast.File) bool { return isTest(pass.Fset, f.FileStart) })
	}
	comments := directive.Parse(pass.Fset, files, rules.Names())
	tables := []*library.Table{table}
	if set.own != nil {
		tables = []*library.Table{set.own, table}
	}
	imports := func(obj types.Object) *summary.Summary {
		// The settings that name an engine need not have been those of the run over the engine.
		pkg := obj.Pkg()
		if pkg == nil || pkg == pass.Pkg || set.engines.OpaqueModule(pkg.Path()) {
			return nil
		}
		var fact summary.Fact
		if !pass.ImportObjectFact(obj, &fact) {
			return nil
		}
		return &fact.Summary
	}
	ignored := func(rule string, node, stmt ast.Node) bool { return comments.Ignored(rule, node, stmt) }
	steps := budget.New(maxSteps)
	found := flow.Analyze(flow.Input{
		Pass: pass, Files: files, Engines: set.engines, Tables: tables,
		Imports: imports,
		Traced:  comments.Traced,
		Host:    comments.Host,
		Exempt:  func(rule string, fn *types.Func) bool { return set.Exempted(rule, pathOf(fn), fn) },
		Steps:   steps,
	})
	retraces := churn.Analyze(churn.Input{
		Pass: pass, Files: files, Engines: set.engines, Imports: imports, Traced: found.Traced(), Ignored: ignored, Steps: steps,
	})
	// What an engine does inside is its own affair: its users see its profile alone.
	if !set.engines.OpaqueModule(pass.Pkg.Path()) {
		facts := map[types.Object]*summary.Fact{}
		found.Facts(ignored, func(obj types.Object, fact *summary.Fact) { facts[obj] = fact })
		retraces.Facts(func(obj types.Object, keys summary.Keys) {
			if facts[obj] == nil {
				facts[obj] = new(summary.Fact)
			}
			facts[obj].Keys = keys
		})
		for obj, fact := range facts {
			pass.ExportObjectFact(obj, fact)
		}
	}
	rep := &reporter{pass: pass, set: set, related: !r.config.NoRelated, comments: comments}
	rep.report(slices.Concat(found.Findings(), retraces.Findings()))
	result := &Result{Findings: rep.reported}
	if steps.UsedUp() {
		result.Missing = fmt.Sprintf("given up after %d steps", maxSteps)
	}
	return result, nil
}

// TooLarge reports whether a package of these files has so much source that the analyzer does not look into it. A driver
// saves memory if it drops the bodies of its functions.
func TooLarge(files []*ast.File) bool {
	size := 0
	for _, file := range files {
		size += int(file.FileEnd - file.FileStart)
	}
	return size > maxSource
}

func pathOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

func isTest(fset *token.FileSet, pos token.Pos) bool {
	return strings.HasSuffix(fset.Position(pos).Filename, "_test.go")
}
