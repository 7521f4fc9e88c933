package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// eval interprets an expression for what it does and says where its value may come from.
func (f *frame) eval(e ast.Expr) value {
	f.p.steps.Take(1)
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.eval(e.X)
	case *ast.Ident:
		return f.ident(e)
	case *ast.FuncLit:
		return f.literal(e)
	case *ast.CompositeLit:
		return f.composite(e)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.IndexExpr:
		if f.isFunc(e.X) {
			return f.eval(e.X)
		}
		held, _ := f.place(e)
		return held
	case *ast.IndexListExpr:
		return f.eval(e.X)
	case *ast.SliceExpr:
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				f.eval(i)
			}
		}
		return f.operand(e.X)
	case *ast.StarExpr:
		return f.deref(f.eval(e.X), f.p.info.TypeOf(e))
	case *ast.TypeAssertExpr:
		return f.eval(e.X)
	case *ast.CallExpr:
		if results := f.call(e); len(results) > 0 {
			return results[0]
		}
	case *ast.UnaryExpr:
		return f.unary(e)
	case *ast.BinaryExpr:
		f.eval(e.X)
		f.eval(e.Y)
	case *ast.KeyValueExpr:
		return f.eval(e.Value)
	}
	return nil
}

// evalMulti interprets an expression that gives n values.
func (f *frame) evalMulti(e ast.Expr, n int) []value {
	out := make([]value, n)
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		copy(out, f.call(call))
		return out
	}
	out[0] = f.eval(e)
	if n == 2 {
		if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			if _, ok := f.under(ix.X).(*types.Map); ok {
				out[1] = value{{kind: miss, unit: f.u}}
			}
		}
	}
	return out
}

func (f *frame) under(e ast.Expr) types.Type {
	t := f.p.info.TypeOf(e)
	if t == nil {
		return nil
	}
	return types.Unalias(t).Underlying()
}

func (f *frame) isFunc(e ast.Expr) bool {
	_, ok := f.under(e).(*types.Signature)
	return ok
}

// operand evaluates the operand of an index, slice or selector expression: an array or struct in a
// variable is that variable's storage beside what was copied into it.
func (f *frame) operand(e ast.Expr) value {
	held, at := f.place(e)
	return f.whole(e, held, at)
}

// whole is operand for an expression whose value and storage are known.
func (f *frame) whole(e ast.Expr, held, at value) value {
	switch f.under(e).(type) {
	case *types.Struct, *types.Array:
		if _, literal := ast.Unparen(e).(*ast.CompositeLit); !literal {
			return held.with(at...)
		}
	}
	return held
}

// place evaluates an expression and, if its storage can be named, names that too: at once, because each part of a long chain of
// selections would else be evaluated twice, and twice again by the part below.
func (f *frame) place(e ast.Expr) (held, at value) {
	f.p.steps.Take(1)
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		held = f.eval(e)
		if v, ok := f.p.info.ObjectOf(e).(*types.Var); ok {
			at = value{f.cellOf(v)}
		}
		return held, at
	case *ast.SelectorExpr:
		sel := f.p.info.Selections[e]
		switch {
		case sel == nil: // package.Name
			return f.place(e.Sel)
		case sel.Kind() == types.FieldVal:
			x, base := f.place(e.X)
			held = f.field(f.whole(e.X, x, base), sel)
			if isPointer(f.p.info.TypeOf(e.X)) {
				base = x
			}
			return held, f.fieldStorage(base, sel)
		}
	case *ast.IndexExpr:
		if f.isFunc(e.X) {
			return f.eval(e.X), nil
		}
		f.eval(e.Index)
		x, base := f.place(e.X)
		held = f.p.heap.load(f.whole(e.X, x, base), segElem)
		if _, array := f.under(e.X).(*types.Array); !array {
			base = x
		}
		return held, step(base, segElem)
	case *ast.StarExpr:
		at = f.eval(e.X)
		return f.deref(at, f.p.info.TypeOf(e)), at
	case *ast.CompositeLit:
		at = f.eval(e)
		return at, at
	}
	return f.eval(e), nil
}

