package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// keptReads lists the reads, in functions whose wrapper is made once and kept, of values of the call
// that happens to make it.
func (p *pkg) keptReads() []Finding {
	var out []Finding
	for _, u := range p.units {
		for _, w := range u.history.wraps.all {
			for _, k := range p.keepers(u, w) {
				out = append(out, p.firstCallReads(k, w)...)
			}
		}
	}
	return out
}

func (p *pkg) firstCallReads(k *keeper, w *wrapped) []Finding {
	var out []Finding
	if w.root == nil {
		for _, index := range w.captures {
			if arg := argument(w.node, index); arg != nil && k.live(arg) {
				f := Finding{Rule: summary.StaleRead, Node: arg, Stmt: p.statement(arg), In: p.declAt(arg),
					What: types.ExprString(arg) + " is that of the first call, as the wrapper that " + w.maker + " makes with it is kept"}
				out = append(out, f)
			}
		}
		return out
	}
	r := p.rootOf(w.root)
	for _, c := range p.captures(k.u, w, map[*wrapped]bool{}) {
		if !slices.ContainsFunc(c.from, k.live) || w.callee == nil && k.covered(c.id) {
			continue
		}
		f := p.readFinding(c.id, c.id.Name+" is that of the first call, as the wrapper of the function is kept ("+
			p.position(w.node)+")", r)
		if v := p.info.Uses[c.id].(*types.Var); pointerLike(v.Type()) {
			f.Note = notePointer
		}
		out = append(out, f)
	}
	return out
}

// pointerLike reports whether a type's values lead to something that may be the same in all calls.
func pointerLike(t types.Type) bool {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Interface:
		return !t.Empty()
	}
	return false
}

func (p *pkg) rootOf(u *unit) *root {
	for _, r := range p.roots.all {
		if r.unit == u {
			return r
		}
	}
	return nil
}

// keepers lists the places that keep the wrapper made at w, each known to be empty there.
func (p *pkg) keepers(u *unit, w *wrapped) []*keeper {
	if u.body == nil {
		return nil
	}
	var out []*keeper
	path := p.index.path(w.node)
	for i := 1; i < len(path) && path[i-1] != u.node; i++ {
		below := path[i-1]
		switch n := path[i].(type) {
		case *ast.IfStmt:
			if below == n.Body || below == n.Else {
				out = append(out, p.emptyPlaces(u, w, n.Cond, below == n.Body)...)
			}
		case *ast.BlockStmt:
			out = append(out, p.earlyReturns(u, w, n.List, below)...)
		case *ast.CaseClause:
			out = append(out, p.earlyReturns(u, w, n.Body, below)...)
		}
	}
	if call := p.onceAround(u); call != nil {
		out = append(out, p.newKeeper(u, w, call.Fun, nil))
	}
	return out
}

// comparedBefore lists what a unit compares before a node: a call that differs is refused, or has the
// wrapper made anew.
func (p *pkg) comparedBefore(u *unit, node ast.Node) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(u.body, func(n ast.Node) bool {
		cond, ok := n.(*ast.IfStmt)
		if !ok || cond.End() > node.Pos() {
			return true
		}
		ast.Inspect(cond.Cond, func(n ast.Node) bool {
			if e, ok := n.(*ast.BinaryExpr); ok && e.Op == token.NEQ && !p.info.Types[e.X].IsNil() && !p.info.Types[e.Y].IsNil() {
				out = append(out, e.X, e.Y)
			}
			return true
		})
		return true
	})
	return out
}

// onceAround is the call of a sync.Once's Do that runs a literal, nil if there is none.
func (p *pkg) onceAround(u *unit) *ast.CallExpr {
	if u.outer == nil {
		return nil
	}
	path := p.index.path(u.node)
	if len(path) < 2 {
		return nil
	}
	call, ok := path[1].(*ast.CallExpr)
	if !ok {
		return nil
	}
	if fn := p.staticCallee(call); fn == nil || fn.FullName() != "(*sync.Once).Do" {
		return nil
	}
	return call
}

// earlyReturns reads conditions that left the list of statements before one was reached.
func (p *pkg) earlyReturns(u *unit, w *wrapped, list []ast.Stmt, upTo ast.Node) []*keeper {
	var out []*keeper
	for _, s := range list {
		if s == upTo {
			break
		}
		if cond, ok := s.(*ast.IfStmt); ok && cond.Else == nil && leavesAtEnd(cond.Body) {
			out = append(out, p.emptyPlaces(u, w, cond.Cond, false)...)
		}
	}
	return out
}

func leavesAtEnd(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch last := body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok != token.FALLTHROUGH
	}
	return false
}

// emptyPlaces lists the places that a condition's outcome shows to be empty, and that keep the wrapper.
// What else the condition compares has a wrapper made anew when it changes.
func (p *pkg) emptyPlaces(u *unit, w *wrapped, cond ast.Expr, holds bool) []*keeper {
	var places, others []ast.Expr
	p.absent(cond, holds, &places, &others)
	var out []*keeper
	for _, place := range places {
		if !isError(p.info.TypeOf(place)) && p.storedIn(u, w, place) {
			out = append(out, p.newKeeper(u, w, place, others))
		}
	}
	return out
}

