package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

func (f *frame) assignStmt(s *ast.AssignStmt) {
	if len(s.Lhs) > 1 && len(s.Rhs) == 1 {
		for i, v := range f.evalMulti(s.Rhs[0], len(s.Lhs)) {
			f.assign(s.Lhs[i], v, nil, s.Tok, s)
		}
		return
	}
	values := make([]value, len(s.Lhs))
	for i := range s.Lhs {
		values[i] = f.eval(s.Rhs[i])
	}
	for i, lhs := range s.Lhs {
		f.assign(lhs, values[i], s.Rhs[i], s.Tok, s)
	}
}

// assign stores v where lhs says; s is the statement that does it.
func (f *frame) assign(lhs ast.Expr, v value, rhs ast.Expr, tok token.Token, s ast.Stmt) {
	lhs = ast.Unparen(lhs)
	if id, ok := lhs.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		obj, ok := f.p.info.ObjectOf(id).(*types.Var)
		if !ok {
			return
		}
		own := f.p.index.local(obj) && f.p.index.owner[obj] == f.u
		if tok != token.ASSIGN && tok != token.DEFINE {
			v = f.read(obj).with(v...)
		}
		f.set(obj, v)
		if !own && f.p.info.Defs[id] == nil {
			f.written(lhs, value{f.cellOf(obj)}, rhs, tok, s)
		}
		return
	}
	targets := f.storage(lhs)
	if ix, ok := lhs.(*ast.IndexExpr); ok {
		f.eval(ix.Index)
	}
	for _, t := range targets {
		if obj, ok := t.obj.(*types.Var); ok && t.kind == cell && t.path == "" {
			f.p.share(obj, v)
			continue
		}
		parent, segment := t.split()
		f.p.store(parent, segment, v)
	}
	if sel, ok := lhs.(*ast.SelectorExpr); ok {
		if field, ok := f.p.info.Uses[sel.Sel].(*types.Var); ok && field.IsField() {
			f.p.shareField(field, v)
		}
	}
	f.written(lhs, targets, rhs, tok, s)
}

// split separates a location into the one above it and the last segment; memory that a pointer
// points to as a whole is one element.
func (l loc) split() (loc, string) {
	all := segments(l.path)
	if len(all) == 0 {
		return l, segElem
	}
	last := all[len(all)-1]
	l.path = strings.TrimSuffix(l.path, last)
	return l, last
}

// written adds the effect of a write to memory that is not this run's own.
func (f *frame) written(lhs ast.Expr, targets value, rhs ast.Expr, tok token.Token, s ast.Stmt) {
	if f.ownedTarget(lhs) {
		return
	}
	what := "assignment to " + types.ExprString(lhs)
	switch tok {
	case token.INC, token.DEC:
		what = types.ExprString(lhs) + tok.String()
	case token.ASSIGN, token.DEFINE:
		if call, ok := rhs.(*ast.CallExpr); ok && f.isBuiltin(call, "append") {
			what = "append to " + types.ExprString(lhs)
		}
	default:
		what = types.ExprString(lhs) + " " + tok.String()
	}
	_, plain := lhs.(*ast.Ident)
	e := effect{rule: summary.Write, what: what, class: classMemory, leaf: s, plainSet: plain && tok == token.ASSIGN}
	t := f.p.info.TypeOf(lhs)
	if rhs != nil && f.p.engines.HasSymbolic(f.p.info.TypeOf(rhs)) || t != nil && f.p.engines.HasSymbolic(t) && tok == token.ASSIGN {
		if !f.isNil(rhs) {
			e.rule, e.what = summary.Leak, "store of a symbolic value in "+types.ExprString(lhs)
		}
	} else if tok == token.ASSIGN {
		f.keeps(targets, rhs, lhs, s)
	}
	f.emitOn(e, targets)
}

