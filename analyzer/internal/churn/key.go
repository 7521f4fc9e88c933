package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// freshKeys reports objects that are made anew for each batch or call, though the cache is keyed by their
// identity.
func (p *pkg) freshKeys(files []*ast.File) {
	for _, u := range p.units {
		if u.obj == nil {
			continue
		}
		if known := p.engines.YieldMethod(u.obj); known != nil {
			p.freshSpecs(u, known)
		}
	}
	p.hostCalls(files, func(call *ast.CallExpr) {
		known := p.engineFunc(call)
		if known == nil || known.Kind != engine.Call || !known.Identity || known.Inputs == nil || call.Ellipsis.IsValid() {
			return
		}
		obj, _, ok := p.receiver(call)
		if !ok {
			return
		}
		for _, arg := range call.Args[min(*known.Inputs, len(call.Args)):] {
			for _, key := range p.keysIn(arg) {
				if made := p.fresh(key, call); made != nil && p.repeated(call, obj) {
					p.report(summary.FreshKey, fmt.Sprintf("%s is keyed by the identity of %s, which is new at each call",
						types.ExprString(call.Fun), types.ExprString(key)), known.Engine, nil, call)
					return
				}
			}
		}
	})
}

// keysIn are the parts of an argument that are keyed by identity: itself, if it is a pointer, or the
// fields of a batch that the engine's profile names.
func (p *pkg) keysIn(arg ast.Expr) []ast.Expr {
	if lit, ok := ast.Unparen(arg).(*ast.CompositeLit); ok {
		var out []ast.Expr
		for _, elt := range lit.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && p.isKey(kv.Key) {
				out = append(out, kv.Value)
			}
		}
		return out
	}
	return []ast.Expr{arg}
}

func (p *pkg) isKey(e ast.Expr) bool {
	v, ok := p.holder(e).(*types.Var)
	if !ok || !v.IsField() {
		return false
	}
	known := p.engines.Var(v)
	return known != nil && known.Kind == engine.Key
}

// freshSpecs looks at what a method gives out with its batches.
func (p *pkg) freshSpecs(u *unit, known *engine.Func) {
	report := func(e ast.Expr) {
		if made := p.fresh(e, e); made != nil {
			p.report(summary.FreshKey, fmt.Sprintf("%s makes a new spec for each batch: %s is keyed by its identity",
				u.name, types.ExprString(e)), known.Engine, nil, e)
		}
	}
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if known.Key != nil && len(n.Results) > *known.Key && p.byNodeOf(n) == u {
				report(n.Results[*known.Key])
			}
		case *ast.KeyValueExpr:
			if p.isKey(n.Key) {
				report(n.Value)
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
				named := known.Key != nil && u.sig.Results().At(*known.Key).Name() != "" && p.holder(lhs) == types.Object(u.sig.Results().At(*known.Key))
				if i < len(n.Rhs) && (ok && p.isKey(sel) || named) {
					report(n.Rhs[i])
				}
			}
		}
		return true
	})
}

func (p *pkg) byNodeOf(n ast.Node) *unit {
	for ; n != nil; n = p.parents[n] {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return p.byNode[n]
		}
	}
	return nil
}

// fresh is the expression that makes the object which e points to, if it is made where e is evaluated
// or since the last time that it was.
func (p *pkg) fresh(e ast.Expr, at ast.Node) ast.Expr {
	p.fuel = maxFuel
	t := p.info.TypeOf(e)
	if t == nil {
		return nil
	}
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok || p.engines.Owned(t) || p.engines.HasSymbolic(t) {
		return nil
	}
	if st, ok := types.Unalias(ptr.Elem()).Underlying().(*types.Struct); ok && st.NumFields() == 0 {
		return nil // may all have one address
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if _, lit := ast.Unparen(e.X).(*ast.CompositeLit); lit && e.Op == token.AND {
			return e
		}
	case *ast.CallExpr:
		if p.builtin(e) == "new" {
			return e
		}
	case *ast.Ident:
		pl, ok := p.place(e)
		if !ok {
			return nil
		}
		defs := p.reaching(pl, e)
		if len(defs) != 1 || defs[0].rhs == nil || defs[0].back != nil || p.mentions(defs[0].rhs, pl) {
			return nil
		}
		// Made before a loop, or before the literal that gives out batches, it is the same for all of them.
		if len(p.loops(at)) != len(p.loops(defs[0].stmt)) || p.byNodeOf(at) != p.byNodeOf(defs[0].stmt) {
			return nil
		}
		return p.fresh(defs[0].rhs, defs[0].stmt)
	}
	return nil
}

// repeated reports whether a call may run more than once: it stands in a loop, in a function that others
// call, or it is not the only one of its wrapper.
func (p *pkg) repeated(call *ast.CallExpr, obj types.Object) bool {
	for _, loop := range p.loops(call) {
		if obj == nil || !p.remade(obj, loop) {
			return true
		}
	}
	u := p.unitAt(call)
	if u == nil || u.obj == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && !v.IsField() && v.Parent() != p.types.Scope() {
		if _, param := u.paramIndex(v); !param {
			return p.callsOf(obj, u) > 1 // a wrapper of this very run
		}
	}
	return u.name != "main" && u.name != "init" && !p.inTest(u.node) || p.callsOf(obj, u) > 1
}

func (p *pkg) callsOf(obj types.Object, u *unit) int {
	count := 0
	ast.Inspect(u.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if known := p.engineFunc(call); known != nil && known.Kind == engine.Call {
				if have, _, ok := p.receiver(call); ok && have == obj {
					count++
				}
			}
		}
		return true
	})
	return count
}
