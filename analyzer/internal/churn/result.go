package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// results is what the dimensions of a result of a function may be, or its value if it is an integer, in
// terms of the function's parameters.
func (p *pkg) results(u *unit, index int) []value {
	if have, ok := u.sizes[index]; ok {
		return have
	}
	if u.busy || u.sig == nil || index >= u.sig.Results().Len() {
		return nil
	}
	// It is asked for once for all callers, so it has fuel of its own.
	left := p.fuel
	p.fuel, u.busy = maxFuel, true
	p.steps.Down()
	defer func() {
		p.steps.Up()
		p.fuel, u.busy = left, false
	}()
	integer := false
	if b, ok := types.Unalias(u.sig.Results().At(index).Type()).Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsInteger != 0:
			integer = true
		case b.Info()&types.IsString == 0:
			return nil
		}
	}
	var out []value
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			out = either(out, p.returned(u, n, index, integer))
		}
		return true
	})
	u.sizes[index] = out
	return out
}

func (p *pkg) returned(u *unit, s *ast.ReturnStmt, index int, integer bool) []value {
	results := u.sig.Results()
	if len(s.Results) == 0 {
		pl := place{root: results.At(index)}
		if integer {
			return []value{p.placeNumber(pl, s)}
		}
		return p.placeShape(pl, s)
	}
	if len(s.Results) == 1 && results.Len() > 1 {
		if call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr); ok && !integer {
			return p.callShape(call, index)
		}
		return nil
	}
	if integer {
		return []value{p.number(s.Results[index])}
	}
	return p.shape(s.Results[index])
}

// argument is what a call passes for a parameter, nil if no one expression does.
func argument(call *ast.CallExpr, sig *types.Signature, index int) ast.Expr {
	if index == summary.Recv {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	}
	if sig.Variadic() && index >= sig.Params().Len()-1 && !(call.Ellipsis.IsValid() && index == len(call.Args)-1) {
		return nil
	}
	if index < len(call.Args) {
		return call.Args[index]
	}
	return nil
}

// bind puts a call's arguments in the place of a function's parameters.
func (p *pkg) bind(v value, call *ast.CallExpr, u *unit) value {
	var out value
	for _, a := range v {
		var forms value
		for _, f := range a {
			bound := value{{{constant: f.constant, window: f.window}}}
			for _, t := range f.terms {
				bound = bound.plus(p.bindAtom(t.atom, call, u).each(func(g form) form { return g.times(t.coeff) }))
			}
			if forms == nil {
				forms = bound
			} else {
				forms = forms.least(bound)
			}
		}
		out = out.or(forms)
	}
	return out
}

func (p *pkg) bindAtom(a *atom, call *ast.CallExpr, u *unit) value {
	if a.param != nil {
		arg := argument(call, u.sig, a.param.index)
		if arg == nil {
			return p.opaque(call)
		}
		if a.param.dim < 0 {
			return p.number(arg)
		}
		if dims := p.shape(arg); a.param.dim < len(dims) && len(dims[a.param.dim]) > 0 {
			return dims[a.param.dim]
		}
		return p.lengthOf(arg)
	}
	deps := p.bindDeps(a.deps, call, u.sig, a.text || !a.unsure)
	type key struct {
		a    *atom
		call *ast.CallExpr
	}
	b := p.atomOf(key{a, call}, func(b *atom) {
		b.unsure, b.ragged, b.bucket, b.text = a.unsure, a.ragged, a.bucket, a.text
		b.what, b.node = a.what, a.node
	})
	b.deps = union(b.deps, deps)
	return of(b)
}

// bindDeps says what a callee's dependencies are to its caller.
func (p *pkg) bindDeps(deps []dep, call *ast.CallExpr, sig *types.Signature, contents bool) []dep {
	var out []dep
	for _, d := range deps {
		switch d.kind {
		case byParam:
			if arg := argument(call, sig, d.param); arg != nil {
				if contents {
					out = union(out, p.contents(arg))
				} else {
					out = union(out, p.changes(arg))
				}
			}
		case byCall:
			out = union(out, p.again(call))
		}
	}
	return out
}

// contents is what a value's contents depend on, where they have a size of their own: texts and lists of
// lists. Of a list of numbers the size alone counts.
func (p *pkg) contents(e ast.Expr) []dep {
	switch t := p.under(e).(type) {
	case *types.Slice:
		switch types.Unalias(t.Elem()).Underlying().(type) {
		case *types.Basic:
			if _, text := p.texts(t); !text {
				return p.changes(e)
			}
		}
		return p.deps(e)
	case *types.Basic:
		return p.changes(e)
	case *types.Struct, *types.Pointer, *types.Interface, *types.Map:
		return p.deps(e)
	}
	return nil
}

