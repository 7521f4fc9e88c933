package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// merge joins what the definitions of a place that reach a node give.
func (p *pkg) merge(pl place, at ast.Node, r role, eval func(def) []value) []value {
	var out []value
	if p.spend() {
		defs := p.reaching(pl, at)
		for i := len(defs) - 1; i >= 0; i-- {
			out = p.join(out, p.defined(pl, r, defs[i], at, eval), pl, defs[i], at)
		}
	}
	if r == asNumber && (len(out) == 0 || len(out[0]) == 0) {
		return []value{p.opaque(at)}
	}
	return out
}

type selfKey struct {
	pl place
	r  role
}

type runKey struct {
	activeKey
	stmt ast.Node
}

// defined is what one definition gives. A definition that is reached while it is itself being asked for
// is the value of the turn before: what it adds to that is growth.
func (p *pkg) defined(pl place, r role, d def, at ast.Node, eval func(def) []value) []value {
	self := p.atomOf(selfKey{pl, r}, nil)
	run := runKey{activeKey{pl, r}, d.stmt}
	if _, cycle := p.running[run]; cycle {
		return []value{of(self)}
	}
	if padded, ok := p.padding(pl, d, at); ok {
		return padded
	}
	p.running[run] = true
	p.depth[run.activeKey]++
	got := eval(d)
	p.depth[run.activeKey]--
	delete(p.running, run)
	if p.depth[run.activeKey] == 0 {
		for i := range got {
			got[i] = p.grown(got[i], self, pl, d)
		}
	}
	for i := range got {
		got[i] = p.leave(got[i], pl, d, at)
	}
	return got
}

// grown replaces what a turn adds to the turn before by an atom that changes with each turn. What both
// grows and shrinks is a window.
func (p *pkg) grown(v value, self *atom, pl place, d def) value {
	var rest value
	adds, keeps := false, false
	for _, a := range v {
		if len(a) == 0 {
			continue
		}
		at := slices.IndexFunc(a[0].terms, func(t term) bool { return t.atom == self })
		if at < 0 {
			if !slices.ContainsFunc(a, func(f form) bool {
				return slices.ContainsFunc(f.terms, func(t term) bool { return t.atom == self })
			}) {
				rest = rest.or(value{a})
			}
			continue
		}
		if a[0].terms[at].coeff != 1 || len(a) > 1 {
			keeps = keeps || len(a) > 1
			continue // powers visit few sizes
		}
		delta := a[0].plus(of(self)[0][0], -1)
		switch {
		case len(delta.terms) == 0 && delta.constant <= 0 && (adds || delta.constant == 0):
			keeps = true
		case len(delta.terms) == 0 && delta.constant < 0:
			adds = true
		default:
			adds = true
		}
	}
	if !adds || keeps {
		return rest
	}
	loops := p.carried(pl, d.stmt)
	if len(loops) == 0 {
		return rest
	}
	type key struct {
		pl   place
		stmt ast.Node
	}
	return rest.or(of(p.atomOf(key{pl, d.stmt}, func(a *atom) {
		for _, l := range loops {
			a.deps = append(a.deps, dep{kind: byTurn, loop: l})
		}
		a.what, a.node = p.source(d.stmt), d.stmt
		a.counter = false
	})))
}

// carried lists the loops around a statement through which a place keeps its value from turn to turn.
func (p *pkg) carried(pl place, stmt ast.Node) []ast.Stmt {
	var out []ast.Stmt
	defs := p.reaching(pl, stmt)
	for _, loop := range p.loops(stmt) {
		if pl.root.Pos() >= loop.Pos() && pl.root.Pos() < loop.End() {
			break
		}
		reset := slices.ContainsFunc(defs, func(d def) bool {
			return d.stmt != nil && d.stmt != stmt && !d.entry && within(d.stmt, loop) && d.guard == nil && !p.mentions(d.rhs, pl) &&
				d.tok != token.INC && d.tok != token.DEC && d.tok != token.ADD_ASSIGN && d.tok != token.SUB_ASSIGN
		})
		if reset {
			break
		}
		out = append(out, loop)
	}
	return out
}

