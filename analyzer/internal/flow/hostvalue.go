package flow

import (
	"go/ast"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// hostValue adds the effect of reading the value that a variable of the model has, unless no more than
// its shape is asked for.
func (f *frame) hostValue(known *engine.Func, node ast.Node, flags callFlags) {
	if call, ok := node.(*ast.CallExpr); ok {
		fn := f.p.staticCallee(call)
		if fn != nil && fn.Pkg() == f.p.types || f.onlyShape(call) || f.alsoInGraph(call) || f.reach(call) == reachNothing {
			return // the engine's own affair, or nothing that changes
		}
	}
	f.bindEffect(&effect{rule: summary.StaleRead, leaf: node,
		what: known.Name + " gives the value at the time of the trace, frozen into the graph"}, node, nil, flags)
}

// onlyShape reports whether a call's result serves to ask for a shape.
func (f *frame) onlyShape(call *ast.CallExpr) bool {
	path := f.p.index.path(call)
	if len(path) < 2 {
		return false
	}
	sel, ok := path[1].(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"DType", "Memory", "Rank", "Shape", "Size"}, sel.Sel.Name)
}

// alsoInGraph reports whether a call reads a variable in one branch of a condition whose other branch
// reads it in the graph: the code chooses a constant.
func (f *frame) alsoInGraph(call *ast.CallExpr) bool {
	recv := f.p.rootVar(call)
	path := f.p.index.path(call)
	for i, n := range path {
		cond, ok := n.(*ast.IfStmt)
		if !ok || i == 0 || recv == nil || cond.Else == nil {
			continue
		}
		other := cond.Else
		if path[i-1] == cond.Else {
			other = cond.Body
		}
		found := false
		ast.Inspect(other, func(n ast.Node) bool {
			e, ok := n.(*ast.CallExpr)
			found = found || ok && f.p.rootVar(e) == recv && f.p.engines.HasSymbolic(f.p.info.TypeOf(e))
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
