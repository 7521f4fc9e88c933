package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// keeper is the place that keeps a wrapper which is made only if the place is empty: m.exec behind
// m.exec == nil, m.execs[key] behind a miss.
type keeper struct {
	p     *pkg
	u     *unit           // the unit that makes the wrapper
	node  ast.Node        // where
	root  *types.Var      // the variable through which the place is reached; nil if it is none
	fresh bool            // the place lives no longer than the root, a local variable
	parts map[string]bool // the expressions that a hit has in common with the call that made the wrapper
}

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
					What: types.ExprString(arg) + " is that of the first call, as the wrapper that " + w.what + " makes with it is kept"}
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

// capture is a read of a traced function, and what it comes from in the unit that makes the wrapper.
type capture struct {
	id   *ast.Ident
	from []ast.Expr
}

// captures lists what the function of a wrapper made in u reads of variables around it.
func (p *pkg) captures(u *unit, w *wrapped, seen map[*wrapped]bool) []capture {
	if w.root == nil || seen[w] {
		return nil
	}
	seen[w] = true
	var out []capture
	if w.callee == nil {
		reach := map[*unit]bool{}
		p.reach(w.root, reach)
		for _, at := range p.units {
			if !reach[at] || !at.within(u) || at == u {
				continue
			}
			ast.Inspect(at.body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok {
					return lit == at.node
				}
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if v, ok := p.info.Uses[id].(*types.Var); ok && p.index.local(v) && u.within(p.index.owner[v]) && p.freezes(at, id, reach) {
					out = append(out, capture{id, []ast.Expr{id}})
				}
				return true
			})
		}
		return out
	}
	for _, inner := range w.callee.history.wraps.all {
		if inner.root != w.root {
			continue
		}
		for _, c := range p.captures(w.callee, inner, seen) {
			at := capture{id: c.id}
			for _, e := range c.from {
				for _, index := range p.paramsIn(w.callee, e) {
					if arg := argument(w.node, index); arg != nil {
						at.from = append(at.from, arg)
					}
				}
			}
			if len(at.from) > 0 {
				out = append(out, at)
			}
		}
	}
	return out
}

// argument is the expression passed for a parameter, nil if there is none of its own.
func argument(node ast.Node, index int) ast.Expr {
	call, ok := node.(*ast.CallExpr)
	if !ok || index < 0 || index >= len(call.Args) {
		return nil
	}
	return call.Args[index]
}

// paramsIn lists the parameters of a unit on which an expression depends, the receiver not among them.
func (p *pkg) paramsIn(u *unit, e ast.Expr) []int {
	var out []int
	p.sources(e, map[*types.Var]bool{}, func(v *types.Var) {
		if index, ok := u.paramIndex(v); ok && index != summary.Recv && !slices.Contains(out, index) {
			out = append(out, index)
		}
	})
	return out
}

// sources calls visit for each variable on which an expression depends, through what local variables
// are assigned.
func (p *pkg) sources(e ast.Node, seen map[*types.Var]bool, visit func(*types.Var)) {
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := p.info.Uses[id].(*types.Var)
		if !ok || v.IsField() || seen[v] {
			return true
		}
		seen[v] = true
		visit(v)
		for _, def := range p.definitions(v) {
			p.sources(def, seen, visit)
		}
		return true
	})
}

// definitions lists the expressions that a local variable is assigned in the unit that declares it.
func (p *pkg) definitions(v *types.Var) []ast.Expr {
	owner := p.index.owner[v]
	if !p.index.local(v) || owner.body == nil {
		return nil
	}
	var out []ast.Expr
	add := func(lhs int, rhs []ast.Expr, n int) {
		switch {
		case len(rhs) == n:
			out = append(out, rhs[lhs])
		case len(rhs) == 1:
			out = append(out, rhs[0])
		}
	}
	ast.Inspect(owner.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && p.info.ObjectOf(id) == v {
					add(i, n.Rhs, len(n.Lhs))
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if p.info.Defs[name] == v {
					add(i, n.Values, len(n.Names))
				}
			}
		}
		return true
	})
	return out
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

func (p *pkg) newKeeper(u *unit, w *wrapped, place ast.Expr, others []ast.Expr) *keeper {
	k := &keeper{p: p, u: u, node: w.node, root: p.rootVar(place), parts: map[string]bool{}}
	for _, e := range append(others, p.comparedBefore(u, w.node)...) {
		k.addParts(e, false, map[*types.Var]bool{})
	}
	switch e := place.(type) {
	case *ast.IndexExpr:
		k.addParts(e.Index, false, map[*types.Var]bool{})
	case *ast.CallExpr:
		for _, arg := range e.Args {
			k.addParts(arg, false, map[*types.Var]bool{})
		}
	}
	if v := k.root; v != nil && p.index.local(v) {
		if _, param := p.index.owner[v].paramIndex(v); !param {
			k.fresh = true
			for _, def := range p.definitions(v) {
				if ast.Unparen(place) != ast.Unparen(def) && types.ExprString(place) != v.Name() && !p.makes(def) {
					k.fresh = false // it leads to something that was there before
					k.addParts(def, true, map[*types.Var]bool{})
				}
			}
		}
	}
	return k
}

// makes reports whether an expression makes the memory that it leads to.
func (p *pkg) makes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && p.makes(e.X)
	case *ast.CallExpr:
		return p.info.Types[e.Fun].IsBuiltin()
	}
	return p.info.Types[e].IsNil()
}

