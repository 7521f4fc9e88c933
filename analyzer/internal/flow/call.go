package flow

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// binding is what a call passes: the receiver and the arguments by parameter. A nil binding stands
// for a call whose arguments are not known.
type binding struct {
	unit  *unit // the caller
	recv  value
	args  []value
	types []types.Type // static types of the arguments
	exprs []ast.Expr   // the arguments, if there is one expression a parameter
}

func (b *binding) operand(index int) value {
	switch {
	case b == nil:
		return nil
	case index == summary.Recv:
		return b.recv
	case index < len(b.args):
		return b.args[index]
	}
	return nil
}

// methodExpression is the binding as the method sees it whose expression is called: the first argument
// is its receiver.
func (b *binding) methodExpression() *binding {
	if b == nil || len(b.args) == 0 || len(b.types) == 0 {
		return b
	}
	return &binding{unit: b.unit, recv: b.args[0], args: b.args[1:], types: b.types[1:], exprs: b.exprs[min(1, len(b.exprs)):]}
}

// staticCallee is the function or method that a call names, the origin of an instance; interface
// methods included.
func (p *pkg) staticCallee(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(p.info, call).(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

func (f *frame) isBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := f.p.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// call interprets a call and gives what each result may come from.
func (f *frame) call(call *ast.CallExpr) []value {
	tv := f.p.info.Types[call.Fun]
	if tv.IsType() {
		return []value{f.eval(call.Args[0])}
	}
	if tv.IsBuiltin() {
		return []value{f.builtin(call)}
	}
	var recv, callee value
	fn := f.p.staticCallee(call)
	methodExpr := false
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.p.info.Selections[sel] != nil {
		switch s := f.p.info.Selections[sel]; s.Kind() {
		case types.MethodVal:
			recv = f.receiver(sel, s)
		case types.MethodExpr:
			methodExpr = true
		default:
			callee = f.eval(call.Fun)
			if field, ok := s.Obj().(*types.Var); ok && f.p.engines.Var(field) != nil {
				b := f.arguments(call)
				b.recv = f.operand(sel.X)
				signature, _ := f.under(call.Fun).(*types.Signature)
				return f.engineCall(signature, f.p.engines.Var(field), call, b, callFlags{})
			}
		}
	} else if fn == nil {
		callee = f.eval(call.Fun)
	}
	b := f.arguments(call)
	b.recv = recv
	if methodExpr {
		b = b.methodExpression()
	}
	if fn != nil {
		return f.invoke(fn, call, b, callFlags{})
	}
	return f.callValues(callee, call, b)
}

// arguments evaluates a call's arguments and lays them out by parameter; those of a variadic
// parameter are elements of one slice.
func (f *frame) arguments(call *ast.CallExpr) *binding {
	b := &binding{unit: f.u}
	sig, _ := f.under(call.Fun).(*types.Signature)
	var all []value
	var exprs []ast.Expr
	if len(call.Args) == 1 && sig != nil {
		if tuple, ok := f.p.info.TypeOf(call.Args[0]).(*types.Tuple); ok {
			all = f.evalMulti(call.Args[0], tuple.Len())
			for v := range tuple.Variables() {
				b.types = append(b.types, v.Type())
			}
		}
	}
	if all == nil {
		for _, arg := range call.Args {
			all = append(all, f.eval(arg))
			b.types = append(b.types, f.p.info.TypeOf(arg))
			exprs = append(exprs, arg)
		}
	}
	b.exprs = exprs
	if sig == nil || !sig.Variadic() || call.Ellipsis.IsValid() {
		b.args = all
		return b
	}
	fixed := sig.Params().Len() - 1
	if len(all) < fixed {
		b.args = all
		return b
	}
	b.args = append(b.args, all[:fixed]...)
	rest := loc{kind: site, unit: f.u, node: call, index: -1}
	for _, v := range all[fixed:] {
		f.p.store(rest, segElem, v)
	}
	b.args = append(b.args, value{rest})
	return b
}

// results gives each result of a call memory of its own, for callees of which no more is known.
func (f *frame) results(sig *types.Signature, node ast.Node) []value {
	out := make([]value, sig.Results().Len())
	for i := range out {
		if _, basic := types.Unalias(sig.Results().At(i).Type()).Underlying().(*types.Basic); !basic {
			out[i] = value{{kind: site, unit: f.u, node: node, index: i}}
		}
	}
	return out
}

// invoke interprets a call of a declared function or method with what is known of it.
func (f *frame) invoke(fn *types.Func, node ast.Node, b *binding, flags callFlags) []value {
	fn = fn.Origin()
	switch {
	case mutexCall(fn, "Lock", "RLock"):
		f.mode.locked = true
	case mutexCall(fn, "Unlock", "RUnlock"):
		f.mode.locked = false
	}
	if known := f.p.engines.Func(fn); known != nil {
		return f.engineCall(fn.Signature(), known, node, b, flags)
	}
	if actions := f.p.tables.Lookup(fn); actions != nil {
		flags.exempt = fn
		return f.libraryCall(fn, actions, node, b, flags)
	}
	if fn.Pkg() == nil || f.p.tables.Covers(fn.Pkg().Path()) {
		return f.results(fn.Signature(), node)
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return f.interfaceCall(fn, node, b, flags)
	}
	if u := f.p.byFunc[fn]; u != nil {
		return f.bindUnit(u, node, b, nil, flags)
	}
	if s := f.p.imports(fn); s != nil {
		s = f.p.outside(fn.Pkg(), s)
		flags.exempt = fn
		return f.bindSummary(s, shortName(fn, f.p.types), node, b, flags, fn.Signature())
	}
	return f.opaqueCall(fn, node, flags)
}

// outside is what counts of a summary from another module that knows no engine: its caches, locks and
// broken invariants are its own affair, as those of the standard library are.
func (p *pkg) outside(from *types.Package, s *summary.Summary) *summary.Summary {
	if p.module == "" || p.engines.Reaches(from) || from.Path() == p.module || strings.HasPrefix(from.Path(), p.module+"/") {
		return s
	}
	kept := *s
	kept.Effects = nil
	for _, e := range s.Effects {
		switch e.Rule {
		case summary.Write, summary.Sync, summary.Abort:
			if e.On == nil {
				continue
			}
		}
		kept.Effects = append(kept.Effects, e)
	}
	return &kept
}

// callValues interprets a call of a function value.
func (f *frame) callValues(callee value, node ast.Node, b *binding) []value {
	var out []value
	if call, ok := node.(*ast.CallExpr); ok {
		if sig, ok := f.under(call.Fun).(*types.Signature); ok {
			out = make([]value, sig.Results().Len())
		}
	}
	found := false
	for _, l := range callee {
		results := f.callLoc(l, node, b, callFlags{})
		found = found || results != nil
		for i := range out {
			if i < len(results) {
				out[i] = out[i].with(results[i]...)
			}
		}
	}
	if !found && len(out) > 0 {
		call := node.(*ast.CallExpr)
		return f.results(f.under(call.Fun).(*types.Signature), node)
	}
	return out
}

// callKey is one way to call one function at one place of a unit.
type callKey struct {
	in    *unit
	node  ast.Node
	to    loc
	fn    *types.Func // the method, where to is its receiver
	b     *binding
	flags callFlags
}

// follows reports whether a call is to be followed: it is not once it has been, since functions can hold themselves, and
// each other many times over. Whoever follows it says when it is done.
func (f *frame) follows(c callKey) bool {
	c.in = f.u
	if f.p.followed[c] {
		return false
	}
	f.p.followed[c] = true
	f.p.steps.Down()
	return true
}

// callLoc interprets a call of one function that a value may hold.
func (f *frame) callLoc(l loc, node ast.Node, b *binding, flags callFlags) []value {
	if !f.follows(callKey{node: node, to: l, b: b, flags: flags}) {
		return nil
	}
	defer f.p.steps.Up()
	switch l.kind {
	case function:
		if l.index == 1 { // a method expression: the first argument is the receiver
			b = b.methodExpression()
		}
		return f.invoke(l.obj.(*types.Func), node, b, flags)
	case bound:
		with := &binding{unit: f.u, recv: f.p.heap[l][segRecv]}
		if b != nil {
			with.args, with.types, with.exprs = b.args, b.types, b.exprs
		}
		return f.invoke(l.obj.(*types.Func), node, with, flags)
	case literal:
		if u := f.p.byLit[l.node.(*ast.FuncLit)]; u != nil {
			return f.bindUnit(u, node, b, f.p.closure(l), flags)
		}
	case foreign:
		made := f.p.foreign[l]
		f.bindSummary(made.summary, made.name, node, f.alive(made.maker), flags, nil)
	case param:
		f.passCall(l, flags)
	case global:
		v := l.varObj()
		if v == nil || l.path != "" {
			return nil
		}
		if known := f.p.engines.Var(v); known != nil {
			return nil
		}
		if v.Pkg() != f.p.types {
			if s := f.p.imports(v); s != nil {
				sig, _ := types.Unalias(v.Type()).Underlying().(*types.Signature)
				return f.bindSummary(s, v.Pkg().Name()+"."+v.Name(), node, b, flags, sig)
			}
		}
	case site:
		// What a library's function made of another one: calling it calls that one.
		for _, held := range f.p.heap[l][segCalls] {
			f.callLoc(held, node, b, flags)
		}
		for _, held := range f.p.heap[l][segCallsOnce] {
			once := flags
			once.once = true
			f.callLoc(held, node, b, once)
		}
	}
	return nil
}

// alive is a binding whose caller's memory still has a meaning in this unit.
func (f *frame) alive(b *binding) *binding {
	if b == nil || !f.u.within(b.unit) {
		return nil
	}
	return b
}

// passCall notes that the unit calls a function that it was given.
func (f *frame) passCall(l loc, flags callFlags) {
	flags = callFlags{quiet: flags.quiet || f.mode.quiet, once: flags.once || f.mode.once} // the rest concerns this call alone
	have, ok := f.u.calls.get(l)
	if ok {
		flags.quiet = flags.quiet && have.quiet
		flags.once = flags.once && have.once
	}
	if !ok || have != flags {
		f.u.calls.put(l, flags)
		f.p.changed = true
	}
}

// interfaceCall interprets a call of an interface's method: by the concrete types of the receiver
// where all are known, else by what every implementation in the interface's own package does.
func (f *frame) interfaceCall(fn *types.Func, node ast.Node, b *binding, flags callFlags) []value {
	out := f.results(fn.Signature(), node)
	if b != nil {
		if concrete := f.p.concrete(b.recv); len(concrete) > 0 {
			for i, l := range b.recv {
				f.concreteCall(concrete[i], l, fn, node, b, flags)
			}
			return out
		}
	}
	if fn.Pkg() != f.p.types {
		if s := f.p.imports(fn); s != nil {
			f.bindSummary(s, shortName(fn, f.p.types), node, b, flags, fn.Signature())
		}
		return out
	}
	for _, u := range f.p.implementations(fn) {
		f.bindUnit(u, node, b, nil, callFlags{once: flags.once, quiet: flags.quiet, common: fn})
	}
	return out
}

// concreteCall interprets a call of an interface's method whose receiver, at l, has a known type. The method may be
// promoted from what the type embeds.
func (f *frame) concreteCall(t types.Type, l loc, fn *types.Func, node ast.Node, b *binding, flags callFlags) {
	obj, index, _ := types.LookupFieldOrMethod(t, true, f.p.types, fn.Name())
	m, ok := obj.(*types.Func)
	if !ok || !f.follows(callKey{node: node, to: l, fn: fn, flags: flags}) {
		return
	}
	defer f.p.steps.Up()
	with := *b
	with.recv = f.p.embedded(value{l}, t, index)
	f.invoke(m, node, &with, flags)
}

// concrete lists the types of a receiver's possible values; nil if one of them is not known.
func (p *pkg) concrete(v value) []types.Type {
	var out []types.Type
	for _, l := range v {
		var t types.Type
		switch {
		case l.path != "":
		case l.kind == site:
			if e, ok := l.node.(ast.Expr); ok && l.index == 0 {
				t = p.info.TypeOf(e)
				if _, lit := e.(*ast.CompositeLit); lit && t != nil && !isPointer(t) {
					t = types.NewPointer(t)
				}
			}
		case l.kind == cell || l.kind == global:
			t = l.obj.Type()
			if l.kind == cell {
				t = types.NewPointer(t)
			}
		case l.kind == param:
			if v := l.unit.paramVar(l.index); v != nil {
				t = v.Type()
			}
		}
		if t == nil || types.IsInterface(t) {
			return nil
		}
		if _, tuple := t.(*types.Tuple); tuple {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// implementations lists the methods of this package that implement an interface's method of this
// package, if the interface has any implementation here.
func (p *pkg) implementations(fn *types.Func) []*unit {
	if known, ok := p.impls[fn]; ok {
		return known
	}
	var out []*unit
	iface, _ := types.Unalias(fn.Signature().Recv().Type()).Underlying().(*types.Interface)
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || iface == nil || types.IsInterface(tn.Type()) {
			continue
		}
		if named, ok := tn.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 {
			continue
		}
		ptr := types.NewPointer(tn.Type())
		if !types.Implements(ptr, iface) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(ptr, true, p.types, fn.Name())
		m, _ := obj.(*types.Func)
		u := p.byFunc[m]
		if u == nil { // promoted from elsewhere: not every implementation is known
			out = nil
			break
		}
		out = append(out, u)
	}
	p.impls[fn] = out
	return out
}
