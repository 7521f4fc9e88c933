// Package fix suggests edits that take a hazard away.
//
// An edit is suggested only where it is certain to compile and to keep what the program means, alone and
// together with all others of its package: a wrong fix is worse than none. What is often intended, a
// note, is left as it is.
package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Suggester suggests fixes for the findings of one package. It remembers the names that it gave away, so
// that fixes fit together.
type Suggester struct {
	pass    *analysis.Pass
	info    *types.Info
	engines *engine.Set
	root    inspector.Cursor
	found   []flow.Finding
	names   names
	calls   callGraph
}

// New returns a suggester for a package in which all of found was found.
func New(pass *analysis.Pass, engines *engine.Set, found []flow.Finding) *Suggester {
	s := &Suggester{
		pass: pass, info: pass.TypesInfo, engines: engines,
		found: found,
		names: names{},
		calls: callGraph{pass.TypesInfo, map[*types.Func]*ast.FuncDecl{}},
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok {
					s.calls.decls[fn] = decl
				}
			}
		}
	}
	return s
}

// For suggests fixes for a finding, the best one first; none where none is certain.
func (s *Suggester) For(f flow.Finding) []analysis.SuggestedFix {
	if f.Node == nil || f.Note != "" || len(f.Chain) > 0 || s.pass.ReadFile == nil { // nogo gives no source
		return nil
	}
	if s.root == (inspector.Cursor{}) { // most packages have no findings
		s.root = inspector.New(s.pass.Files).Root()
	}
	at, ok := s.root.FindNode(f.Node)
	if !ok {
		return nil
	}
	src := s.source(at)
	if src == nil {
		return nil
	}
	var fix *analysis.SuggestedFix
	switch f.Rule {
	case summary.Rewrap:
		fix = s.hoist(src, at)
	case summary.Print:
		fix = s.logNode(src, at)
	case summary.MapOrder:
		fix = s.sortKeys(src, at)
	case summary.Abort:
		fix = s.panicWithError(src, at)
	}
	if fix == nil {
		return nil
	}
	return []analysis.SuggestedFix{*fix}
}

// callee is the function that a call names, nil for calls of values and conversions.
func (s *Suggester) callee(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(s.info, call).(*types.Func)
	return fn
}

// known is what an engine's profile says of a call, nil if nothing.
func (s *Suggester) known(call *ast.CallExpr) *engine.Func { return s.engines.Func(s.callee(call)) }

// callGraph finds what functions of the package mention, directly or through others of the package.
type callGraph struct {
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
}

// reach lists a node and the declarations of this package that it mentions, directly or not.
func (g callGraph) reach(n ast.Node) []ast.Node {
	reached := []ast.Node{n}
	for i := 0; i < len(reached); i++ {
		g.uses(reached[i], func(obj types.Object) {
			fn, ok := obj.(*types.Func)
			if !ok {
				return
			}
			if decl := g.decls[fn.Origin()]; decl != nil && !slices.Contains(reached, ast.Node(decl)) {
				reached = append(reached, decl)
			}
		})
	}
	return reached
}

// mentions calls visit for each object that a node, or a function that it reaches, uses.
func (g callGraph) mentions(n ast.Node, visit func(types.Object)) {
	for _, reached := range g.reach(n) {
		g.uses(reached, visit)
	}
}

func (g callGraph) uses(n ast.Node, visit func(types.Object)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && g.info.Uses[id] != nil {
			visit(g.info.Uses[id])
		}
		return true
	})
}
