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
				if types.ExprString(place) != v.Name() && !p.makes(def) {
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

// tellsTurn reports whether the key holds a variable of the loop's head, which says all else about a turn.
func (k *keeper) tellsTurn(loop ast.Node) bool {
	switch n := loop.(type) {
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if id, ok := e.(*ast.Ident); ok && k.parts[id.Name] {
				return true
			}
		}
		return false
	case *ast.ForStmt:
		s, ok := n.Init.(*ast.AssignStmt)
		return ok && slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return k.parts[types.ExprString(e)] })
	}
	return false
}
