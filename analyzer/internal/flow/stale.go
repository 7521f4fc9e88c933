package flow

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// staleReads lists the reads in traced functions of what is assigned after the function was wrapped.
func (p *pkg) staleReads() []Finding {
	reached := p.traceReach()
	var out []Finding
	done := map[*unit]bool{}
	for _, r := range p.roots.all {
		if r.how.once || r.how.test || done[r.unit] {
			continue
		}
		done[r.unit] = true
		reads := p.readsOf(r.unit)
		if len(reads) == 0 {
			continue
		}
		for _, u := range p.units {
			for _, w := range u.history.wraps.all {
				if w.root == r.unit {
					out = append(out, p.assignedAfter(u, w, r, reads, reached)...)
				}
			}
		}
	}
	return out
}

// traceReach marks all units that run in traces.
func (p *pkg) traceReach() map[*unit]bool {
	out := map[*unit]bool{}
	for _, r := range p.roots.all {
		p.reach(r.unit, out)
	}
	return out
}

// assignedAfter gives a finding for each read of what is assigned after a wrapper is made in u.
func (p *pkg) assignedAfter(u *unit, w *wrapped, r *root, reads []read, traced map[*unit]bool) []Finding {
	var out []Finding
	for _, read := range reads {
		p.steps.Take(1 + len(u.history.writes.keys))
		var late ast.Node
		if p.initialises(u) {
			late = p.laterWrite(read, traced, r.unit.test)
		}
		for key, node := range u.history.writes.all {
			if late == nil && read.of(key.at) && p.assignedBetween(u, w, node, key.at.varObj()) {
				late = node
			}
		}
		if late == nil {
			continue
		}
		f := p.readFinding(read.id, fmt.Sprintf("%s is frozen at its value when the function is traced, though it is assigned after wrapping (%s)",
			read.id.Name, p.position(late)), r)
		f.Note = read.note
		out = append(out, f)
	}
	return out
}

func (p *pkg) readFinding(id *ast.Ident, what string, r *root) Finding {
	f := Finding{Rule: summary.StaleRead, What: what, Node: id, Stmt: p.statement(id), In: p.declAt(id)}
	if r != nil {
		f.Root, f.Engine = r.node, r.how.engine
	}
	return f
}

// statement is the innermost statement around a node, the node itself if there is none.
func (p *pkg) statement(n ast.Node) ast.Node {
	for _, at := range p.index.path(n) {
		if s, ok := at.(ast.Stmt); ok {
			return s
		}
	}
	return n
}

// initialises reports whether a unit runs while the package is initialised and at no other time.
func (p *pkg) initialises(u *unit) bool {
	return u.decl.body == nil || u.decl.obj != nil && u.decl.recv == nil && u.decl.obj.Name() == "init"
}

// laterWrite finds a write to a package variable by host code that runs after the initialisation.
func (p *pkg) laterWrite(r read, traced map[*unit]bool, test bool) ast.Node {
	if r.at.kind != global {
		return nil
	}
	for _, u := range p.units {
		if u.test && !test || traced[u] || p.onlyInitialises(u.decl, map[*unit]bool{}) {
			continue
		}
		p.steps.Take(1 + len(u.history.writes.keys))
		for key, node := range u.history.writes.all {
			if r.of(key.at) {
				return node
			}
		}
	}
	return nil
}

// onlyInitialises reports whether a declaration is called by initialisers alone.
func (p *pkg) onlyInitialises(u *unit, seen map[*unit]bool) bool {
	if p.initialises(u) || seen[u] {
		return true
	}
	seen[u] = true
	if u.obj != nil && (u.obj.Exported() || u.obj.Name() == "main") {
		return false
	}
	called := false
	for _, caller := range p.units {
		if _, ok := caller.callees.get(u); !ok || caller == u {
			continue
		}
		called = true
		if !p.onlyInitialises(caller.decl, seen) {
			return false
		}
	}
	return called
}

