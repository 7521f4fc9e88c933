package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// notePointer says why a stale read through a pointer is often intended.
const notePointer = "what a pointer leads to is often set up before the first call"

// read is where a traced function reads memory that outlives its trace.
type read struct {
	id   *ast.Ident
	at   loc
	lone bool // the variable alone is read, not what it refers to
	note string
}

// of reports whether a write changes what is read.
func (r read) of(write loc) bool {
	if r.lone {
		return r.at == write
	}
	return overlap(r.at, write)
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// frozenType reports whether a variable of this type is worth a finding: no function, wrapper, engine
// object or error.
func (p *pkg) frozenType(t types.Type) bool {
	if _, ok := types.Unalias(t).Underlying().(*types.Signature); ok {
		return false
	}
	return !isError(t) && !p.engines.Wrapper(t) && !p.engines.Backend(t) && !p.engines.Owned(t) && !p.engines.HasSymbolic(t) &&
		!p.holdsWrapper(t)
}

// holdsWrapper reports whether a type is a map, slice or array of wrappers.
func (p *pkg) holdsWrapper(t types.Type) bool {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Map:
		return p.engines.Wrapper(t.Elem())
	case *types.Slice:
		return p.engines.Wrapper(t.Elem())
	case *types.Array:
		return p.engines.Wrapper(t.Elem())
	}
	return false
}

// readsOf lists what a traced function and its callees in this package read of captured and package
// variables.
func (p *pkg) readsOf(root *unit) []read {
	reach := map[*unit]bool{}
	p.reach(root, reach)
	var out []read
	for _, u := range p.units {
		if !reach[u] || u.body == nil {
			continue
		}
		ast.Inspect(u.body, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				return lit == u.node
			}
			if id, ok := n.(*ast.Ident); ok && p.freezes(u, id, reach) {
				out = append(out, p.readsAt(id)...)
			}
			return true
		})
	}
	return out
}

// freezes reports whether an identifier reads a variable that outlives the trace.
func (p *pkg) freezes(u *unit, id *ast.Ident, reach map[*unit]bool) bool {
	v, ok := p.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() != p.types || !p.frozenType(v.Type()) {
		return false
	}
	if p.index.local(v) {
		for at := u; at != nil; at = at.outer {
			if at == p.index.owner[v] && reach[at] {
				return false // the trace's own
			}
		}
		if p.index.owner[v] == u {
			return false
		}
	}
	if p.index.assigned(id) {
		return false
	}
	// What the function itself assigned before is the trace's own, and x = x + 1 is a write.
	for _, use := range p.index.uses[v] {
		if use.Pos() < id.Pos() && p.index.unitAt(use.Pos()) == u && p.index.assigned(use) && p.plainTarget(use) {
			return false
		}
	}
	return !p.harmless(id)
}

// plainTarget reports whether an identifier itself, not a part of it, is given a new value.
func (p *pkg) plainTarget(use *ast.Ident) bool {
	path := p.index.path(use)
	if len(path) < 2 {
		return false
	}
	s, ok := path[1].(*ast.AssignStmt)
	return ok && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) && slices.Contains(s.Lhs, ast.Expr(use))
}

// reassigned reports whether an identifier itself, not a part of it, is assigned to, counted up or down.
func (p *pkg) reassigned(use *ast.Ident) bool {
	path := p.index.path(use)
	if len(path) < 2 {
		return false
	}
	switch s := path[1].(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return slices.Contains(s.Lhs, ast.Expr(use))
	}
	return false
}

// harmless reports whether what an expression reads gets no further than a message.
func (p *pkg) harmless(e ast.Expr) bool {
	f := &frame{p: p, u: p.index.unitAt(e.Pos())}
	for _, n := range p.index.path(e) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.neverReturns(n) {
				return true
			}
		case ast.Stmt:
			r := reacher{f: f, seen: map[*types.Var]bool{}}
			return r.from(e) == reachNothing
		}
	}
	return false
}

// readsAt lists the memory that is read where an identifier is used: the variable itself and, through
// the selections on it, fields and elements.
func (p *pkg) readsAt(id *ast.Ident) []read {
	v := p.info.Uses[id].(*types.Var)
	at := loc{kind: global, obj: v}
	held := p.readGlobal(v)
	if p.index.local(v) {
		held = p.shared[v]
		at = loc{kind: cell, unit: p.index.owner[v], obj: v}
	}
	note := ""
	var out []read
	places := value{at}
	keep := func(t types.Type) {
		for _, l := range places {
			out = append(out, read{id, l, refers(t), note})
		}
	}
	last := v.Type()
	path := p.index.path(id)
	for i := 1; i < len(path); i++ {
		below, _ := path[i-1].(ast.Expr)
		segment := ""
		switch n := path[i].(type) {
		case *ast.SelectorExpr:
			if sel := p.info.Selections[n]; n.X == below && sel != nil && sel.Kind() == types.FieldVal && len(sel.Index()) == 1 {
				segment = "." + n.Sel.Name
			}
		case *ast.IndexExpr:
			if n.X == below {
				segment = segElem
			}
		}
		if segment == "" {
			break
		}
		switch types.Unalias(p.info.TypeOf(below)).Underlying().(type) {
		case *types.Struct, *types.Array:
			held = p.heap.load(places, segment)
			places = step(places, segment)
		case *types.Pointer:
			keep(p.info.TypeOf(below))
			note = notePointer
			places, held = step(held, segment), p.heap.load(held, segment)
		default:
			keep(p.info.TypeOf(below))
			places, held = step(held, segment), p.heap.load(held, segment)
		}
		last = p.info.TypeOf(path[i].(ast.Expr))
		if !p.frozenType(last) {
			return out
		}
	}
	keep(last)
	return out
}

// refers reports whether values of a type lead to memory that assignments to the variable leave alone.
func refers(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Interface:
		return true
	}
	return false
}
