package churn

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// maxFuel bounds the work for one argument; what it does not reach is not known.
const maxFuel = 4000

// role says which number of a place is asked for: the value of an integer, or dimensions.
type role uint8

const (
	asNumber role = iota
	asShape
	asDeps
	asElements
)

type activeKey struct {
	pl   place
	role role
}

// spend uses up fuel, and reports whether there was any.
func (p *pkg) spend() bool {
	p.steps.Take(1)
	p.fuel--
	return p.fuel > 0
}

// atomOf is the atom of a key, made when first asked for.
func (p *pkg) atomOf(key any, fill func(*atom)) *atom {
	if a := p.atoms[key]; a != nil {
		return a
	}
	a := &atom{id: len(p.atoms)}
	p.atoms[key] = a
	if fill != nil {
		fill(a)
	}
	return a
}

// opaque is a number of which nothing is known.
func (p *pkg) opaque(n ast.Node) value { return of(p.atomOf(n, nil)) }

// number is what an integer expression may be.
func (p *pkg) number(e ast.Expr) value {
	if tv, ok := p.info.Types[e]; ok && tv.Value != nil {
		if n, exact := constant.Int64Val(constant.ToInt(tv.Value)); exact {
			return constantValue(n)
		}
	}
	if !p.spend() {
		return p.opaque(e)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if pl, ok := p.place(e); ok {
			return p.placeNumber(pl, e)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD:
			return p.number(e.X).plus(p.number(e.Y))
		case token.SUB:
			return p.number(e.X).minus(p.number(e.Y))
		case token.MUL:
			return p.number(e.X).combine(p.number(e.Y), p.product)
		}
	case *ast.CallExpr:
		return p.callNumber(e)
	}
	return p.opaque(e)
}

// product multiplies forms; a product of atoms is an atom.
func (p *pkg) product(f, g form) form {
	out := form{constant: f.constant * g.constant, window: f.window || g.window}
	out = out.plus(form{terms: f.terms}.times(g.constant), 1)
	out = out.plus(form{terms: g.terms}.times(f.constant), 1)
	for _, s := range f.terms {
		for _, t := range g.terms {
			a, b := s.atom, t.atom
			if a.id > b.id {
				a, b = b, a
			}
			both := p.atomOf([2]*atom{a, b}, func(ab *atom) {
				ab.deps = union(a.deps, b.deps)
				ab.what, ab.node, ab.text = b.what, b.node, a.text || b.text
				ab.bucket = a.bucket || b.bucket
				ab.unsure = a.unsure && b.unsure
				ab.counter = a.counter && len(b.deps) == 0 || b.counter && len(a.deps) == 0
				if a.what != "" && len(a.deps) > 0 {
					ab.what, ab.node = a.what, a.node
				}
			})
			out = out.plus(form{terms: []term{{both, s.coeff * t.coeff}}}, 1)
		}
	}
	return out
}

func union(a, b []dep) []dep {
	out := slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

func (p *pkg) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := p.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

func (p *pkg) callNumber(call *ast.CallExpr) value {
	if p.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return p.number(call.Args[0])
	}
	switch p.builtin(call) {
	case "len":
		if dims := p.shape(call.Args[0]); len(dims) > 0 && len(dims[0]) > 0 {
			return dims[0]
		}
		return p.opaque(call)
	case "min":
		out := p.number(call.Args[0])
		for _, arg := range call.Args[1:] {
			out = out.least(p.number(arg))
		}
		return out
	case "max":
		var out value
		for _, arg := range call.Args {
			out = out.or(p.number(arg))
		}
		return out
	case "":
	default:
		return p.opaque(call)
	}
	if u := p.calledUnit(call); u != nil {
		if dims := p.results(u, 0); len(dims) == 1 {
			got := p.bind(dims[0], call, u)
			// One of several fixed sizes among the results: a bucket.
			if slices.ContainsFunc(got, func(a alternative) bool { return slices.ContainsFunc(a, form.fixed) }) {
				return p.opaque(call)
			}
			return got
		}
		return p.opaque(call)
	}
	if size := p.importedSize(call, 0); size != nil {
		return size
	}
	return p.opaque(call)
}

