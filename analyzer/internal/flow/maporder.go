package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// sequence notes that a call makes a variable or draws, which has to happen in the same order in every
// trace: callers that repeat it in a map's order are told.
func (f *frame) sequence(what string, node ast.Node, flags callFlags) {
	f.bindEffect(&effect{rule: summary.Sequence, what: what, leaf: node}, node, nil, flags)
}

// opaqueCall interprets a call of a function of which nothing is known. One of an engine that takes a
// scope and gives symbolic values makes variables in that scope or draws.
func (f *frame) opaqueCall(fn *types.Func, node ast.Node, flags callFlags) []value {
	sig := fn.Signature()
	if fn.Pkg() != nil && sig.Recv() == nil && f.p.engines.OpaqueModule(fn.Pkg().Path()) &&
		tupleHas(sig.Params(), f.p.engines.Scope) && tupleHas(sig.Results(), f.p.engines.HasSymbolic) {
		f.sequence(shortName(fn, f.p.types), node, flags)
	}
	return f.results(sig, node)
}

func tupleHas(t *types.Tuple, is func(types.Type) bool) bool {
	for v := range t.Variables() {
		if is(v.Type()) {
			return true
		}
	}
	return false
}

// repeatedInMapOrder reports a step of a sequence that stands in the body of a range over a map.
func (f *frame) repeatedInMapOrder(e *effect) {
	for _, t := range f.targets {
		if s, ok := t.stmt.(*ast.RangeStmt); ok && f.unordered(s.X, map[*types.Var]bool{}) {
			f.mapOrder(s, "by "+summary.Describe(append(slices.Clone(e.path), e.chain...), e.what)+" in its body")
		}
	}
}

// mapOrder adds the effect of a range whose order, a map's, reaches the graph.
func (f *frame) mapOrder(s *ast.RangeStmt, how string) {
	f.emit(&effect{rule: summary.MapOrder, what: "the random order of " + types.ExprString(s.X) + " reaches the graph " + how,
		leaf: s.X, stmt: s})
}

// accumulates looks for results that depend on the order of a range over a map.
func (f *frame) accumulates(s *ast.RangeStmt) {
	if !f.unordered(s.X, map[*types.Var]bool{}) {
		return
	}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok == token.DEFINE {
			return true
		}
		for i, lhs := range assign.Lhs {
			rhs := assign.Rhs[0]
			if len(assign.Rhs) == len(assign.Lhs) {
				rhs = assign.Rhs[i]
			}
			if f.orderDependent(s, assign, lhs, rhs) {
				f.mapOrder(s, "through "+types.ExprString(lhs))
				return true
			}
		}
		return true
	})
}

// orderDependent reports whether an assignment in the body of a range leaves behind what depends on the
// order of the turns.
func (f *frame) orderDependent(s *ast.RangeStmt, assign *ast.AssignStmt, lhs, rhs ast.Expr) bool {
	v := f.p.rootVar(lhs)
	if v == nil || v.IsField() || s.Pos() <= v.Pos() && v.Pos() < s.End() {
		return false
	}
	if ix, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok {
		// An element of its own for each key is the same in any order; the next free one is not.
		return f.p.engines.HasSymbolic(f.p.info.TypeOf(lhs)) && f.counts(s, ix.Index)
	}
	if !f.dependsOnTurn(s, rhs) {
		return false
	}
	t := f.p.info.TypeOf(lhs)
	if f.p.engines.HasSymbolic(t) {
		if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && f.isBuiltin(call, "append") {
			return !f.sortedAfter(s, v)
		}
		return mentions(f.p.info, rhs, v) || !f.selected(s, assign)
	}
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsFloat|types.IsComplex) == 0 {
		return false
	}
	if assign.Tok == token.ASSIGN && !mentions(f.p.info, rhs, v) {
		return false
	}
	r := reacher{f: f, seen: map[*types.Var]bool{v: true}}
	for _, use := range f.p.index.uses[v] {
		if !(s.Pos() <= use.Pos() && use.Pos() < s.End()) && !r.onlyAssigned(use) && r.from(use) != reachNothing {
			return true
		}
	}
	return false
}