// assignedBetween reports whether a write in a unit comes after the wrapper is made there and before
// the wrapper may trace: on a way that neither makes the wrapper anew nor declares the variable anew.
func (p *pkg) assignedBetween(u *unit, w *wrapped, write ast.Node, v *types.Var) bool {
	o := p.order(u)
	if o == nil {
		return false
	}
	path := p.index.path(write)
	for _, n := range path {
		if _, ok := n.(*ast.DeferStmt); ok {
			return false
		}
		if n == u.node {
			break
		}
	}
	made, ok := o.of(w.node)
	assigned, ok2 := o.of(write)
	if !ok || !ok2 || made == assigned {
		return false
	}
	barriers := []point{made}
	if v != nil && p.index.owner[v] == u {
		if ownTurn(path, v) {
			return false
		}
		if declared, ok := o.at(v.Pos()); ok {
			barriers = append(barriers, declared)
		}
	}
	if !o.reaches(made, assigned, barriers...) {
		return false
	}
	uses, kept := p.holders(u, w.node, map[*types.Var]bool{})
	if kept {
		return true
	}
	for _, use := range uses {
		if at, ok := o.at(use.Pos()); ok && o.reaches(assigned, at, barriers...) {
			return true
		}
	}
	return false
}

// ownTurn reports whether a write is the post statement of the loop that declares the variable, which
// since Go 1.22 changes the next turn's copy.
func ownTurn(path []ast.Node, v *types.Var) bool {
	for i, n := range path {
		if s, ok := n.(*ast.ForStmt); ok && i > 0 && path[i-1] == s.Post && s.Init != nil {
			return s.Init.Pos() <= v.Pos() && v.Pos() < s.Init.End()
		}
	}
	return false
}

// holders gives the uses of the local variables that a new wrapper, or what is made with it, is assigned
// to: those that may call it or pass it on. Kept says that it is stored where others may call it.
func (p *pkg) holders(u *unit, node ast.Node, seen map[*types.Var]bool) (uses []*ast.Ident, kept bool) {
	path := p.index.path(node)
	for i := 1; i < len(path); i++ {
		below := path[i-1]
		var lhs []ast.Expr
		switch n := path[i].(type) {
		case *ast.SelectorExpr, *ast.ParenExpr, *ast.UnaryExpr, *ast.CompositeLit, *ast.KeyValueExpr:
			continue
		case *ast.CallExpr:
			if known := p.engines.Func(p.staticCallee(n)); known != nil && known.Kind == engine.Call && n.Fun == below {
				return nil, false // called and dropped
			}
			continue
		case *ast.AssignStmt:
			lhs = n.Lhs
			if len(n.Lhs) == len(n.Rhs) {
				for k, rhs := range n.Rhs {
					if rhs == below {
						lhs = n.Lhs[k : k+1]
					}
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				lhs = append(lhs, name)
			}
		case *ast.ExprStmt:
			return nil, below != node // dropped, or handed to whoever it is an argument of
		default:
			return nil, false
		}
		for _, e := range lhs {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok {
				return nil, true
			}
			v, ok := p.info.ObjectOf(id).(*types.Var)
			if !ok || id.Name == "_" || isError(v.Type()) || seen[v] {
				continue
			}
			seen[v] = true
			if !p.index.local(v) {
				return nil, true
			}
			for _, use := range p.index.uses[v] {
				if use != id && use.Pos() >= u.node.Pos() && use.Pos() < u.node.End() && p.mayCall(use) {
					uses = append(uses, use)
					if p.isArgument(use) {
						more, _ := p.holders(u, use, seen)
						uses = append(uses, more...)
					}
				}
			}
		}
		return uses, false
	}
	return nil, false
}

// isArgument reports whether an identifier is an argument of a call.
func (p *pkg) isArgument(id *ast.Ident) bool {
	path := p.index.path(id)
	if len(path) < 2 {
		return false
	}
	call, ok := path[1].(*ast.CallExpr)
	return ok && call.Fun != id
}

// mayCall reports whether a use of a wrapper's variable may lead to a call: it is no plain target of an
// assignment, comparison or the end of its life.
func (p *pkg) mayCall(use *ast.Ident) bool {
	path := p.index.path(use)
	if len(path) < 3 {
		return false
	}
	switch n := path[1].(type) {
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			if lhs == use {
				return false
			}
		}
	case *ast.BinaryExpr:
		return false
	case *ast.SelectorExpr:
		if call, ok := path[2].(*ast.CallExpr); ok && call.Fun == n {
			if known := p.engines.Func(p.staticCallee(call)); known != nil {
				return known.Kind != engine.Release && known.Kind != engine.Configure
			}
		}
	}
	return true
}
