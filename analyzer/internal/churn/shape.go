package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

// shape lists what the dimensions of a value may be: of a slice its length and those of its elements, of
// a tensor its dimensions, of a text its length. It is nil if nothing is known.
func (p *pkg) shape(e ast.Expr) []value {
	if !p.spend() {
		return nil
	}
	if b, ok := p.under(e).(*types.Basic); ok {
		if b.Info()&types.IsString == 0 || p.info.Types[e].Value != nil {
			return nil
		}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if pl, ok := p.place(e); ok {
			return p.placeShape(pl, e)
		}
	case *ast.CompositeLit:
		return p.literalShape(e)
	case *ast.CallExpr:
		return p.callShape(e, 0)
	case *ast.SliceExpr:
		return p.sliceShape(e)
	case *ast.IndexExpr:
		return p.elementShape(e)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.shape(e.X)
		}
	case *ast.StarExpr:
		return p.shape(e.X)
	case *ast.TypeAssertExpr:
		return p.shape(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD { // texts
			x, y := p.shape(e.X), p.shape(e.Y)
			if len(x) == 0 {
				return y
			}
			if len(y) == 0 {
				return x
			}
			return []value{x[0].plus(y[0])}
		}
	}
	return nil
}

func (p *pkg) literalShape(lit *ast.CompositeLit) []value {
	switch p.under(lit).(type) {
	case *types.Slice, *types.Array:
	default:
		return nil
	}
	dims := []value{constantValue(int64(len(lit.Elts)))}
	var inner []value
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		inner = either(inner, p.shape(elt))
	}
	return append(dims, inner...)
}

// either joins what the dimensions of two values may be.
func either(a, b []value) []value {
	out := slices.Clone(a)
	for i, v := range b {
		if i < len(out) {
			out[i] = out[i].or(v)
		} else {
			out = append(out, v)
		}
	}
	return out
}

func (p *pkg) sliceShape(e *ast.SliceExpr) []value {
	whole := p.shape(e.X)
	var low, high value
	if e.Low != nil {
		low = p.number(e.Low)
	} else {
		low = constantValue(0)
	}
	switch {
	case e.High != nil:
		high = p.number(e.High)
	case len(whole) > 0 && len(whole[0]) > 0:
		high = whole[0]
	default:
		high = p.lengthOf(e.X)
	}
	length := high.minus(low)
	if len(low) > 1 && slices.ContainsFunc(low, func(a alternative) bool { return len(a) == 1 && a[0].equal(form{}) }) {
		// A lower bound that is at least 0: the length is the least that any of them gives.
		var least alternative
		for _, a := range length {
			least = append(least, a...)
		}
		length = value{least[:min(len(least), maxForms)]}
	}
	if len(whole) < 2 {
		return []value{length}
	}
	return append([]value{length}, whole[1:]...)
}

// lengthOf is the unknown length of a value.
func (p *pkg) lengthOf(e ast.Expr) value {
	if pl, ok := p.place(e); ok {
		type key struct{ pl place }
		return of(p.atomOf(key{pl}, nil))
	}
	return p.opaque(e)
}

// elementShape is the shape of x[i].
func (p *pkg) elementShape(e *ast.IndexExpr) []value {
	switch p.under(e.X).(type) {
	case *types.Slice, *types.Array:
	default:
		return nil
	}
	whole := p.shape(e.X)
	if len(whole) < 2 {
		return nil
	}
	return p.elements(whole[1:], e, p.deps(e.Index))
}

// elements is the shape of one element, chosen anew where deps say so: where elements differ, so does it.
func (p *pkg) elements(dims []value, at ast.Node, deps []dep) []value {
	out := make([]value, len(dims))
	for i, v := range dims {
		out[i] = v.each(func(f form) form {
			return f.replace(func(a *atom) value {
				if !a.ragged {
					return of(a)
				}
				type key struct {
					a  *atom
					at ast.Node
				}
				return of(p.atomOf(key{a, at}, func(b *atom) {
					id := b.id
					*b = *a
					b.id, b.ragged, b.deps, b.param = id, false, union(a.deps, deps), nil
				}))
			})
		})
	}
	return out
}

// replace substitutes the atoms of a form; of several alternatives the first counts.
func (f form) replace(with func(*atom) value) form {
	out := form{constant: f.constant, window: f.window}
	for _, t := range f.terms {
		v := with(t.atom)
		if len(v) == 0 || len(v[0]) == 0 {
			continue
		}
		out = out.plus(v[0][0].times(t.coeff), 1)
	}
	return out
}

