package flow

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// tables are library tables, of which the first that knows a function counts.
type tables []*library.Table

// Lookup is what the tables say of a function, nil if nothing.
func (ts tables) Lookup(fn *types.Func) []library.Action {
	for _, t := range ts {
		if actions := t.Lookup(fn); actions != nil {
			return actions
		}
	}
	return nil
}

// Covers reports whether the bodies of a package are never analysed: it is the standard library's, or
// one of those that the built-in table, the last one, knows.
func (ts tables) Covers(path string) bool { return ts[len(ts)-1].Covers(path) }

// builtin interprets a call of a predeclared function.
func (f *frame) builtin(call *ast.CallExpr) value {
	name := builtinName(call)
	args := f.builtinArguments(call)
	made := loc{kind: site, unit: f.u, node: call}
	switch name {
	case "new", "make":
		if name == "new" {
			f.p.store(made, segElem, args[0])
		}
		return value{made}
	case "append":
		grown := args[0].with(made)
		for i, v := range args[1:] {
			if call.Ellipsis.IsValid() && i == len(args)-2 {
				v = f.p.heap.load(v, segElem)
			}
			for _, l := range grown {
				f.p.store(l, segElem, v)
			}
		}
		// A slice that is grown from nothing, or from memory that is the unit's own, is fresh.
		return grown
	case "copy":
		for _, l := range args[0] {
			f.p.store(l, segElem, f.p.heap.load(args[1], segElem))
		}
		f.changes(call.Args[0], "copy to "+types.ExprString(call.Args[0]), args[0], call)
	case "delete", "clear":
		f.changes(call.Args[0], name+" on "+types.ExprString(call.Args[0]), args[0], call)
	case "close":
		f.effect(summary.Sync, "close of a channel", call)
	case "print", "println":
		f.effect(summary.Print, name, call)
	case "panic":
		f.panics(call)
	}
	return nil
}

// builtinArguments evaluates the arguments of a predeclared function, which may be all that one call gives.
func (f *frame) builtinArguments(call *ast.CallExpr) []value {
	if len(call.Args) == 1 {
		if tuple, ok := f.p.info.TypeOf(call.Args[0]).(*types.Tuple); ok {
			return f.evalMulti(call.Args[0], tuple.Len())
		}
	}
	args := make([]value, len(call.Args))
	for i, arg := range call.Args {
		if tv := f.p.info.Types[arg]; !tv.IsType() { // make and new
			args[i] = f.eval(arg)
		}
	}
	return args
}

func builtinName(call *ast.CallExpr) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr: // unsafe.Add and its like
		return fun.Sel.Name
	}
	return ""
}

// changes adds the effect of a call that changes what an expression refers to.
func (f *frame) changes(e ast.Expr, what string, on value, node ast.Node) {
	if e != nil {
		if t := f.p.info.TypeOf(e); t != nil && f.p.engines.Owned(t) || f.ownedTarget(e) {
			return
		}
	}
	f.emitOn(effect{rule: summary.Write, what: what, class: classMemory, leaf: node}, on)
}