// mentions reports whether an expression reads a place.
func (p *pkg) mentions(e ast.Expr, pl place) bool {
	if e == nil {
		return false
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if got, ok := p.place(x); ok && got == pl {
				found = true
			}
		}
		return !found
	})
	return found
}

// padding recognises a loop that is over and that went on until the place was long enough.
func (p *pkg) padding(pl place, d def, at ast.Node) ([]value, bool) {
	for _, loop := range p.left(d.stmt, at) {
		s, ok := loop.(*ast.ForStmt)
		if !ok || s.Cond == nil || !p.mentions(s.Cond, pl) {
			continue
		}
		if op, other := p.compared(s.Cond, pl); op == token.LSS && (d.tok == token.INC || p.mentions(d.rhs, pl)) {
			if call, ok := ast.Unparen(d.rhs).(*ast.CallExpr); ok && p.builtin(call) == "append" || d.tok == token.INC {
				return []value{p.number(other)}, true
			}
		}
		return []value{of(p.atomOf(s, nil))}, true
	}
	return nil, false
}

// left lists the loops around a statement that are over at a node.
func (p *pkg) left(stmt, at ast.Node) []ast.Stmt {
	if stmt == nil {
		return nil
	}
	var out []ast.Stmt
	for _, loop := range p.loops(stmt) {
		if !within(at, loop) {
			out = append(out, loop)
		}
	}
	if loop, ok := stmt.(ast.Stmt); ok && !within(at, stmt) {
		if _, ranged := loop.(*ast.RangeStmt); ranged {
			out = append(out, loop)
		}
	}
	return out
}

// compared reads a condition that compares a place, or its length, with something else, the place on
// the left.
func (p *pkg) compared(cond ast.Expr, pl place) (token.Token, ast.Expr) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return token.ILLEGAL, nil
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		if op, other := p.compared(b.X, pl); other != nil {
			return op, other
		}
		return p.compared(b.Y, pl)
	}
	if p.mentions(b.X, pl) {
		return b.Op, b.Y
	}
	if p.mentions(b.Y, pl) {
		return flipped(b.Op), b.X
	}
	return token.ILLEGAL, nil
}