func (f *frame) ident(id *ast.Ident) value {
	switch obj := f.p.info.ObjectOf(id).(type) {
	case *types.Var:
		return f.read(obj)
	case *types.Func:
		return value{{kind: function, obj: obj.Origin()}}
	}
	return nil
}

// read is what a variable holds here.
func (f *frame) read(v *types.Var) value {
	if !f.p.index.local(v) {
		return f.p.readGlobal(v)
	}
	if f.p.index.owner[v] != f.u {
		return f.p.shared[v].with(f.storageOf(v)...)
	}
	out := f.env[v]
	if f.p.index.set[v] {
		out = out.with(f.p.shared[v]...)
	}
	return out.with(f.storageOf(v)...)
}

// storageOf names the storage of a struct or array variable, which is where its parts live.
func (f *frame) storageOf(v *types.Var) value {
	switch types.Unalias(v.Type()).Underlying().(type) {
	case *types.Struct, *types.Array:
		return value{{kind: cell, unit: f.p.index.owner[v], obj: v}}
	}
	return nil
}

// readGlobal is what a package-level variable refers to: what it always was, and the one value that
// this package is seen to assign. Of several, which one it holds is not known.
func (p *pkg) readGlobal(v *types.Var) value {
	out := value{{kind: global, obj: v}}
	if held := p.shared[v]; len(held) == 1 && p.index.writes[v] <= 1 {
		out = out.with(held...)
	}
	return out
}

// set assigns to a variable of this unit, or declares one at package level.
func (f *frame) set(v *types.Var, val value) {
	if !f.p.index.local(v) || f.u.body == nil {
		f.p.share(v, val)
		return
	}
	if f.env != nil {
		f.env[v] = val
	}
	if f.p.index.multi[v] {
		f.p.share(v, val)
	}
}

func (f *frame) literal(lit *ast.FuncLit) value {
	u := f.p.byLit[lit]
	if u == nil {
		return nil
	}
	inner := &frame{p: f.p, u: u}
	inner.body()
	return value{{kind: literal, unit: u.outer, node: lit}}
}

func (f *frame) composite(e *ast.CompositeLit) value {
	here := loc{kind: site, unit: f.u, node: e}
	t := f.under(e)
	if ptr, ok := t.(*types.Pointer); ok { // an elided &T in a composite literal
		t = types.Unalias(ptr.Elem()).Underlying()
	}
	st, isStruct := t.(*types.Struct)
	for i, elt := range e.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		if !isStruct {
			if keyed {
				f.eval(kv.Key)
				elt = kv.Value
			}
			f.p.store(here, segElem, f.eval(elt))
			continue
		}
		var field *types.Var
		if keyed {
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = f.p.info.Uses[id].(*types.Var)
			}
			elt = kv.Value
		} else if i < st.NumFields() {
			field = st.Field(i)
		}
		v := f.eval(elt)
		if field != nil {
			f.p.store(here, "."+field.Name(), v)
			f.p.shareField(field, v)
		}
	}
	return value{here}
}

// shareField remembers the functions and wrappers that a field is seen to hold, whichever value it
// is a field of.
func (p *pkg) shareField(field *types.Var, v value) {
	for _, l := range v {
		if l.tracked() {
			p.share(field.Origin(), value{l})
		}
	}
}

func (f *frame) selector(e *ast.SelectorExpr) value {
	sel := f.p.info.Selections[e]
	if sel == nil { // package.Name
		return f.ident(e.Sel)
	}
	switch sel.Kind() {
	case types.FieldVal:
		held, _ := f.place(e)
		return held
	case types.MethodVal:
		return f.methodValue(e, sel)
	case types.MethodExpr:
		if fn, ok := sel.Obj().(*types.Func); ok {
			return value{{kind: function, obj: fn.Origin(), index: 1}}
		}
	}
	return nil
}