// panics adds the effect of panic(v) where an engine that catches errors alone cannot catch v: the
// static type is concrete and no error.
func (f *frame) panics(call *ast.CallExpr) {
	t := f.p.info.TypeOf(call.Args[0])
	if t == nil || f.isNil(call.Args[0]) {
		return
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok || types.IsInterface(t) {
		return
	}
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	if types.Implements(t, errorType) {
		return
	}
	t = types.Default(t)
	f.effect(summary.Abort, "panic with a "+types.TypeString(t, types.RelativeTo(f.p.types)), call)
}

// libraryCall interprets a call by the library table.
func (f *frame) libraryCall(fn *types.Func, actions []library.Action, node ast.Node, b *binding, flags callFlags) []value {
	name := shortName(fn, f.p.types)
	out := f.results(fn.Signature(), node)
	hold := func(on value, segment string) {
		for i := range out {
			for _, l := range out[i] {
				if l.kind == site && l.node == node {
					f.p.store(l, segment, on)
				}
			}
		}
	}
	plain := func(loc) value { return nil }
	leaves := slices.ContainsFunc(actions, func(a library.Action) bool {
		return a.Verb == library.Abort || a.Verb == library.Exit || a.Verb == library.Goexit
	})
	// What is kept explains the write.
	keepsSymbolic := slices.ContainsFunc(actions, func(a library.Action) bool {
		return a.Verb == library.Keep && f.symbolicOperand(b, a.On)
	})
	for _, action := range actions {
		on := f.libraryOperand(b, action.On, fn)
		switch action.Verb {
		case library.Print, library.IO, library.Random, library.Write:
			e := &effect{rule: string(action.Verb), what: name, leaf: node, class: f.class(b, action.On, fn, action.Verb)}
			if action.Verb == library.Print && leaves {
				continue // the print explains the end
			}
			if action.Verb == library.Print && f.onlyShapes(b) {
				e.note = noteShapes
			}
			if action.On == library.None {
				f.bindEffect(e, node, plain, flags)
				continue
			}
			if len(on) == 0 {
				continue
			}
			if action.Verb == library.Write {
				if f.libraryOwned(b, action.On) || keepsSymbolic {
					continue
				}
				e.what += f.onExpr(b, action.On, node)
			}
			e.on = on[0]
			f.bindEffect(e, node, func(loc) value { return on }, flags)
		case library.Clock:
			f.clock(name, node, flags)
		case library.Environ, library.Sync:
			f.bindEffect(&effect{rule: string(action.Verb), what: name, leaf: node}, node, plain, flags)
		case library.Abort:
			f.bindEffect(&effect{rule: summary.Abort, what: name, leaf: node}, node, plain, flags)
		case library.Goexit, library.MayGoexit:
			f.bindEffect(&effect{rule: summary.Abort, what: name, class: classGoexit, leaf: node}, node, plain, flags)
		case library.Keep:
			into := f.libraryOperand(b, action.Into, fn)
			for _, l := range into {
				f.p.store(l, segElem, on)
			}
			if f.symbolicOperand(b, action.On) {
				f.emitOn(effect{rule: summary.Leak, what: name + " of a symbolic value", class: classMemory, leaf: node}, into)
			}
		case library.Call:
			f.callEach(on, node, flags)
		case library.Spawn:
			f.bindEffect(&effect{rule: summary.Sync, what: name, leaf: node}, node, plain, flags)
			f.callEach(on, node, flags)
		case library.Once:
			once := flags
			once.once = true
			f.callEach(on, node, once)
		case library.ResultCalls:
			hold(on, segCalls)
		case library.ResultCallsOnce:
			hold(on, segCallsOnce)
		case library.Wrap:
			if action.On == library.None {
				on = value{{kind: process}}
			}
			hold(on, segWrap)
		case library.Alias:
			for i := range out {
				out[i] = out[i].with(on...)
			}
		case library.Guard:
			for i := range out {
				out[i] = value{{kind: guard}}
			}
		}
	}
	return out
}

// callEach interprets calls of the functions that an operand may be, or may hold in its elements.
func (f *frame) callEach(on value, node ast.Node, flags callFlags) {
	for _, l := range on {
		if l.callable() || l.kind == param || l.kind == global {
			f.callLoc(l, node, nil, flags)
			continue
		}
		if l.kind == site {
			f.callLoc(l, node, nil, flags)
			for _, held := range f.p.heap[l][segElem] {
				f.callLoc(held, node, nil, flags)
			}
		}
	}
}

// libraryOperand is the value of an operand in a call; the elements for all variadic arguments.
func (f *frame) libraryOperand(b *binding, o library.Operand, fn *types.Func) value {
	if b == nil {
		return nil
	}
	if o == library.Recv {
		return b.recv
	}
	variadic := fn.Signature().Params().Len() - 1
	if o == library.Args {
		return f.p.heap.load(b.operand(variadic), segElem)
	}
	if n, ok := o.Index(); ok {
		if n == variadic && fn.Signature().Variadic() {
			return f.p.heap.load(b.operand(n), segElem)
		}
		return b.operand(n)
	}
	return nil
}

// operandType is the static type of an operand, nil if it is not known.
func (f *frame) operandType(b *binding, o library.Operand, fn *types.Func) types.Type {
	if o == library.Recv && fn.Signature().Recv() != nil {
		return fn.Signature().Recv().Type()
	}
	if n, ok := o.Index(); ok && b != nil && n < len(b.types) {
		return b.types[n]
	}
	return nil
}

// class says what a call uses an operand as.
func (f *frame) class(b *binding, o library.Operand, fn *types.Func, verb library.Verb) string {
	switch verb {
	case library.Random:
		return classGenerator
	case library.Write:
		return classMemory
	}
	t := f.operandType(b, o, fn)
	if t == nil {
		return classWriter
	}
	return sinkClass(t)
}

// sinkClass tells files and connections, memory, loggers, and what may be any of them apart.
func sinkClass(t types.Type) string {
	if types.IsInterface(t) {
		return classWriter
	}
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return classWriter
	}
	switch path := named.Obj().Pkg().Path(); path {
	case "bytes", "strings", "embed", "testing/fstest":
		return classBuffer
	case "os", "net", "net/http", "os/exec", "database/sql", "syscall":
		return classFile
	case "log", "log/slog":
		return classLogger
	default:
		if library.IsStd(path) {
			return classWriter // acts through another writer
		}
	}
	return classLogger
}

