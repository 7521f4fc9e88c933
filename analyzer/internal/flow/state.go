package flow

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Classes of the effects of rule state-creation.
const (
	classEvery = "every trace" // state is made by each trace
	classFirst = "first call"  // state is made where it is not there yet
	classLayer = "layer"       // the same, by an object that makes its state when it is first used
	className  = "name"        // a variable is named after what traces change
)

// counting matches what a write does if it leads on from what was there.
var counting = regexp.MustCompile(`(\+\+|--| [-+*|^]=|\.Add( on .*)?)$`)

// stateCall interprets a call that makes state, or names it.
func (f *frame) stateCall(known *engine.Func, node ast.Node, b *binding, flags callFlags) {
	switch known.Kind {
	case engine.Variable, engine.Scope:
		if known.Kind == engine.Variable {
			f.sequence(known.Name, node, flags)
		}
		f.name(known, node, flags)
	case engine.Draw:
		f.sequence(known.Name, node, flags)
	case engine.State:
		if !f.p.engines.OpaqueModule(f.p.types.Path()) && !f.onHost(node) {
			f.bindEffect(&effect{rule: summary.StateCreation, what: known.Name, class: classEvery, leaf: node}, node, nil, flags)
		}
	case engine.Layer, engine.BuildLayer:
		if b == nil || f.p.engines.OpaqueModule(f.p.types.Path()) {
			return
		}
		f.usesLayer(node)
		if f.onHost(node) {
			return
		}
		for _, l := range b.recv {
			e := &effect{rule: summary.StateCreation, what: known.Name, class: classLayer, leaf: node, on: l}
			f.bindEffect(e, node, func(l loc) value { return value{l} }, flags)
		}
	}
}

// onHost reports whether a call is given, or is a method of, a context in which nothing is traced.
func (f *frame) onHost(node ast.Node) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return false
	}
	contexts := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		contexts = append(contexts, sel.X)
	}
	return f.hostContext(contexts, map[*types.Var]bool{})
}

// hostContext reports whether one of some expressions is, by way of variables not seen yet, a context in which nothing is
// traced.
func (f *frame) hostContext(contexts []ast.Expr, seen map[*types.Var]bool) bool {
	return slices.ContainsFunc(contexts, func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			known := f.p.engines.Func(f.p.staticCallee(e))
			return known != nil && known.Kind == engine.HostContext
		case *ast.Ident:
			if v, ok := f.p.info.Uses[e].(*types.Var); ok && !seen[v] && f.p.engines.Scope(v.Type()) && f.p.index.local(v) {
				seen[v] = true // variables may be assigned to each other
				return f.hostContext(f.p.definitions(v), seen)
			}
		}
		return false
	})
}

// guardState notes that state which a callee makes is made only where it is not there yet.
func (f *frame) guardState(e *effect) {
	if e.rule == summary.StateCreation && e.class == classEvery && (f.mode.miss || f.mode.once) {
		e.class = classFirst
	}
}

// freshLayer keeps the effect of using a layer that the unit itself makes: each trace makes its state.
func (f *frame) freshLayer(e *effect) {
	if e.rule != summary.StateCreation || e.class != classLayer {
		return
	}
	at := *e
	at.class, at.on = classEvery, loc{}
	f.guardState(&at)
	f.keep(&at)
}

// usesLayer notes which units use, and so build, the layer in a variable or field.
func (f *frame) usesLayer(node ast.Node) {
	if v := f.p.layerVar(node); v != nil {
		for _, u := range f.p.layers[v] {
			if u == f.u {
				return
			}
		}
		f.p.layers[v] = append(f.p.layers[v], f.u)
	}
}

// layerVar is the variable or field that holds the layer whose method is called.
func (p *pkg) layerVar(node ast.Node) *types.Var {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if v := p.variable(sel.X); v != nil {
		return v.Origin()
	}
	return nil
}

// builtOnHost reports whether host code uses the layer too, which builds it there.
func (p *pkg) builtOnHost(e *effect) bool {
	v := p.layerVar(e.leaf)
	if v == nil {
		return false
	}
	traced := p.traceReach()
	for _, u := range p.layers[v] {
		if !traced[u] && !p.traced(u) {
			return true
		}
	}
	return false
}

// madeState completes a finding of rule state-creation; false if there is none after all.
func (p *pkg) madeState(found *Finding, e *effect, u *unit) bool {
	class := e.class
	if class == classLayer {
		if p.builtOnHost(e) {
			return false
		}
		class = classFirst
	}
	switch class {
	case classEvery:
		found.What += " makes state in every trace, which fails from the second on; make it once and keep it"
	case classFirst:
		found.What += " makes state in the first call, which is traced a second time for it; make it before"
	case className:
		return e.on == (loc{}) || u.countsAt(e.on)
	}
	return true
}