// addParts notes what a key is made of. Below a call only plain data is sure to tell two keys apart:
// what is printed of a pointer or an interface may be the same for two values.
func (k *keeper) addParts(e ast.Expr, below bool, seen map[*types.Var]bool) {
	e = ast.Unparen(e)
	if t := k.p.info.TypeOf(e); t != nil && (!below || dataOnly(t, map[types.Type]bool{})) {
		k.parts[types.ExprString(e)] = true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := k.p.info.Uses[e].(*types.Var)
		if !ok || seen[v] {
			return
		}
		seen[v] = true
		if defs := k.p.definitions(v); len(defs) == 1 {
			k.addParts(defs[0], below, seen)
		}
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			k.addParts(elt, below, seen)
		}
	case *ast.CallExpr:
		conversion := k.p.info.Types[e.Fun].IsType()
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && k.p.info.Selections[sel] != nil {
			k.addParts(sel.X, true, seen)
		}
		for _, arg := range e.Args {
			k.addParts(arg, below || !conversion, seen)
		}
	case *ast.BinaryExpr:
		k.addParts(e.X, below, seen)
		k.addParts(e.Y, below, seen)
	case *ast.UnaryExpr:
		k.addParts(e.X, below, seen)
	case *ast.SliceExpr:
		k.addParts(e.X, true, seen)
	}
}

// dataOnly reports whether a type's values hold nothing but numbers, strings and the like.
func dataOnly(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return dataOnly(t.Elem(), seen)
	case *types.Slice:
		return dataOnly(t.Elem(), seen)
	case *types.Struct:
		for field := range t.Fields() {
			if !dataOnly(field.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// covered reports whether the key holds what is read at an identifier: an expression around it.
func (k *keeper) covered(id *ast.Ident) bool {
	for _, n := range k.p.index.path(id) {
		e, ok := n.(ast.Expr)
		if !ok {
			return false
		}
		if _, lit := e.(*ast.FuncLit); lit {
			return false
		}
		if k.parts[types.ExprString(e)] {
			return true
		}
	}
	return false
}

// live reports whether an expression depends on the call, or the turn of a loop, that happens to fill
// the place, in a way that the key does not cover.
func (k *keeper) live(e ast.Expr) bool { return k.lives(e, map[*types.Var]bool{}) }

func (k *keeper) lives(e ast.Expr, seen map[*types.Var]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if found {
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if at, ok := n.(ast.Expr); ok && k.parts[types.ExprString(at)] {
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := k.p.info.Uses[id].(*types.Var); ok && !v.IsField() && !seen[v] {
			seen[v] = true
			found = k.livesVar(v, seen)
		}
		return !found
	})
	return found
}

func (k *keeper) livesVar(v *types.Var, seen map[*types.Var]bool) bool {
	p := k.p
	if !p.index.local(v) || v == k.root || !p.frozenType(v.Type()) {
		return false
	}
	owner := p.index.owner[v]
	if index, ok := owner.paramIndex(v); ok {
		return index != summary.Recv && k.outlives(owner)
	}
	if loop := k.turnOf(v); loop != nil {
		return !k.tellsTurn(loop)
	}
	for _, def := range p.definitions(v) {
		if k.lives(def, seen) {
			return true
		}
	}
	return false
}

// outlives reports whether the place lives longer than a call of a unit.
func (k *keeper) outlives(u *unit) bool {
	if k.root == nil || !k.p.index.local(k.root) {
		return true
	}
	of := k.p.index.owner[k.root]
	if !u.within(of) {
		return false
	}
	return !k.fresh || u != of
}

// turnOf is the loop around the wrapper's making that gives v a value each turn, if the place lives
// longer than a turn.
func (k *keeper) turnOf(v *types.Var) ast.Node {
	for _, n := range k.p.index.path(k.node) {
		var head ast.Node
		switch n := n.(type) {
		case *ast.RangeStmt:
			head = n.Key
			if n.Value != nil && n.Value.Pos() <= v.Pos() && v.Pos() < n.Value.End() {
				head = n.Value
			}
			if n.Key == nil {
				continue
			}
		case *ast.ForStmt:
			if n.Init == nil {
				continue
			}
			head = n.Init
		default:
			continue
		}
		if head.Pos() <= v.Pos() && v.Pos() < head.End() {
			if k.root != nil && n.Pos() <= k.root.Pos() && k.root.Pos() < n.End() && (k.fresh || k.inHead(n)) {
				return nil // the place is this turn's own
			}
			return n
		}
	}
	return nil
}

// inHead reports whether the place is reached through a variable of the loop's head.
func (k *keeper) inHead(loop ast.Node) bool {
	body := loopBody(loop)
	return body != nil && k.root.Pos() < body.Pos()
}

// tellsTurn reports whether the key holds the position of the turn, which says all else about it.
func (k *keeper) tellsTurn(loop ast.Node) bool {
	switch n := loop.(type) {
	case *ast.RangeStmt:
		id, ok := n.Key.(*ast.Ident)
		if _, iterator := k.p.info.TypeOf(n.X).Underlying().(*types.Signature); iterator {
			return false
		}
		return ok && k.parts[id.Name]
	case *ast.ForStmt:
		s, ok := n.Init.(*ast.AssignStmt)
		return ok && slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return k.parts[types.ExprString(e)] })
	}
	return false
}
