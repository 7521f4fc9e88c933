package flow

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

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
