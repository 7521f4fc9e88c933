package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
)

// known is what a condition's outcome says.
type known struct{ quiet, miss bool }

func (m mode) also(k known) mode {
	m.quiet = m.quiet || k.quiet
	m.miss = m.miss || k.miss
	return m
}

func (k known) or(o known) known  { return known{k.quiet || o.quiet, k.miss || o.miss} }
func (k known) and(o known) known { return known{k.quiet && o.quiet, k.miss && o.miss} }

// condition says what is known where e holds, and where it does not: that logging is on, that
// something is not there yet.
func (f *frame) condition(e ast.Expr) (yes, no known) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			yes, no = f.condition(e.X)
			return no, yes
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			ly, ln := f.condition(e.X)
			ry, rn := f.condition(e.Y)
			return ly.or(ry), ln.and(rn)
		case token.LOR:
			ly, ln := f.condition(e.X)
			ry, rn := f.condition(e.Y)
			return ly.and(ry), ln.or(rn)
		case token.EQL, token.NEQ:
			yes, no = f.comparison(e)
			if e.Op == token.NEQ {
				return no, yes
			}
			return yes, no
		}
	case *ast.StarExpr: // a switch of the command line
		return f.condition(e.X)
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		for _, l := range f.peek(e) {
			switch l.kind {
			case guard:
				yes.quiet = true
			case miss: // "ok": what is looked up is there
				no.miss = true
			}
		}
		if set, ok := e.(*ast.IndexExpr); ok { // a map used as a set
			if _, isMap := f.under(set.X).(*types.Map); isMap {
				no.miss = true
			}
		}
	}
	return yes, no
}

// clauseCondition says what is known where a clause of a switch without a tag is chosen, and where it is not. The default
// clause is chosen where no other is.
func (f *frame) clauseCondition(body *ast.BlockStmt, c *ast.CaseClause) (yes, no known) {
	if c.List == nil {
		for _, other := range body.List {
			if other := other.(*ast.CaseClause); other.List != nil {
				_, no := f.clauseCondition(body, other)
				yes = yes.or(no)
			}
		}
		return yes, known{}
	}
	yes, no = f.condition(c.List[0])
	for _, e := range c.List[1:] {
		y, n := f.condition(e)
		yes, no = yes.and(y), no.or(n)
	}
	return yes, no
}

// deadClause reports whether constants show that a clause of a switch is never chosen.
func (f *frame) deadClause(s *ast.SwitchStmt, c *ast.CaseClause) bool {
	tag := constant.MakeBool(true)
	if s.Tag != nil {
		tag = f.p.info.Types[s.Tag].Value
	}
	if tag == nil || c.List == nil {
		return false
	}
	return !slices.ContainsFunc(c.List, func(e ast.Expr) bool {
		v := f.p.info.Types[e].Value
		return v == nil || v.Kind() != tag.Kind() || constant.Compare(v, token.EQL, tag)
	})
}

// comparison reads x == nil, x == zero: something is not there yet, or a log entry was refused.
func (f *frame) comparison(e *ast.BinaryExpr) (equal, unequal known) {
	x, y := e.X, e.Y
	if f.isZero(x) {
		x, y = y, x
	}
	if !f.isZero(y) {
		return known{}, known{}
	}
	for _, l := range f.peek(x) {
		if l.kind == guard {
			return known{}, known{quiet: true}
		}
	}
	if !f.memory(x) {
		return known{}, known{}
	}
	return known{miss: true}, known{}
}

// memory reports whether an expression may hold what is made once and kept: anything but an error that
// is nil, and a count of something at hand.
func (f *frame) memory(e ast.Expr) bool {
	t := f.p.info.TypeOf(e)
	if t == nil || types.Identical(types.Unalias(t), types.Universe.Lookup("error").Type()) {
		return false
	}
	if _, basic := types.Unalias(t).Underlying().(*types.Basic); !basic {
		return true
	}
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// isZero reports whether e is nil, 0, "" or len(x)'s 0.
func (f *frame) isZero(e ast.Expr) bool {
	tv := f.p.info.Types[e]
	if tv.IsNil() {
		return true
	}
	return tv.Value != nil && (tv.Value.String() == "0" || tv.Value.String() == `""`)
}

// peek is what an already interpreted condition's operand evaluates to; only what concerns guards
// and lookups is read, so that nothing runs twice.
func (f *frame) peek(e ast.Expr) value {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.p.info.ObjectOf(e).(*types.Var); ok {
			return f.read(v)
		}
	case *ast.CallExpr:
		fn := f.p.staticCallee(e)
		if fn == nil {
			return nil
		}
		for _, action := range f.p.tables.Lookup(fn) {
			if action.Verb == library.Guard {
				return value{{kind: guard}}
			}
		}
		if u := f.p.byFunc[fn]; u != nil && len(u.results) == 1 {
			return u.results[0]
		}
	}
	return nil
}

// deadEnd reports whether every way on from the statement that runs leads to a panic or an exit
// without leaving its block otherwise: a print there explains the end.
func (f *frame) deadEnd() bool {
	for i := len(f.blocks) - 1; i >= 0; i-- {
		switch f.way(f.blocks[i]) {
		case wayEnds:
			return true
		case wayLeaves:
			return false
		}
		if f.blocks[i].loop {
			return false
		}
	}
	return false
}

// way says where a block leads behind the statement that runs.
func (f *frame) way(b *block) way {
	if b.ways == nil {
		b.ways = make([]way, len(b.list)+1)
		for i, s := range slices.Backward(b.list) {
			switch {
			case f.endsHere(s):
				b.ways[i] = wayEnds
			case mayLeave(s):
				b.ways[i] = wayLeaves
			default:
				b.ways[i] = b.ways[i+1]
			}
		}
	}
	return b.ways[b.next]
}

// endsHere reports whether s itself is a call that never returns.
func (f *frame) endsHere(s ast.Stmt) bool {
	expr, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(expr.X).(*ast.CallExpr)
	return ok && f.neverReturns(call)
}

// mayLeave reports whether s holds a statement that leaves the block.
func mayLeave(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// neverReturns reports whether a call panics, exits or ends the goroutine in any case.
func (f *frame) neverReturns(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.p.info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "panic"
		}
	}
	fn := f.p.staticCallee(call)
	if fn == nil {
		return false
	}
	if known := f.p.engines.Func(fn); known != nil && known.Kind == engine.NoReturn {
		return true
	}
	for _, action := range f.p.tables.Lookup(fn) {
		switch action.Verb {
		case library.Abort, library.Exit, library.Goexit:
			return true
		}
	}
	if u := f.p.byFunc[fn]; u != nil {
		return u.noReturn
	}
	if s := f.p.imports(fn); s != nil {
		return s.NoReturn
	}
	return false
}

// recovers reports whether the unit defers a function that recovers.
func (p *pkg) recovers(u *unit) bool {
	found := false
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = found || p.callsRecover(n.Call)
			return false
		}
		return true
	})
	return found
}

func (p *pkg) callsRecover(call *ast.CallExpr) bool {
	var body *ast.BlockStmt
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		body = lit.Body
	} else if fn := p.staticCallee(call); fn != nil {
		if u := p.byFunc[fn]; u != nil {
			body = u.body
		}
	}
	if body == nil {
		return false
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Body != body {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
				if b, ok := p.info.Uses[id].(*types.Builtin); ok && b.Name() == "recover" {
					found = true
				}
			}
		}
		return !found
	})
	return found
}