// field follows a field selection, embedded fields included.
func (f *frame) field(v value, sel *types.Selection) value {
	t := sel.Recv()
	var last *types.Var
	for _, i := range sel.Index() {
		st := structOf(t)
		if st == nil {
			return nil
		}
		last = st.Field(i)
		v = f.p.heap.load(v, "."+last.Name())
		t = last.Type()
	}
	if last == nil {
		return v
	}
	// Whose field it is may not be known; a function that is the only one ever stored there is.
	if held := f.p.shared[last.Origin()]; len(held) == 1 && held[0].callable() && f.p.index.writes[last.Origin()] <= 1 {
		v = v.with(held...)
	}
	return v
}

func structOf(t types.Type) *types.Struct {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// methodValue is x.M not called: the method with its receiver.
func (f *frame) methodValue(e *ast.SelectorExpr, sel *types.Selection) value {
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return nil
	}
	recv := f.receiver(e, sel)
	l := loc{kind: bound, unit: f.u, node: e, obj: fn.Origin()}
	f.p.store(l, segRecv, recv)
	return value{l}
}

// receiver evaluates x of x.M as the method sees it: embedded fields followed, address taken.
func (f *frame) receiver(e *ast.SelectorExpr, sel *types.Selection) value {
	return f.p.embedded(f.operand(e.X), sel.Recv(), sel.Index())
}

// embedded follows the embedded fields on the way from a value of type t to the field or method at index.
func (p *pkg) embedded(v value, t types.Type, index []int) value {
	for _, i := range index[:len(index)-1] {
		st := structOf(t)
		if st == nil {
			return v
		}
		v = p.heap.load(v, "."+st.Field(i).Name())
		t = st.Field(i).Type()
	}
	return v
}

func (f *frame) unary(e *ast.UnaryExpr) value {
	switch e.Op {
	case token.AND:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return f.eval(lit)
		}
		return f.storage(e.X)
	case token.ARROW:
		f.effect(summary.Sync, "receive from "+types.ExprString(e.X), e)
		return f.p.heap.load(f.eval(e.X), segElem)
	default:
		f.eval(e.X)
	}
	return nil
}

// deref is what *p holds, for p's value and the type of *p.
func (f *frame) deref(v value, t types.Type) value {
	if t == nil {
		return nil
	}
	switch types.Unalias(t).Underlying().(type) {
	case *types.Struct, *types.Array:
		return v
	}
	var out value
	for _, l := range v {
		if obj, ok := l.obj.(*types.Var); ok && l.kind == cell && l.path == "" {
			out = out.with(f.read(obj)...)
			continue
		}
		out = out.with(f.p.heap.load(value{l}, segElem)...)
	}
	return out
}

// storage evaluates an addressable expression and names the memory that it stands for.
func (f *frame) storage(e ast.Expr) value {
	_, at := f.place(e)
	return at
}

// fieldStorage names a field's memory below base; embedded pointers on the way are followed.
func (f *frame) fieldStorage(base value, sel *types.Selection) value {
	t := sel.Recv()
	index := sel.Index()
	for n, i := range index {
		st := structOf(t)
		if st == nil {
			return nil
		}
		field := st.Field(i)
		t = field.Type()
		if n < len(index)-1 && isPointer(t) {
			base = f.p.heap.load(base, "."+field.Name())
			continue
		}
		base = step(base, "."+field.Name())
	}
	return base
}

func step(v value, segment string) value {
	var out value
	for _, l := range v {
		if below, ok := l.step(segment); ok {
			out = out.with(below)
		}
	}
	return out
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// cellOf is the storage of a variable.
func (f *frame) cellOf(v *types.Var) loc {
	if !f.p.index.local(v) {
		return loc{kind: global, obj: v}
	}
	return loc{kind: cell, unit: f.p.index.owner[v], obj: v}
}
