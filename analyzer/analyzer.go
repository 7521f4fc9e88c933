package analyzer

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

//go:embed doc.go
var doc string

// url is where the rules' pages lie.
const url = "https://github.com/tracelint/tracelint/blob/main/docs/rules/"

// Config is what can be set of an analyzer. The zero value is the default.
type Config struct {
	// SkipTests leaves out _test.go files, and the roots that only they make.
	SkipTests bool
	// Severity is the least severity that is reported: "error", "warning" (the default) or "note".
	Severity string
	// NoRelated leaves out related positions, for drivers that make findings of them.
	NoRelated bool
}

// Analyzer is the analyzer with its default settings, which its flags change.
var Analyzer = mustNew(Config{})

// New returns an analyzer with other settings than the default ones. It fails if a setting has no
// meaning.
func New(config Config) (*analysis.Analyzer, error) {
	r := &runner{config: config, severity: severityFlag(rules.Warning)}
	if config.Severity != "" {
		if err := r.severity.Set(config.Severity); err != nil {
			return nil, err
		}
	}
	set, err := engine.NewSet(engine.Builtin()...)
	if err != nil {
		return nil, err
	}
	r.engines = set
	r.tests = !config.SkipTests
	a := &analysis.Analyzer{
		Name:      "tracelint",
		Doc:       analyzerDoc(),
		URL:       url,
		Run:       r.run,
		Requires:  []*analysis.Analyzer{inspect.Analyzer},
		FactTypes: []analysis.Fact{new(summary.Fact)},
	}
	a.Flags.Init(a.Name, flag.ContinueOnError)
	a.Flags.BoolVar(&r.tests, "tests", r.tests, "analyze _test.go files too")
	a.Flags.Var(&r.severity, "severity", "least severity to report: error, warning or note")
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

// severityFlag is the value of the flag -severity.
type severityFlag rules.Severity

func (s *severityFlag) String() string { return rules.Severity(*s).String() }

func (s *severityFlag) Set(text string) error {
	severity, ok := rules.ParseSeverity(text)
	if !ok {
		return fmt.Errorf("severity %q is unknown: use error, warning or note", text)
	}
	*s = severityFlag(severity)
	return nil
}

// runner is one analyzer with its settings.
type runner struct {
	config   Config
	tests    bool
	severity severityFlag
	engines  *engine.Set
}

func (r *runner) run(pass *analysis.Pass) (any, error) {
	table := library.Default()
	if len(pass.Files) == 0 || table.Covers(pass.Pkg.Path()) {
		return nil, nil
	}
	files := pass.Files
	if !r.tests {
		files = slices.DeleteFunc(slices.Clone(files), func(f *ast.File) bool { return isTest(pass.Fset, f.FileStart) })
	}
	imports := func(obj types.Object) *summary.Summary {
		var fact summary.Fact
		if obj.Pkg() == pass.Pkg || !pass.ImportObjectFact(obj, &fact) {
			return nil
		}
		return &fact.Summary
	}
	found := flow.Analyze(flow.Input{Pass: pass, Files: files, Engines: r.engines, Table: table, Imports: imports})
	// What an engine does inside is its own affair: its users see its profile alone.
	if !r.engines.OpaqueModule(pass.Pkg.Path()) {
		found.Facts(func(obj types.Object, fact *summary.Fact) { pass.ExportObjectFact(obj, fact) })
	}
	if r.engines.Reaches(pass.Pkg) {
		r.report(pass, found)
	}
	return nil, nil
}

func isTest(fset *token.FileSet, pos token.Pos) bool {
	return strings.HasSuffix(fset.Position(pos).Filename, "_test.go")
}

// finding is a diagnostic before it is known to be the only one of its rule and statement.
type finding struct {
	rule     *rules.Rule
	severity rules.Severity
	stmt     ast.Node
	chain    int
	diag     analysis.Diagnostic
}

// report gives one diagnostic a statement and rule, the gravest one, in source order.
func (r *runner) report(pass *analysis.Pass, found *flow.Package) {
	all := r.findings(pass, found)
	slices.SortStableFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.stmt.Pos(), b.stmt.Pos()), cmp.Compare(a.rule.Name, b.rule.Name),
			-cmp.Compare(a.severity, b.severity), cmp.Compare(a.chain, b.chain),
			cmp.Compare(a.diag.Pos, b.diag.Pos), cmp.Compare(a.diag.Message, b.diag.Message))
	})
	all = slices.CompactFunc(all, func(a, b finding) bool { return a.stmt.Pos() == b.stmt.Pos() && a.rule.Name == b.rule.Name })
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.diag.Pos, b.diag.Pos) })
	for _, f := range all {
		if f.severity >= rules.Severity(r.severity) {
			pass.Report(f.diag)
		}
	}
}

func (r *runner) findings(pass *analysis.Pass, found *flow.Package) []finding {
	byName := map[string]*rules.Rule{}
	for _, rule := range rules.All() {
		byName[rule.Name] = rule
	}
	generated := map[*token.File]bool{}
	for _, file := range pass.Files {
		generated[pass.Fset.File(file.FileStart)] = ast.IsGenerated(file)
	}
	var out []finding
	add := func(name string, chain []summary.Step, what, note, engineName string, node, stmt, root ast.Node) {
		if generated[pass.Fset.File(node.Pos())] {
			return
		}
		rule := byName[name]
		f := finding{rule: rule, severity: rule.Severity, stmt: stmt, chain: len(chain)}
		if note != "" {
			f.severity = rules.Note
		}
		f.diag = analysis.Diagnostic{Pos: node.Pos(), End: node.End(), Category: name, URL: url + name + ".md",
			Message: rule.Message(chain, what, note, r.engines.Hints(engineName))}
		if root != nil && !r.config.NoRelated {
			f.diag.Related = []analysis.RelatedInformation{{Pos: root.Pos(), End: root.End(), Message: "the function is traced from here"}}
		}
		out = append(out, f)
	}
	effects := found.Findings()
	leaks := map[token.Pos]bool{}
	for _, f := range effects {
		leaks[f.Stmt.Pos()] = leaks[f.Stmt.Pos()] || f.Rule == summary.Leak
	}
	for _, f := range effects {
		if f.Rule == summary.Write && leaks[f.Stmt.Pos()] {
			continue // the store that leaks says it all
		}
		add(f.Rule, f.Chain, f.What, f.Note, f.Engine, f.Node, f.Stmt, f.Root)
	}
	for _, b := range found.Rebuilds() {
		add(summary.Rewrap, b.Chain, b.What+" "+b.Why, b.Note, "", b.Node, b.Node, nil)
	}
	return out
}