func (p *pkg) placeShape(pl place, at ast.Node) []value {
	return p.merge(pl, at, asShape, func(d def) []value {
		switch {
		case d.entry:
			return p.entryShape(pl, d, at)
		case d.ranged != nil:
			return p.rangedShape(pl, d)
		case d.rhs == nil:
			if d.tok == token.VAR {
				return []value{constantValue(0)}
			}
			return p.changedShape(pl, d)
		case d.tok == token.ADD_ASSIGN: // a text
			old, more := p.placeShape(pl, d.stmt), p.shape(d.rhs)
			if len(old) == 0 {
				return nil
			}
			if len(more) == 0 {
				more = []value{constantValue(1)}
			}
			return []value{old[0].plus(more[0])}
		case d.index > 0:
			if call, ok := ast.Unparen(d.rhs).(*ast.CallExpr); ok {
				return p.callShape(call, d.index)
			}
			return nil
		}
		got := p.shape(d.rhs)
		if len(got) > 0 {
			got = either(got, p.assignedElements(pl, got))
		}
		return got
	})
}

// assignedElements is what the elements x[i] = e of a place may be, for those that are made empty.
func (p *pkg) assignedElements(pl place, whole []value) []value {
	slice, ok := types.Unalias(pl.typ()).Underlying().(*types.Slice)
	if !ok || len(whole) > 1 {
		return nil
	}
	if _, basic := types.Unalias(slice.Elem()).Underlying().(*types.Basic); basic {
		return nil
	}
	key := activeKey{pl, asElements}
	if p.depth[key] > 0 {
		return nil
	}
	p.depth[key]++
	defer func() { p.depth[key]-- }()
	var inner []value
	for _, set := range p.elementSets(pl) {
		inner = either(inner, p.scattered(p.shape(set.value), set.stmt))
	}
	if inner == nil {
		return nil
	}
	return append([]value{nil}, inner...)
}

func (pl place) typ() types.Type {
	if pl.path == "" {
		return pl.root.Type()
	}
	return types.Typ[types.Invalid]
}

type elementSet struct {
	stmt  *ast.AssignStmt
	value ast.Expr
}

// elementSets lists the assignments to elements of a local variable.
func (p *pkg) elementSets(pl place) []elementSet {
	u := p.unitAround(pl.root.Pos())
	if u == nil {
		return nil
	}
	var out []elementSet
	ast.Inspect(u.body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return true
		}
		for i, lhs := range s.Lhs {
			if ix, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok {
				if got, ok := p.place(ix.X); ok && got == pl {
					out = append(out, elementSet{s, s.Rhs[i]})
				}
			}
		}
		return true
	})
	return out
}

// scattered is the shape of elements that a loop makes: what changes by its turns differs between them.
func (p *pkg) scattered(dims []value, made ast.Node) []value {
	loops := p.loops(made)
	out := make([]value, len(dims))
	for i, v := range dims {
		out[i] = v.each(func(f form) form {
			return f.replace(func(a *atom) value {
				if a.unsure || !slices.ContainsFunc(loops, func(l ast.Stmt) bool { return a.on(dep{kind: byTurn, loop: l}) }) {
					return of(a)
				}
				type key struct {
					a    *atom
					made ast.Node
				}
				return of(p.atomOf(key{a, made}, func(b *atom) {
					id := b.id
					*b = *a
					b.id, b.ragged, b.counter = id, true, false
				}))
			})
		})
	}
	return out
}

func (p *pkg) entryShape(pl place, d def, at ast.Node) []value {
	u := p.byNode[d.stmt]
	if u == nil || pl.path != "" {
		return p.entryField(pl, u, d)
	}
	index, ok := u.paramIndex(pl.root)
	if !ok {
		return nil
	}
	dims := []value{of(p.paramAtom(pl.root, index, 0))}
	switch t := types.Unalias(pl.root.Type()).Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Pointer, *types.Interface:
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsString == 0 {
			return nil
		}
	case *types.Slice:
		seen := map[*types.Slice]bool{} // type T []T has no end
		for dim := 1; !seen[t]; dim++ {
			seen[t] = true
			elem := types.Unalias(t.Elem()).Underlying()
			inner := p.paramAtom(pl.root, index, dim)
			inner.ragged = true
			switch e := elem.(type) {
			case *types.Slice:
				inner.unsure = true
				dims = append(dims, of(inner))
				t = e
				continue
			case *types.Basic:
				if e.Info()&types.IsString != 0 {
					inner.text = true
					dims = append(dims, of(inner))
				}
			}
			break
		}
	default:
		return nil
	}
	return dims
}

