package flow

import (
	"go/ast"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// wrapping is one place where a wrapper is made.
type wrapping struct {
	what   string
	node   ast.Node
	unit   *unit
	traced []*unit
}

// engineCall interprets a call of a function to which an engine's profile gives a meaning.
func (f *frame) engineCall(sig *types.Signature, known *engine.Func, node ast.Node, b *binding, flags callFlags) []value {
	out := f.results(sig, node)
	made := loc{kind: wrapper, unit: f.u, node: node}
	for _, index := range known.Host {
		for _, l := range f.functionArgs(b, sig, index) {
			f.host(l)
			if u := f.p.unitOf(l); u != nil {
				f.hostWrites(u, node)
			}
		}
	}
	for _, index := range known.Inline {
		inline := flags
		inline.recovered = known.Kind == engine.Recover || known.Kind == engine.RecoverType && f.recoversAll(node)
		for _, l := range f.functionArgs(b, sig, index) {
			f.callLoc(l, node, nil, inline)
		}
	}
	how := traceFlags{unwinds: known.Unwinds, engine: known.Engine, how: known.Name, test: known.Kind == engine.Test,
		kept: known.Kind == engine.Wrap}
	switch known.Kind {
	case engine.Once:
		how.once = !f.inLoop()
		f.nested(known.Name+" runs a graph of its own", node, nil, f.folds(b, known), flags)
		f.made(known, node, b, true)
	case engine.Wrap:
		how.once = f.chained(node) && !f.inLoop()
		f.p.wrap(made, known.Name)
		f.nested(known.Name+" builds a wrapper", node, nil, "", flags)
		f.made(known, node, b, false)
		for i := range out {
			if i == 0 {
				out[i] = value{made}
			}
		}
	case engine.Test:
		f.nested(known.Name+" builds a wrapper", node, nil, "", flags)
	case engine.Call:
		var recv value
		if b != nil {
			recv = b.recv
		}
		f.nested(known.Name+" calls a wrapper", node, recv, "", flags)
	case engine.Configure:
		if b != nil && len(out) > 0 && f.p.engines.Wrapper(sig.Results().At(0).Type()) {
			out[0] = b.recv
		}
	case engine.Decorate:
		// The result is the argument, dressed up.
		for i := range out {
			for _, index := range known.Returns {
				out[i] = out[i].with(f.functionArgs(b, sig, index)...)
			}
		}
	case engine.HostValue:
		f.hostValue(known, node, flags)
	case engine.Variable, engine.Scope, engine.Draw, engine.State, engine.Layer, engine.BuildLayer:
		f.stateCall(known, node, b, flags)
	case engine.Random:
		// A seeded generator is as random as its seed, which is judged where it comes from.
		if known.Seed < 0 {
			f.bindEffect(&effect{rule: summary.Random, what: known.Name, leaf: node}, node, nil, flags)
		}
	}
	for _, index := range known.Traced {
		for _, l := range f.functionArgs(b, sig, index) {
			f.trace(l, how, node)
			if known.Kind == engine.Wrap {
				f.p.wraps(made, l)
			}
		}
	}
	return out
}

// nested adds the effect of making or calling a wrapper, which matters where the unit is traced.
func (f *frame) nested(what string, node ast.Node, wrappers value, note string, flags callFlags) {
	f.bindEffect(&effect{rule: summary.NestedWrap, what: what, leaf: node, wrappers: wrappers, note: note}, node, nil, flags)
}

// functionArgs are the values passed for a parameter that takes functions: the elements if it is the
// variadic one, or a slice, or a field's every function if the argument is a field.
func (f *frame) functionArgs(b *binding, sig *types.Signature, index int) value {
	if b == nil {
		return nil
	}
	v := b.operand(index)
	if index < sig.Params().Len() {
		if _, ok := types.Unalias(sig.Params().At(index).Type()).Underlying().(*types.Slice); ok {
			return f.p.heap.load(v, segElem)
		}
	}
	if index < len(b.exprs) {
		if held := f.p.variable(b.exprs[index]); held != nil && !f.p.index.local(held) {
			for _, l := range f.p.shared[held.Origin()] {
				if l.callable() {
					v = v.with(l)
				}
			}
		}
	}
	return v
}

// variable is the variable or field that an expression names, nil if it is none.
func (p *pkg) variable(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := p.info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := p.info.Uses[e.Sel].(*types.Var)
		return v
	}
	return nil
}

