package analyzer

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer/internal/directive"
	"github.com/tracelint/tracelint/analyzer/internal/fix"
	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
	"github.com/tracelint/tracelint/internal/clip"
)

// reporter turns what was found in a package into diagnostics.
type reporter struct {
	pass     *analysis.Pass
	set      *active
	related  bool
	comments *directive.Set
	reported []Finding
}

// finding is a diagnostic before it is known to be the only one of its rule and statement.
type finding struct {
	rule     *rules.Rule
	severity rules.Severity
	node     ast.Node
	stmt     ast.Node
	chain    int
	found    flow.Finding // the zero value for one about a comment
	diag     analysis.Diagnostic
}

// report gives one diagnostic a statement and rule, the gravest one, in source order.
func (r *reporter) report(found []flow.Finding) {
	all := r.findings(found)
	slices.SortStableFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.stmt.Pos(), b.stmt.Pos()), cmp.Compare(a.rule.Name, b.rule.Name),
			-cmp.Compare(a.severity, b.severity), cmp.Compare(a.chain, b.chain),
			cmp.Compare(a.diag.Pos, b.diag.Pos), cmp.Compare(a.diag.Message, b.diag.Message))
	})
	all = slices.CompactFunc(all, func(a, b finding) bool {
		return a.stmt.Pos() == b.stmt.Pos() && a.rule.Name == b.rule.Name
	})
	all = slices.DeleteFunc(all, func(f finding) bool { return r.comments.Ignored(f.rule.Name, f.node, f.stmt) })
	all = append(all, r.directives()...)
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.diag.Pos, b.diag.Pos) })
	fixes := fix.New(r.pass, r.set.engines, found)
	for _, f := range all {
		if f.severity >= r.set.severity && r.set.Reports(f.rule.Name) {
			f.diag.SuggestedFixes = fixes.For(f.found)
			f.diag.Message = clip.Printable(f.diag.Message)
			for i := range f.diag.Related {
				f.diag.Related[i].Message = clip.Printable(f.diag.Related[i].Message)
			}
			r.pass.Report(f.diag)
			reported := Finding{Diagnostic: f.diag, Severity: f.severity}
			r.place(&reported, f.stmt)
			r.reported = append(r.reported, reported)
		}
	}
}

// store is a statement that stores something, and the one of another package that it calls to that end.
type store struct {
	stmt   token.Pos
	source string
}

func storeOf(f flow.Finding) store { return store{f.Stmt.Pos(), f.Source} }

// findings lists what was found, several times where several roots reach it.
func (r *reporter) findings(effects []flow.Finding) []finding {
	byName := map[string]*rules.Rule{}
	for _, rule := range rules.All() {
		byName[rule.Name] = rule
	}
	generated := map[*token.File]bool{}
	for _, file := range r.pass.Files {
		generated[r.pass.Fset.File(file.FileStart)] = isGenerated(file)
	}
	made := map[token.Pos]bool{} // statements of which all that is stored is state
	leaks := map[store]bool{}
	for _, f := range effects {
		switch f.Rule {
		case summary.StateCreation:
			made[f.Stmt.Pos()] = true
		case summary.Leak:
			leaks[storeOf(f)] = true
		}
	}
	var out []finding
	for _, f := range effects {
		if f.Rule == summary.Write && (made[f.Stmt.Pos()] || leaks[storeOf(f)]) {
			continue
		}
		if generated[r.pass.Fset.File(f.Node.Pos())] || r.set.Exempted(f.Rule, r.pass.Pkg.Path(), f.In) {
			continue
		}
		out = append(out, r.finding(byName[f.Rule], f))
	}
	return out
}

func (r *reporter) finding(rule *rules.Rule, f flow.Finding) finding {
	out := finding{rule: rule, severity: rule.Severity, node: f.Node, stmt: f.Stmt, chain: len(f.Chain), found: f}
	if f.Note != "" {
		out.severity = rules.Note
	}
	out.diag = analysis.Diagnostic{Pos: f.Node.Pos(), End: f.Node.End(), Category: rule.Name, URL: pageURL(rule.Name),
		Message: rule.Message(f.Chain, f.What, f.Note, r.set.engines.Hints(f.Engine))}
	if f.Root != nil && r.related {
		out.diag.Related = []analysis.RelatedInformation{{Pos: f.Root.Pos(), End: f.Root.End(), Message: "the function is traced from here"}}
	}
	return out
}

// directives are the findings about tracelint's own comments.
func (r *reporter) directives() []finding {
	var out []finding
	for _, p := range r.comments.Problems(r.set.Reports) {
		out = append(out, finding{rule: rules.Directive(), severity: rules.Warning, stmt: p.Comment, diag: analysis.Diagnostic{
			Pos: p.Comment.Pos(), End: p.Comment.End(), Category: summary.Directive, URL: pageURL(summary.Directive),
			Message: p.Message + " (" + summary.Directive + ")",
		}})
	}
	return out
}