// placeNumber is the value that an integer place has at a node.
func (p *pkg) placeNumber(pl place, at ast.Node) value {
	if loop := p.counts(pl, at); loop != nil {
		return of(p.atomOf(counterKey{pl, loop}, func(a *atom) {
			a.counter, a.deps = true, []dep{{kind: byTurn, loop: loop}}
			a.what, a.node = pl.name(), loop
		}))
	}
	return p.merge(pl, at, asNumber, func(d def) []value {
		switch {
		case d.entry:
			return []value{p.entryNumber(pl, d)}
		case d.ranged != nil:
			return []value{p.rangedNumber(pl, d)}
		case d.rhs == nil:
			if d.tok == token.VAR {
				return []value{constantValue(0)}
			}
			return []value{p.opaque(d.stmt)}
		}
		switch d.tok {
		case token.INC:
			return []value{p.number(d.rhs).plus(constantValue(1))}
		case token.DEC:
			return []value{p.number(d.rhs).plus(constantValue(-1))}
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			old := p.placeNumber(pl, d.stmt)
			if d.tok == token.ADD_ASSIGN {
				return []value{old.plus(p.number(d.rhs))}
			}
			return []value{old.minus(p.number(d.rhs))}
		case token.ASSIGN, token.DEFINE, token.VAR:
			if d.index > 0 {
				return []value{p.resultNumber(d)}
			}
			return []value{p.number(d.rhs)}
		}
		// Powers, shifts, rounding: few sizes.
		return []value{p.opaque(d.stmt)}
	})[0]
}

func (p *pkg) resultNumber(d def) value {
	call, ok := ast.Unparen(d.rhs).(*ast.CallExpr)
	if !ok {
		return p.opaque(d.stmt)
	}
	if u := p.calledUnit(call); u != nil {
		if dims := p.results(u, d.index); len(dims) == 1 {
			return p.bind(dims[0], call, u)
		}
	}
	if size := p.importedSize(call, d.index); size != nil {
		return size
	}
	return p.opaque(d.stmt)
}

type counterKey struct {
	pl   place
	loop ast.Stmt
}

func (pl place) name() string { return pl.root.Name() + pl.path }

// counts is the loop around a node whose turns a variable counts, nil if there is none.
func (p *pkg) counts(pl place, at ast.Node) ast.Stmt {
	for n := at; n != nil; n = p.parents[n] {
		switch loop := n.(type) {
		case *ast.ForStmt:
			init, ok := loop.Init.(*ast.AssignStmt)
			if !ok || init.Tok != token.DEFINE || loop.Post == nil || within(at, loop.Init) {
				continue
			}
			for _, lhs := range init.Lhs {
				if got, ok := p.place(lhs); ok && got == pl && steps(loop.Post) {
					return loop
				}
			}
		case *ast.RangeStmt:
			if loop.Key == nil || !within(at, loop.Body) {
				continue
			}
			if got, ok := p.place(loop.Key); ok && got == pl {
				switch p.under(loop.X).(type) {
				case *types.Map, *types.Chan, *types.Signature:
				default:
					return loop
				}
			}
		}
	}
	return nil
}

// steps reports whether a loop's post statement adds or subtracts: i *= 2 visits few sizes.
func steps(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN
	}
	return false
}

func (p *pkg) entryNumber(pl place, d def) value {
	u := p.byNode[d.stmt]
	if u == nil || pl.path != "" {
		return p.entryField(pl, u, d)[0]
	}
	index, ok := u.paramIndex(pl.root)
	if !ok {
		return of(p.atomOf(pl, nil))
	}
	return of(p.paramAtom(pl.root, index, -1))
}

func (p *pkg) paramAtom(v *types.Var, index, dim int) *atom {
	type key struct {
		v   *types.Var
		dim int
	}
	return p.atomOf(key{v, dim}, func(a *atom) {
		a.param, a.deps = &paramSize{index, dim}, []dep{{kind: byParam, param: index}}
		a.what = v.Name()
		if t, ok := types.Unalias(v.Type()).Underlying().(*types.Basic); ok && t.Info()&types.IsString != 0 {
			a.text = true
		}
	})
}

// rangedNumber is an integer that a range statement defines: the elements of a list of sizes. A list
// that stands in the code is one of few sizes, chosen.
func (p *pkg) rangedNumber(pl place, d def) value {
	if d.index == 0 { // a map's key, or a loop that is over
		return p.opaque(d.ranged)
	}
	return of(p.atomOf(counterKey{pl, d.ranged}, func(a *atom) {
		a.deps, a.what, a.node = []dep{{kind: byTurn, loop: d.ranged}}, pl.name(), d.ranged
		a.bucket = p.listed(d.ranged.X)
	}))
}

// listed reports whether the elements of an expression stand in the code.
func (p *pkg) listed(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident, *ast.SelectorExpr:
		pl, ok := p.place(e)
		if !ok {
			return false
		}
		if pl.path == "" && pl.root.Parent() != nil && pl.root.Parent() == pl.root.Pkg().Scope() {
			return true // a package variable: a table
		}
		defs := p.reaching(pl, e)
		return !slices.ContainsFunc(defs, func(d def) bool { return d.rhs == nil || !p.listedDef(d) })
	}
	return false
}

func (p *pkg) listedDef(d def) bool {
	_, ok := ast.Unparen(d.rhs).(*ast.CompositeLit)
	return ok && d.back == nil
}
