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
		if f.p.info.Defs[id] == nil {
			f.wrote(f.cellOf(obj), s)
		}
		if !own && f.p.info.Defs[id] == nil {
			f.written(lhs, value{f.cellOf(obj)}, rhs, tok, s)
		}
		return
	}
	targets := f.storage(lhs)
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
	f.wrotePart(targets, s)
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
		what = types.ExprString(lhs) + " " + tok.String() + " ..."
	}
	_, plain := lhs.(*ast.Ident)
	e := effect{rule: summary.Write, what: what, class: classMemory, leaf: s, plainSet: plain && tok == token.ASSIGN}
	t := f.p.info.TypeOf(lhs)
	if rhs != nil && f.p.engines.HasSymbolic(f.p.info.TypeOf(rhs)) || t != nil && f.p.engines.HasSymbolic(t) && tok == token.ASSIGN {
		if !f.isNil(rhs) {
			e.rule, e.what = summary.Leak, storeOf(lhs)
		}
	} else if tok == token.ASSIGN && rhs != nil {
		f.keeps(targets, rhs, lhs, s)
	}
	f.emitOn(e, targets)
}

// keeps notes that a parameter of any or generic type is stored: if a caller passes a symbolic value
// and the target outlives the trace, that is a leak.
func (f *frame) keeps(targets value, rhs, lhs ast.Expr, s ast.Stmt) {
	stored := []ast.Expr{rhs}
	if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && f.isBuiltin(call, "append") {
		stored = call.Args[1:]
	}
	for _, e := range stored {
		if l, ok := f.openParam(e); ok {
			f.emitOn(effect{rule: summary.Leak, what: storeOf(lhs), class: classMemory, leaf: s, kept: l}, targets)
		}
	}
}

func storeOf(lhs ast.Expr) string {
	return "store of a symbolic value in " + types.ExprString(lhs)
}

// openParam is the parameter that an expression names, if its type leaves open what it holds.
func (f *frame) openParam(e ast.Expr) (loc, bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return loc{}, false
	}
	v, ok := f.p.info.Uses[id].(*types.Var)
	if !ok {
		return loc{}, false
	}
	index, ok := f.u.paramIndex(v)
	if !ok || !openType(v.Type()) {
		return loc{}, false
	}
	return loc{kind: param, unit: f.u, index: index}, true
}

// openType reports whether values of a type may hold anything: interfaces, type parameters, slices
// of such.
func openType(t types.Type) bool {
	if slice, ok := types.Unalias(t).(*types.Slice); ok {
		t = slice.Elem()
	}
	return types.IsInterface(t)
}

// bindKept decides whether what a callee keeps of a parameter is symbolic, or passes the question on.
func (f *frame) bindKept(e *effect, index int, b *binding) bool {
	if b == nil || index < 0 {
		return false
	}
	last := index + 1
	if index == len(b.args)-1 { // maybe the variadic parameter: its arguments are the last ones
		last = len(b.types)
	}
	for i := index; i < last && i < len(b.types); i++ {
		if t := b.types[i]; t != nil && f.p.engines.HasSymbolic(t) {
			e.kept = loc{}
			return true
		}
		if i < len(b.exprs) {
			if l, ok := f.openParam(b.exprs[i]); ok {
				e.kept = l
				return true
			}
		}
	}
	return false
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
			// What is kept for each graph, under a lock, is part of that graph's trace.
			if f.mode.locked && f.p.engines.Owned(f.p.info.TypeOf(e.Index)) {
				return true
			}
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
	symbolic := ""
	for _, arg := range s.Call.Args {
		if f.p.engines.HasSymbolic(f.p.info.TypeOf(arg)) {
			symbolic = types.ExprString(arg)
		}
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, ok := f.p.info.Uses[id].(*types.Var)
				if ok && f.p.index.local(v) && !f.p.index.owner[v].within(f.p.byLit[lit]) {
					if f.p.engines.HasSymbolic(v.Type()) {
						symbolic = v.Name()
					}
				}
			}
			return symbolic == ""
		})
	}
	if symbolic != "" {
		f.effect(summary.Leak, "a goroutine that is given "+symbolic, s)
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
	f.effect(summary.Sync, "send to "+types.ExprString(s.Chan), s)
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