func (f *frame) inLoop() bool {
	for _, t := range f.targets {
		if t.loop {
			return true
		}
	}
	return false
}

// chained reports whether a wrapper is called where it is made and dropped: NewExec(...).Call(...).
func (f *frame) chained(node ast.Node) bool {
	path := f.p.index.path(node)
	if len(path) < 3 {
		return false
	}
	sel, ok := path[1].(*ast.SelectorExpr)
	if !ok || sel.X != node {
		return false
	}
	call, ok := path[2].(*ast.CallExpr)
	if !ok || call.Fun != sel {
		return false
	}
	known := f.p.engines.Func(f.p.staticCallee(call))
	return known != nil && known.Kind == engine.Call
}

// folds says that a run-once helper works on constants alone, which is how constants are folded: those
// written down, and those that the unit was given or worked out while tracing.
func (f *frame) folds(b *binding, known *engine.Func) string {
	if b == nil || len(known.Traced) == 0 {
		return ""
	}
	for i := known.Traced[len(known.Traced)-1] + 1; i < len(b.exprs); i++ {
		if !f.constant(b.exprs[i]) && !f.ownVariable(b.exprs[i]) {
			return ""
		}
	}
	return noteFold
}

// ownVariable reports whether an expression is a parameter or another variable of this unit, or of one
// that runs it in passing.
func (f *frame) ownVariable(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.p.info.Uses[id].(*types.Var)
	if !ok || !f.p.index.local(v) {
		return false
	}
	owner := f.p.index.owner[v]
	for u := f.u; u != nil; u = u.outer {
		if u == owner {
			return true
		}
		if !f.p.inline(u) {
			return false
		}
	}
	return false
}

// inline reports whether a unit is a literal that a function of an engine runs at once.
func (p *pkg) inline(u *unit) bool {
	path := p.index.path(u.node)
	if len(path) < 2 {
		return false
	}
	call, ok := path[1].(*ast.CallExpr)
	if !ok {
		return false
	}
	known := p.engines.Func(p.staticCallee(call))
	return known != nil && len(known.Inline) > 0
}

// constant reports whether an expression is the same in every run: a constant or a composite or
// conversion of constants.
func (f *frame) constant(e ast.Expr) bool {
	if f.p.info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if !f.constant(elt) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		return f.p.info.Types[e.Fun].IsType() && len(e.Args) == 1 && f.constant(e.Args[0])
	}
	return false
}

// recoversAll reports whether a typed recover catches every panic: its type argument is any.
func (f *frame) recoversAll(node ast.Node) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun := ast.Unparen(call.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		iface, ok := f.under(ix.Index).(*types.Interface)
		return ok && iface.Empty()
	}
	return false
}

func (p *pkg) wrap(w loc, what string) {
	if p.wrappers[w] == nil {
		p.wrappers[w] = &wrapping{what: what, node: w.node, unit: w.unit}
		p.changed = true
	}
}

// wraps notes that a wrapper's function is l.
func (p *pkg) wraps(w, l loc) {
	u := p.unitOf(l)
	if u == nil {
		return
	}
	have := p.wrappers[w]
	for _, known := range have.traced {
		if known == u {
			return
		}
	}
	have.traced = append(have.traced, u)
	p.changed = true
}

// unitOf is the unit of this package that a function value runs, nil if it is none.
func (p *pkg) unitOf(l loc) *unit {
	switch l.kind {
	case literal:
		return p.byLit[l.node.(*ast.FuncLit)]
	case function, bound:
		return p.byFunc[l.obj.(*types.Func)]
	}
	return nil
}

// host marks a function that the engine calls outside of traces.
func (f *frame) host(l loc) {
	if u := f.p.unitOf(l); u != nil && !f.p.hosts[u] {
		f.p.hosts[u] = true
		f.p.changed = true
	}
}
