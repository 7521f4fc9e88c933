package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
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
	if !ok || v.IsField() || v.Pkg() != p.types || !p.frozenType(v.Type()) || p.index.assigned(id) {
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

// hostValue adds the effect of reading the value that a variable of the model has, unless no more than
// its shape is asked for.
func (f *frame) hostValue(known *engine.Func, node ast.Node, flags callFlags) {
	if call, ok := node.(*ast.CallExpr); ok {
		fn := f.p.staticCallee(call)
		if fn != nil && fn.Pkg() == f.p.types || f.onlyShape(call) || f.alsoInGraph(call) || f.reach(call) == reachNothing {
			return // the engine's own affair, or nothing that changes
		}
	}
	f.bindEffect(&effect{rule: summary.StaleRead, leaf: node,
		what: known.Name + " gives the value at the time of the trace, frozen into the graph"}, node, nil, flags)
}

// shapeMethod holds the methods of a tensor that tell what never changes.
var shapeMethod = map[string]bool{"DType": true, "Memory": true, "Rank": true, "Shape": true, "Size": true}

// onlyShape reports whether a call's result serves to ask for a shape.
func (f *frame) onlyShape(call *ast.CallExpr) bool {
	path := f.p.index.path(call)
	if len(path) < 2 {
		return false
	}
	sel, ok := path[1].(*ast.SelectorExpr)
	return ok && shapeMethod[sel.Sel.Name]
}

// alsoInGraph reports whether a call reads a variable in one branch of a condition whose other branch
// reads it in the graph: the code chooses a constant.
func (f *frame) alsoInGraph(call *ast.CallExpr) bool {
	recv := f.p.rootVar(call)
	path := f.p.index.path(call)
	for i, n := range path {
		cond, ok := n.(*ast.IfStmt)
		if !ok || i == 0 || recv == nil || cond.Else == nil {
			continue
		}
		other := cond.Else
		if path[i-1] == cond.Else {
			other = cond.Body
		}
		found := false
		ast.Inspect(other, func(n ast.Node) bool {
			e, ok := n.(*ast.CallExpr)
			found = found || ok && f.p.rootVar(e) == recv && f.p.engines.HasSymbolic(f.p.info.TypeOf(e))
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