func flipped(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.GTR:
		return token.LSS
	case token.LEQ:
		return token.GEQ
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// join adds what a later definition gives to what earlier ones did. One that runs only where the place
// is too short pads it, one that runs only where it is too long cuts it.
func (p *pkg) join(earlier, later []value, pl place, d def, at ast.Node) []value {
	if len(earlier) == 0 || len(earlier[0]) == 0 {
		return later
	}
	if len(later) == 0 || len(later[0]) == 0 {
		return earlier
	}
	if _, padded := p.padding(pl, d, at); padded {
		return later
	}
	// What loops make of a first number stands for that number too.
	if earlier[0].numbers() && (d.back != nil || len(p.left(d.stmt, at)) > 0) {
		return append([]value{later[0]}, either(earlier[1:], later[1:])...)
	}
	if call, ok := ast.Unparen(d.rhs).(*ast.CallExpr); ok && p.builtin(call) == "append" && p.mentions(call, pl) &&
		d.guard != nil && (later[0].windowed() || !later[0].shares(earlier[0])) {
		return later
	}
	if d.guard == nil || !p.mentions(d.guard, pl) {
		return either(earlier, later)
	}
	op, other := p.compared(d.guard, pl)
	bound := later[0].fixed() || other != nil && p.isInteger(other) && later[0].equal(p.number(other))
	switch cuts := op == token.GTR || op == token.GEQ; {
	case bound && !cuts && (other != nil || p.isTag(d, pl)):
		return later
	case cuts && (bound || p.remains(later[0])):
		return append([]value{earlier[0].least(later[0])}, either(earlier[1:], later[1:])...)
	}
	return either(earlier, later)
}

func (p *pkg) isInteger(e ast.Expr) bool {
	b, ok := p.under(e).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// isTag reports whether a definition stands in a switch over the place.
func (p *pkg) isTag(d def, pl place) bool {
	got, ok := p.place(d.guard)
	return ok && got == pl
}

// remains reports whether a value is what a loop's counter has left to go.
func (p *pkg) remains(v value) bool {
	return slices.ContainsFunc(v.dependent(), func(a *atom) bool {
		return slices.ContainsFunc(a.deps, func(d dep) bool { return v[0][0].remainder(d) })
	})
}

// leave turns what changes with the turns of loops that are over into what their number of turns, or
// what they went over, changes with.
func (p *pkg) leave(v value, pl place, d def, at ast.Node) value {
	stmt := d.stmt
	if d.ranged != nil {
		return v
	}
	for _, loop := range p.left(stmt, at) {
		turn := dep{kind: byTurn, loop: loop}
		longest := d.guard != nil && p.mentions(d.guard, pl) || p.isMax(d.rhs)
		v = v.each(func(f form) form {
			return f.replace(func(a *atom) value {
				if !a.on(turn) || a.ragged {
					return of(a)
				}
				type key struct {
					a    *atom
					loop ast.Stmt
				}
				return of(p.atomOf(key{a, loop}, func(b *atom) {
					id := b.id
					*b = *a
					b.id, b.counter = id, false
					b.deps = slices.DeleteFunc(slices.Clone(a.deps), func(d dep) bool { return d == turn })
					if longest {
						b.unsure = false
						b.what = "the longest of " + p.over(loop)
					}
					grows := p.isGrowth(a)
					b.deps = union(b.deps, p.header(loop, grows || a.counter))
				}))
			})
		})
	}
	return v
}

func (p *pkg) isGrowth(a *atom) bool {
	_, ok := a.node.(*ast.AssignStmt)
	_, step := a.node.(*ast.IncDecStmt)
	return ok || step
}

func (p *pkg) isMax(e ast.Expr) bool {
	if e == nil {
		return false
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && p.builtin(call) == "max"
}

// over names what a loop goes over.
func (p *pkg) over(loop ast.Stmt) string {
	if s, ok := loop.(*ast.RangeStmt); ok {
		return types.ExprString(s.X)
	}
	return "a loop's turns"
}

// header is what a loop's number of turns depends on, or the things that it goes over.
func (p *pkg) header(loop ast.Stmt, turns bool) []dep {
	var out []dep
	switch s := loop.(type) {
	case *ast.RangeStmt:
		if !turns {
			return p.deps(s.X)
		}
		return p.changes(s.X)
	case *ast.ForStmt:
		if b, ok := s.Cond.(*ast.BinaryExpr); ok {
			for _, e := range []ast.Expr{b.X, b.Y} {
				for _, d := range p.changes(e) {
					if d.loop != loop {
						out = append(out, d)
					}
				}
			}
		}
	}
	return out
}

// changes lists what an expression's size depends on: of an integer the value, of a text what it says.
func (p *pkg) changes(e ast.Expr) []dep {
	var values []value
	if b, ok := p.under(e).(*types.Basic); ok {
		switch {
		case b.Info()&types.IsString != 0:
			return p.deps(e)
		case b.Info()&types.IsInteger == 0:
			return nil
		}
		values = []value{p.number(e)}
	} else {
		values = p.shape(e)
	}
	var out []dep
	for _, v := range values {
		for _, a := range v.atoms() {
			out = union(out, a.deps)
		}
	}
	return out
}

// source is a statement's text on one line.
func (p *pkg) source(n ast.Node) string {
	switch s := n.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			return types.ExprString(s.Lhs[0]) + " " + s.Tok.String() + " " + types.ExprString(s.Rhs[0])
		}
	case *ast.IncDecStmt:
		return types.ExprString(s.X) + s.Tok.String()
	}
	return ""
}
