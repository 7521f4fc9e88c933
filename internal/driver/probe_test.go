package driver

import (
	"errors"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// printer is the probe's fact: the function prints, by way of the functions that path names.
type printer struct{ Path string }

func (*printer) AFact()           {}
func (p *printer) String() string { return p.Path }

// newProbe makes an analyzer that tells, in functions with Traced in their name, which calls print. A function named
// Panic makes it panic, one named Fail makes it fail.
func newProbe() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:      "probe",
		Doc:       "find calls that print",
		Requires:  []*analysis.Analyzer{inspect.Analyzer},
		FactTypes: []analysis.Fact{new(printer)},
		Run:       probe,
	}
}

func probe(pass *analysis.Pass) (any, error) {
	// Two rounds, so that a function may stand before the one that it calls.
	for _, report := range []bool{false, true} {
		for cursor := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder((*ast.FuncDecl)(nil)) {
			declaration := cursor.Node().(*ast.FuncDecl)
			switch declaration.Name.Name {
			case "Panic":
				panic("asked to")
			case "Fail":
				return nil, errors.New("asked to fail")
			}
			for inner := range cursor.Preorder((*ast.CallExpr)(nil)) {
				probeCall(pass, declaration, inner.Node().(*ast.CallExpr), report)
			}
		}
	}
	return nil, nil
}

func probeCall(pass *analysis.Pass, caller *ast.FuncDecl, call *ast.CallExpr, report bool) {
	callee, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok {
		return
	}
	path := callee.Name()
	if callee.FullName() != "fmt.Println" {
		var known printer
		if !pass.ImportObjectFact(callee.Origin(), &known) {
			return
		}
		path += " -> " + known.Path
	}
	pass.ExportObjectFact(pass.TypesInfo.Defs[caller.Name].(*types.Func), &printer{path})
	if report && strings.Contains(caller.Name.Name, "Traced") {
		pass.Report(analysis.Diagnostic{
			Pos:      call.Pos(),
			End:      call.End(),
			Category: "print",
			Message:  path,
			Related:  []analysis.RelatedInformation{{Pos: caller.Pos(), Message: "in " + caller.Name.Name}},
			SuggestedFixes: []analysis.SuggestedFix{{
				Message:   "Remove the call",
				TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End()}},
			}},
		})
	}
}