// dependsOnTurn reports whether an expression uses a variable that the range or its body declares.
func (f *frame) dependsOnTurn(s *ast.RangeStmt, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := f.p.info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField() && s.Pos() <= v.Pos() && v.Pos() < s.End()
		}
		return !found
	})
	return found
}

func mentions(info *types.Info, e ast.Expr, v *types.Var) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.Uses[id] == v
		return !found
	})
	return found
}

// counts reports whether an index is counted up by the body of a range.
func (f *frame) counts(s *ast.RangeStmt, index ast.Expr) bool {
	found := false
	ast.Inspect(index, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.p.info.Uses[id].(*types.Var)
		if !ok || s.Pos() <= v.Pos() && v.Pos() < s.End() {
			return true
		}
		for _, use := range f.p.index.uses[v] {
			found = found || s.Body.Pos() <= use.Pos() && use.Pos() < s.Body.End() && f.p.reassigned(use)
		}
		return !found
	})
	return found
}

// selected reports whether an assignment in the body of a range depends on a condition on the turn: it
// picks the one that is looked for.
func (f *frame) selected(s *ast.RangeStmt, assign ast.Node) bool {
	for _, n := range f.p.index.path(assign) {
		switch n := n.(type) {
		case *ast.IfStmt:
			if f.dependsOnTurn(s, n.Cond) {
				return true
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && f.dependsOnTurn(s, n.Tag) {
				return true
			}
		case *ast.RangeStmt:
			if n == s {
				return false
			}
		}
	}
	return false
}

// sortedAfter reports whether a slice is sorted somewhere after a statement.
func (f *frame) sortedAfter(s ast.Node, v *types.Var) bool {
	for _, use := range f.p.index.uses[v] {
		if use.Pos() < s.End() {
			continue
		}
		for _, n := range f.p.index.path(use) {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn := f.p.staticCallee(call); fn != nil && sorts(fn) {
					return true
				}
			}
			if _, ok := n.(ast.Stmt); ok {
				break
			}
		}
	}
	return false
}

func sorts(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sort":
		return true
	case "slices", "golang.org/x/exp/slices":
		return len(fn.Name()) >= 4 && fn.Name()[:4] == "Sort"
	}
	return false
}

// unordered reports whether an expression gives its elements in a map's order, by way of variables not seen yet.
func (f *frame) unordered(e ast.Expr, seen map[*types.Var]bool) bool {
	if _, ok := f.under(e).(*types.Map); ok {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn := f.p.staticCallee(e)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		switch fn.FullName() {
		case "maps.Keys", "maps.Values", "maps.All", "golang.org/x/exp/maps.Keys", "golang.org/x/exp/maps.Values":
			return true
		case "slices.Collect", "slices.Values":
			return f.unordered(e.Args[0], seen)
		}
		if f.isBuiltin(e, "append") {
			return false
		}
	case *ast.Ident:
		v, ok := f.p.info.Uses[e].(*types.Var)
		if !ok || seen[v] || !f.p.index.local(v) {
			return false
		}
		seen[v] = true
		for _, def := range f.p.definitions(v) {
			if (f.unordered(def, seen) || f.appendedInMapOrder(def, v)) && !f.sortedAfter(def, v) {
				return true
			}
		}
	}
	return false
}

// appendedInMapOrder reports whether def, assigned to v, appends to it in the body of a range over a map.
func (f *frame) appendedInMapOrder(def ast.Expr, v *types.Var) bool {
	call, ok := ast.Unparen(def).(*ast.CallExpr)
	if !ok || !f.isBuiltin(call, "append") {
		return false
	}
	for _, n := range f.p.index.path(def) {
		s, ok := n.(*ast.RangeStmt)
		if !ok || s.Pos() <= v.Pos() && v.Pos() < s.End() {
			continue
		}
		if _, isMap := f.under(s.X).(*types.Map); isMap && f.dependsOnTurn(s, call) {
			return true
		}
	}
	return false
}