// rangedShape is the shape of an element that a range statement defines.
func (p *pkg) rangedShape(pl place, d def) []value {
	loop := d.ranged
	turn := []dep{{kind: byTurn, loop: loop}}
	switch p.under(loop.X).(type) {
	case *types.Slice, *types.Array:
		if d.index == 0 {
			return nil
		}
	case *types.Map:
	default:
		return p.sourceShape(pl, loop, turn)
	}
	if b, ok := types.Unalias(pl.root.Type()).Underlying().(*types.Basic); ok && pl.path == "" {
		if b.Info()&types.IsString == 0 {
			return nil
		}
		return p.sourceShape(pl, loop, turn)
	}
	whole := p.shape(loop.X)
	if len(whole) >= 2 && pl.path == "" {
		dims := p.elements(whole[1:], loop, turn)
		if !slices.ContainsFunc(whole[1:], func(v value) bool { return len(v) == 0 }) {
			return dims
		}
	}
	return p.sourceShape(pl, loop, turn)
}

// sourceShape is the shape of what comes anew with each turn: of texts the length changes, of anything
// else it is not known whether it does.
func (p *pkg) sourceShape(pl place, loop ast.Stmt, turn []dep) []value {
	t := pl.typ()
	b, basic := types.Unalias(t).Underlying().(*types.Basic)
	text := basic && b.Info()&types.IsString != 0
	if basic && !text {
		return nil
	}
	return []value{of(p.atomOf(counterKey{pl, loop}, func(a *atom) {
		a.deps, a.text, a.unsure = turn, text, !text
		a.what, a.node = pl.name(), loop
	}))}
}

// callShape is the shape of a result of a call.
func (p *pkg) callShape(call *ast.CallExpr, index int) []value {
	if p.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return p.shape(call.Args[0])
	}
	switch p.builtin(call) {
	case "make":
		if len(call.Args) > 1 {
			return []value{p.number(call.Args[1])}
		}
		return []value{constantValue(0)}
	case "append":
		return p.appended(call)
	case "":
	default:
		return nil
	}
	if known := p.engineFunc(call); known != nil {
		if known.Kind == engine.Shaped && index == 0 {
			return p.builtShape(call, known)
		}
		return nil
	}
	if u := p.calledUnit(call); u != nil {
		var out []value
		for _, v := range p.results(u, index) {
			out = append(out, p.bind(v, call, u))
		}
		return out
	}
	if index == 0 {
		if dims := p.textShape(call); dims != nil {
			return dims
		}
		if dims := p.standardShape(call); dims != nil {
			return dims
		}
	}
	if size := p.importedSize(call, index); size != nil {
		return []value{size}
	}
	return nil
}

func (p *pkg) builtShape(call *ast.CallExpr, known *engine.Func) []value {
	var out []value
	for _, i := range known.Like {
		if i < len(call.Args) {
			out = append(out, p.shape(call.Args[i])...)
		}
	}
	for _, first := range known.Dims {
		if call.Ellipsis.IsValid() {
			continue
		}
		for i := first; i < len(call.Args); i++ {
			out = append(out, p.number(call.Args[i]))
		}
	}
	return out
}

// appended is the shape of append(x, ...).
func (p *pkg) appended(call *ast.CallExpr) []value {
	base := p.shape(call.Args[0])
	if p.info.Types[call.Args[0]].IsNil() || p.isConversionOfNil(call.Args[0]) {
		base = []value{constantValue(0)}
	}
	if len(base) == 0 {
		return nil
	}
	var inner []value
	length := base[0]
	if call.Ellipsis.IsValid() && len(call.Args) == 2 {
		more := p.shape(call.Args[1])
		if len(more) == 0 {
			length = length.plus(p.lengthOf(call.Args[1]))
		} else {
			length = length.plus(more[0])
			inner = more[1:]
		}
	} else {
		length = length.plus(constantValue(int64(len(call.Args) - 1)))
		for _, arg := range call.Args[1:] {
			inner = either(inner, p.scattered(p.shape(arg), call))
		}
	}
	return append([]value{length}, either(base[1:], inner)...)
}

// isConversionOfNil reports whether e is []T(nil).
func (p *pkg) isConversionOfNil(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && p.info.Types[call.Fun].IsType() && len(call.Args) == 1 && p.info.Types[call.Args[0]].IsNil()
}