// absent collects the places that are empty if cond's outcome is holds, and the other conditions that
// lead to the same branch.
func (p *pkg) absent(cond ast.Expr, holds bool, places, others *[]ast.Expr) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			p.absent(e.X, !holds, places, others)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND || e.Op == token.LOR:
			either := (e.Op == token.LOR) == holds // one of the two is enough for the outcome
			for _, side := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
				before := len(*places)
				p.absent(side[0], holds, places, others)
				if either && len(*places) > before {
					*others = append(*others, side[1])
				}
			}
		case (e.Op == token.EQL) == holds && (e.Op == token.EQL || e.Op == token.NEQ):
			x, y := e.X, e.Y
			if p.info.Types[x].IsNil() {
				x, y = y, x
			}
			if p.info.Types[y].IsNil() {
				*places = append(*places, p.lookedUp(x))
			}
		}
	case *ast.Ident:
		if v, ok := p.info.Uses[e].(*types.Var); ok && !holds {
			for _, def := range p.definitions(v) {
				if lookup := ast.Unparen(def); isLookup(lookup) {
					*places = append(*places, lookup)
				}
			}
		}
	case *ast.IndexExpr:
		if !holds {
			*places = append(*places, e)
		}
	}
}

// isLookup reports whether an expression looks something up: m[k], m.Load(k).
func isLookup(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return true
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return ok && len(e.Args) > 0 && (sel.Sel.Name == "Load" || sel.Sel.Name == "Get")
	}
	return false
}

// lookedUp is the place that a local variable was read from, e itself if it is another expression.
func (p *pkg) lookedUp(e ast.Expr) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return e
	}
	v, ok := p.info.Uses[id].(*types.Var)
	if !ok {
		return e
	}
	for _, def := range p.definitions(v) {
		switch def := ast.Unparen(def).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr:
			return def
		case *ast.CallExpr:
			if isLookup(def) {
				return def
			}
		}
	}
	return e
}

// storedIn reports whether the unit stores the wrapper made at w, or its function, in a place.
func (p *pkg) storedIn(u *unit, w *wrapped, place ast.Expr) bool {
	holders := p.carriers(w.node)
	made := []ast.Node{w.node}
	if w.root != nil {
		made = append(made, w.root.node)
	}
	stores := func(e ast.Expr) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			found = found || slices.Contains(made, n)
			if id, ok := n.(*ast.Ident); ok {
				v, _ := p.info.Uses[id].(*types.Var)
				found = found || v != nil && slices.Contains(holders, v)
			}
			return !found
		})
		return found
	}
	want := types.ExprString(place)
	lookup, isCall := place.(*ast.CallExpr)
	found := false
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				rhs := n.Rhs[0]
				if len(n.Rhs) == len(n.Lhs) {
					rhs = n.Rhs[i]
				}
				found = found || types.ExprString(lhs) == want && stores(rhs)
			}
		case *ast.CallExpr: // cache.Store(key, exec) for cache.Load(key)
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if isCall && ok && len(n.Args) == 2 {
				into := lookup.Fun.(*ast.SelectorExpr)
				found = found || types.ExprString(sel.X) == types.ExprString(into.X) &&
					types.ExprString(n.Args[0]) == types.ExprString(lookup.Args[0]) && stores(n.Args[1])
			}
		}
		return !found
	})
	return found
}

// carriers lists the local variables that a new wrapper is assigned to, whole or in a field.
func (p *pkg) carriers(node ast.Node) []*types.Var {
	var out []*types.Var
	path := p.index.path(node)
	for i := 1; i < len(path); i++ {
		switch n := path[i].(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if v := p.rootVar(lhs); v != nil && !isError(v.Type()) {
					out = append(out, v)
				}
			}
			return out
		case *ast.ValueSpec:
			for _, name := range n.Names {
				if v, ok := p.info.Defs[name].(*types.Var); ok && !isError(v.Type()) {
					out = append(out, v)
				}
			}
			return out
		case ast.Stmt:
			return nil
		}
	}
	return nil
}

// rootVar is the variable that an expression selects from, nil if it starts with anything else.
func (p *pkg) rootVar(e ast.Expr) *types.Var {
	for {
		switch at := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := p.info.ObjectOf(at).(*types.Var)
			return v
		case *ast.SelectorExpr:
			if p.info.Selections[at] == nil {
				v, _ := p.info.Uses[at.Sel].(*types.Var)
				return v
			}
			e = at.X
		case *ast.IndexExpr:
			e = at.X
		case *ast.StarExpr:
			e = at.X
		case *ast.CallExpr:
			e = at.Fun
		default:
			return nil
		}
	}
}