// countsAt reports whether the unit leads on what is kept at a place.
func (u *unit) countsAt(l loc) bool {
	for _, e := range u.effects.all {
		if e.rule == summary.Write && e.on == l && counting.MatchString(e.what) {
			return true
		}
	}
	return false
}

// exportState completes the fact on an effect that concerns a package variable, which callers elsewhere
// do not see; false if there is none after all.
func (p *pkg) exportState(out *summary.Effect, e *effect, u *unit) bool {
	if e.class == className {
		out.Class = className
		return u.countsAt(e.on)
	}
	out.Class = classFirst
	return !p.builtOnHost(e)
}

// name adds an effect for each part of a variable's or scope's name that differs from trace to trace.
func (f *frame) name(known *engine.Func, node ast.Node, flags callFlags) {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return
	}
	l := labeller{f: f, known: known, node: node, flags: flags, seen: map[*types.Var]bool{}}
	for n, index := range known.Label {
		for i := index; i < len(call.Args); i++ {
			l.read(call.Args[i])
			if n < len(known.Label)-1 || f.p.staticCallee(call) == nil || !f.p.staticCallee(call).Signature().Variadic() {
				break
			}
		}
	}
}

// labeller looks for what the parts of a name depend on.
type labeller struct {
	f     *frame
	known *engine.Func
	node  ast.Node
	flags callFlags
	seen  map[*types.Var]bool
}

// differs adds the effect of a name with a part that differs from trace to trace.
func (l *labeller) differs(part string) { l.f.bindEffect(l.effect(part), l.node, nil, l.flags) }

// kept adds the effect of a name with a part kept at one of several places, in case traces change it.
func (l *labeller) kept(part string, places value) { l.f.emitOn(*l.effect(part), places) }

func (l *labeller) effect(part string) *effect {
	return &effect{rule: summary.StateCreation, class: className, leaf: l.node,
		what: l.known.Name + " is given a name with " + part + ", which differs from trace to trace: each trace makes variables of its own"}
}

func (l *labeller) read(e ast.Expr) {
	f := l.f
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			l.call(n)
		case *ast.SelectorExpr:
			if sel := f.p.info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal && !f.p.info.Types[n].IsType() {
				l.kept(types.ExprString(n), f.storage(n))
				return true
			}
		case *ast.Ident:
			v, ok := f.p.info.Uses[n].(*types.Var)
			if !ok || v.IsField() || l.seen[v] {
				return true
			}
			l.seen[v] = true
			if f.p.index.local(v) && f.p.index.owner[v] == f.u {
				for _, def := range f.p.definitions(v) {
					l.read(def)
				}
				return true
			}
			if v.Pkg() == f.p.types {
				l.kept(v.Name(), value{f.cellOf(v)})
			}
		}
		return true
	})
}

// call looks at what a call in a name does: read the clock, draw, count.
func (l *labeller) call(call *ast.CallExpr) {
	f := l.f
	fn := f.p.staticCallee(call)
	if fn == nil {
		return
	}
	name := shortName(fn, f.p.types)
	if known := f.p.engines.Func(fn); known != nil {
		if known.Kind == engine.Random && known.Seed < 0 {
			l.differs(name)
		}
		return
	}
	for _, action := range f.p.tables.Lookup(fn) {
		switch {
		case (action.Verb == library.Clock || action.Verb == library.Random) && action.On == library.None:
			l.differs(name)
		case action.Verb == library.Write && fn.Name() == "Add" && action.On == library.Recv:
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				l.kept(types.ExprString(sel.X), f.storage(sel.X))
			}
		}
	}
	if u := f.p.byFunc[fn]; u != nil {
		for _, e := range u.effects.all {
			switch {
			case (e.rule == summary.Clock || e.rule == summary.Random) && e.on == loc{} && !e.memo:
				l.differs(name)
			case e.rule == summary.Write && !e.memo && counting.MatchString(e.what):
				l.kept(name, l.place(call, u, e.on))
			}
		}
	} else if s := f.p.imports(fn); s != nil {
		for _, e := range s.Effects {
			changes := e.Rule == summary.Clock || e.Rule == summary.Random || e.Rule == summary.Write && counting.MatchString(e.What)
			if changes && e.On == nil && !e.Memo {
				l.differs(name)
			}
		}
	}
}

// place is what a place that a callee writes is to the caller: a package variable, or a part of the
// receiver.
func (l *labeller) place(call *ast.CallExpr, u *unit, on loc) value {
	switch {
	case on.kind == global:
		return value{on}
	case on.kind == param && on.unit == u && on.index == summary.Recv:
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return l.f.p.follow(l.f.operand(sel.X), on.path)
		}
	}
	return nil
}