// again is what makes a call of a method another one: the loops that repeat it with the same receiver.
func (p *pkg) again(call *ast.CallExpr) []dep {
	out := []dep{{kind: byCall}}
	var root *types.Var
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if pl, ok := p.place(sel.X); ok {
			root = pl.root
		}
	}
	for _, loop := range p.loops(call) {
		if root != nil && root.Pos() >= loop.Pos() && root.Pos() < loop.End() {
			return out[1:]
		}
		out = append(out, dep{kind: byTurn, loop: loop})
	}
	return out
}

// importedSize is the size of a result of another package's function, if its fact says what it changes
// with.
func (p *pkg) importedSize(call *ast.CallExpr, index int) value {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == p.types {
		return nil
	}
	s := p.imports(fn)
	if s == nil {
		return nil
	}
	for _, size := range s.Keys.Sizes {
		if size.Result != index {
			continue
		}
		type key struct {
			call  *ast.CallExpr
			index int
		}
		a := p.atomOf(key{call, index}, func(a *atom) { a.what, a.node = types.ExprString(call), call })
		for _, i := range size.Params {
			if arg := argument(call, fn.Signature(), i); arg != nil {
				if size.Contents {
					a.deps = union(a.deps, p.contents(arg))
				} else {
					a.deps = union(a.deps, p.changes(arg))
				}
			}
		}
		return of(a)
	}
	return nil
}

// entryField is the size of a field, or of a package variable, when a function starts: it changes with
// each call if the function makes it longer.
func (p *pkg) entryField(pl place, u *unit, d def) []value {
	if u == nil {
		return []value{of(p.atomOf(pl, nil))}
	}
	for _, s := range p.growths(pl, u) {
		type key struct {
			pl place
			s  ast.Node
		}
		return []value{of(p.atomOf(key{pl, s}, func(a *atom) {
			a.deps = []dep{{kind: byCall}}
			a.what, a.node = p.source(s), s
		}))}
	}
	return []value{of(p.atomOf(pl, nil))}
}

// growths lists the statements of a function that make a field longer: x.f = append(x.f, ...).
func (p *pkg) growths(pl place, u *unit) []*ast.AssignStmt {
	var out []*ast.AssignStmt
	for _, s := range p.assignments(pl) {
		if !within(s, u.node) || len(s.Lhs) != len(s.Rhs) {
			continue
		}
		for i, lhs := range s.Lhs {
			got, ok := p.place(lhs)
			if ok && got == pl && p.isGrowing(s.Rhs[i], got, s.Tok) {
				out = append(out, s)
			}
		}
	}
	return out
}

func (p *pkg) isGrowing(rhs ast.Expr, pl place, tok token.Token) bool {
	if tok == token.ADD_ASSIGN {
		return true
	}
	call, ok := ast.Unparen(rhs).(*ast.CallExpr)
	if !ok || p.builtin(call) != "append" {
		return false
	}
	got, ok := p.place(call.Args[0])
	return ok && got == pl
}

// assignments lists the assignments to the field, or package variable, that a place names.
func (p *pkg) assignments(pl place) []*ast.AssignStmt {
	var out []*ast.AssignStmt
	for v, list := range p.fields {
		if pl.path == "" && v == pl.root || pl.path != "" && v.IsField() && strings.HasSuffix(pl.path, "."+v.Name()) {
			out = append(out, list...)
		}
	}
	slices.SortFunc(out, func(a, b *ast.AssignStmt) int { return int(a.Pos() - b.Pos()) })
	return out
}

// fieldChange is the statement of a called method by which it changes a field of its receiver, nil if it
// does not.
func (p *pkg) fieldChange(call *ast.CallExpr, pl place) ast.Stmt {
	u := p.calledUnit(call)
	if u == nil || u.obj == nil || u.sig.Recv() == nil {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	recv, ok := p.place(sel.X)
	if !ok || recv.root != pl.root || !strings.HasPrefix(pl.path, recv.path) {
		return nil
	}
	inner := place{u.sig.Recv(), strings.TrimPrefix(pl.path, recv.path)}
	for _, s := range p.assignments(inner) {
		if !within(s, u.node) {
			continue
		}
		for _, lhs := range s.Lhs {
			if got, ok := p.place(lhs); ok && got == inner {
				return s
			}
		}
	}
	return nil
}

// changedShape is the size of a field that a called method changed: longer by each turn if it appends.
func (p *pkg) changedShape(pl place, d def) []value {
	s, ok := d.stmt.(*ast.AssignStmt)
	if !ok || d.call == nil || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil
	}
	got, ok := p.place(s.Lhs[0])
	if !ok || !p.isGrowing(s.Rhs[0], got, s.Tok) {
		return nil
	}
	type key struct {
		pl   place
		call *ast.CallExpr
	}
	return []value{of(p.atomOf(key{pl, d.call}, func(a *atom) {
		for _, dep := range p.again(d.call) {
			if dep.kind == byTurn {
				a.deps = append(a.deps, dep)
			}
		}
		a.what, a.node = p.source(s), s
	}))}
}