// keeps notes that a parameter of interface or type-parameter type is stored where it outlives the
// call: if a caller passes a symbolic value, that is a leak.
func (f *frame) keeps(targets value, rhs, lhs ast.Expr, s ast.Stmt) {
	id, ok := ast.Unparen(rhs).(*ast.Ident)
	if rhs == nil || !ok {
		return
	}
	v, ok := f.p.info.Uses[id].(*types.Var)
	if !ok {
		return
	}
	index, ok := f.u.paramIndex(v)
	if !ok || !types.IsInterface(v.Type()) {
		return
	}
	for _, t := range targets {
		if t.kind == global {
			f.emit(&effect{rule: summary.Leak, what: "store of a symbolic value in " + types.ExprString(lhs), class: classKept,
				leaf: s, on: loc{kind: param, unit: f.u, index: index}})
		}
	}
}

func (f *frame) isNil(e ast.Expr) bool {
	return e != nil && f.p.info.Types[e].IsNil()
}

// ownedTarget reports whether an assignment changes what the trace owns: part of a symbolic value,
// scope or builder, or a variable that holds a scope, as walking down a model's scopes does.
func (f *frame) ownedTarget(lhs ast.Expr) bool {
	if t := f.p.info.TypeOf(lhs); t != nil && f.p.engines.Scope(t) {
		return true
	}
	for {
		switch e := ast.Unparen(lhs).(type) {
		case *ast.SelectorExpr:
			if f.p.info.Selections[e] == nil {
				return false
			}
			lhs = e.X
		case *ast.IndexExpr:
			lhs = e.X
		case *ast.StarExpr:
			lhs = e.X
		default:
			return false
		}
		if t := f.p.info.TypeOf(lhs); t != nil && f.p.engines.Owned(t) {
			return true
		}
	}
}

// goStmt starts a goroutine: what it does happens while tracing too, and what it is given leaves
// the trace unless the unit waits for it.
func (f *frame) goStmt(s *ast.GoStmt) {
	f.effect(summary.Sync, "go statement", s)
	f.eval(s.Call)
	if f.waits() {
		return
	}
	symbolic := false
	for _, arg := range s.Call.Args {
		symbolic = symbolic || f.p.engines.HasSymbolic(f.p.info.TypeOf(arg))
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, ok := f.p.info.Uses[id].(*types.Var)
				if ok && f.p.index.local(v) && !f.p.index.owner[v].within(f.p.byLit[lit]) {
					symbolic = symbolic || f.p.engines.HasSymbolic(v.Type())
				}
			}
			return !symbolic
		})
	}
	if symbolic {
		f.effect(summary.Leak, "a goroutine that is not waited for is given a symbolic value", s)
	}
}

// waits reports whether the unit waits for something: a Wait method or a receive.
func (f *frame) waits() bool {
	found := false
	ast.Inspect(f.u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == f.u.node
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "Wait"
		case *ast.RangeStmt:
			if _, ok := f.under(n.X).(*types.Chan); ok {
				found = true
			}
		}
		return !found
	})
	return found
}

func (f *frame) sendStmt(s *ast.SendStmt) {
	f.effect(summary.Sync, "send to a channel", s)
	ch := f.eval(s.Chan)
	v := f.eval(s.Value)
	for _, l := range ch {
		f.p.store(l, segElem, v)
	}
	if f.p.engines.HasSymbolic(f.p.info.TypeOf(s.Value)) {
		f.emitOn(effect{rule: summary.Leak, what: "send of a symbolic value to " + types.ExprString(s.Chan),
			class: classMemory, leaf: s}, ch)
	}
}

// deferredUnlock reports whether a defer releases a mutex, which is therefore held from here on.
func (f *frame) deferredUnlock(s *ast.DeferStmt) bool {
	fn := f.p.staticCallee(s.Call)
	return fn != nil && mutexCall(fn, "Unlock", "RUnlock")
}

// mutexCall reports whether fn is one of these methods of sync.Mutex, sync.RWMutex or sync.Locker.
func mutexCall(fn *types.Func, names ...string) bool {
	if fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	for _, name := range names {
		if fn.Name() == name {
			return true
		}
	}
	return false
}