// onExpr names the operand of a write: " on m.hits".
func (f *frame) onExpr(b *binding, o library.Operand, node ast.Node) string {
	if call, ok := node.(*ast.CallExpr); ok && o == library.Recv {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return " on " + types.ExprString(sel.X)
		}
	}
	if n, ok := o.Index(); ok && b != nil && n < len(b.exprs) {
		return " on " + types.ExprString(b.exprs[n])
	}
	return ""
}

func (f *frame) libraryOwned(b *binding, o library.Operand) bool {
	n, ok := o.Index()
	return ok && b != nil && n < len(b.types) && b.types[n] != nil && f.p.engines.Owned(b.types[n])
}

func (f *frame) symbolicOperand(b *binding, o library.Operand) bool {
	if b == nil {
		return false
	}
	n, ok := o.Index()
	if o == library.Args {
		n, ok = len(b.args)-1, true
	}
	for i := n; ok && i >= 0 && i < len(b.types); i++ {
		if b.types[i] != nil && f.p.engines.HasSymbolic(b.types[i]) {
			return true
		}
		if o != library.Args {
			break
		}
	}
	return false
}

// onlyShapes reports whether a print in a test file shows nothing but constants, names and shapes.
func (f *frame) onlyShapes(b *binding) bool {
	if !f.u.test || b == nil || b.exprs == nil {
		return false
	}
	for _, e := range b.exprs {
		if f.p.info.Types[e].Value != nil {
			continue
		}
		if !f.shape(e) {
			return false
		}
	}
	return true
}

// plainData reports whether a type is a string, or with numbers a number, or a slice or array of such.
func plainData(t types.Type, numbers bool) bool {
	seen := map[types.Type]bool{} // type T []T has no end
	for !seen[t] {
		seen[t] = true
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Basic:
			return u.Info()&types.IsString != 0 || numbers && u.Info()&types.IsNumeric != 0
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

// shape reports whether an expression is a symbolic value's shape or name: what is the same in each
// execution of the graph.
func (f *frame) shape(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Shape", "DType", "Rank", "Dimensions", "Dim", "Size", "Name", "String", "Shapes":
				return true
			}
			return f.shape(sel.X)
		}
		if len(e.Args) == 1 && f.p.info.Types[e.Fun].IsType() {
			return f.shape(e.Args[0])
		}
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "Dimensions", "DType", "name", "Name":
			return true
		}
		return f.shape(e.X)
	case *ast.IndexExpr:
		return f.shape(e.X)
	case *ast.Ident:
		t := f.p.info.TypeOf(e)
		if t == nil {
			return false
		}
		named, ok := types.Unalias(t).(*types.Named)
		if ok && named.Obj().Name() == "Shape" {
			return true
		}
		// Names and lists of axes, wherever they come from, and the unit's own numbers.
		v, _ := f.p.info.Uses[e].(*types.Var)
		_, number := types.Unalias(t).Underlying().(*types.Basic)
		return plainData(t, !number || v != nil && f.p.index.owner[v] == f.u)
	}
	return false
}
