package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
)

// index answers where things of the package stand: parents of nodes, uses of variables, the unit
// around a position.
type index struct {
	parents map[ast.Node]ast.Node
	info    *types.Info
	p       *pkg
	uses    map[*types.Var][]*ast.Ident
	owner   map[*types.Var]*unit // the unit that declares a local variable
	multi   map[*types.Var]bool  // used by a unit that does not declare it
	set     map[*types.Var]bool  // assigned by a unit that does not declare it
	// writes counts the places where a package variable or a field is given a value.
	writes map[*types.Var]int
}

func newIndex(files []*ast.File, info *types.Info, p *pkg) *index {
	x := &index{parents: parentsOf(files), info: info, p: p, uses: map[*types.Var][]*ast.Ident{},
		owner: map[*types.Var]*unit{}, multi: map[*types.Var]bool{}, set: map[*types.Var]bool{}, writes: map[*types.Var]int{}}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if v, ok := info.Uses[n].(*types.Var); ok {
					x.uses[v] = append(x.uses[v], n)
				}
				if v, ok := info.Defs[n].(*types.Var); ok && !v.IsField() {
					x.owner[v] = x.unitAt(n.Pos())
				}
			case *ast.ValueSpec:
				if len(n.Values) > 0 {
					for _, name := range n.Names {
						if v, ok := info.Defs[name].(*types.Var); ok {
							x.writes[v]++
						}
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() {
						x.writes[v.Origin()]++
					}
				}
			case *ast.CaseClause:
				if v, ok := info.Implicits[n].(*types.Var); ok {
					x.owner[v] = x.unitAt(n.Pos())
				}
			}
			return true
		})
	}
	for v, ids := range x.uses {
		if !x.local(v) {
			if v.Pkg() == p.types && holdsFunction(v.Type()) {
				for _, id := range ids {
					if x.assigned(id) {
						x.writes[v.Origin()]++
					}
				}
			}
			continue
		}
		for _, id := range ids {
			if u := x.unitAt(id.Pos()); u != x.owner[v] {
				x.multi[v] = true
				if x.assigned(id) {
					x.set[v] = true
				}
			}
		}
	}
	return x
}

// holdsFunction reports whether a variable of this type may hold a function or a writer, which is
// what assignments to package variables and fields are counted for.
func holdsFunction(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Pointer:
		return true
	}
	return false
}

// local reports whether v is a variable of a function.
func (x *index) local(v *types.Var) bool {
	return !v.IsField() && v.Pkg() == x.p.types && v.Parent() != x.p.types.Scope() && x.owner[v] != nil
}

// unitAt is the innermost unit around a position, nil if there is none.
func (x *index) unitAt(pos token.Pos) *unit {
	decls := x.p.units
	i := sort.Search(len(decls), func(i int) bool { return decls[i].node.Pos() > pos })
	// units lie in source order file by file; among those that start before pos, the last one that
	// still holds it is the innermost.
	for i--; i >= 0; i-- {
		if decls[i].node.End() > pos {
			return decls[i]
		}
		if decls[i].outer == nil {
			return nil
		}
	}
	return nil
}

// assigned reports whether the identifier is the root of something assigned to.
func (x *index) assigned(id *ast.Ident) bool {
	path := x.path(id)
	for i := 1; i < len(path); i++ {
		switch n := path[i].(type) {
		case *ast.ParenExpr, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			continue
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if lhs == path[i-1] {
					return true
				}
			}
			return false
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.RangeStmt:
			return n.Key == path[i-1] || n.Value == path[i-1]
		default:
			return false
		}
	}
	return false
}

// path lists the nodes around n, innermost (n itself) first.
func (x *index) path(n ast.Node) []ast.Node {
	if _, known := x.parents[n]; !known {
		return nil
	}
	var out []ast.Node
	for ; n != nil; n = x.parents[n] {
		out = append(out, n)
	}
	return out
}

// parentsOf gives each node of files the one around it, nil for the files themselves.
func parentsOf(files []*ast.File) map[ast.Node]ast.Node {
	out := map[ast.Node]ast.Node{}
	var around []ast.Node
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			out[n] = nil
			if len(around) > 0 {
				out[n] = around[len(around)-1]
			}
			around = append(around, n)
			return true
		})
	}
	return out
}
