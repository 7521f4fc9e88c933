package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// overflows reports a call that has more signatures than the wrapper's cache holds.
func (p *pkg) overflows(call *ast.CallExpr, known *engine.Func, obj types.Object, opts options, inputs []input) bool {
	size := opts.size
	if !opts.sized {
		size = p.engines.CacheSize(known.Engine)
	}
	if size == 0 || !opts.made || obj == nil {
		return false
	}
	count := int64(1)
	for _, loop := range p.loops(call) {
		if p.remade(obj, loop) {
			break
		}
		turns := p.turns(loop)
		if turns == 0 || !p.always(call, loop) {
			break
		}
		if slices.ContainsFunc(inputs, func(in input) bool { return p.distinct(in, loop) }) {
			count *= turns
		}
	}
	if count <= int64(size) {
		return false
	}
	what := fmt.Sprintf("%s is called with %d signatures in this loop, but its cache holds %d: call %d fails",
		types.ExprString(call.Fun), count, size, size+1)
	p.report(summary.CacheBound, what, known.Engine, nil, call)
	return true
}

// distinct reports whether a dimension of an input is another one in each turn of a loop.
func (p *pkg) distinct(in input, loop ast.Stmt) bool {
	return slices.ContainsFunc(in.dims, func(v value) bool {
		if len(v) != 1 && !onlyGrowth(v) {
			return false
		}
		f := v[len(v)-1]
		if len(f) != 1 || len(f[0].terms) == 0 {
			return false
		}
		changing := 0
		for _, t := range f[0].terms {
			if len(t.atom.deps) == 0 {
				continue
			}
			changing++
			if len(t.atom.deps) != 1 || !t.atom.on(dep{kind: byTurn, loop: loop}) || !(t.atom.counter || p.steady(t.atom, loop)) {
				return false
			}
		}
		return changing == 1
	})
}

// onlyGrowth reports whether a value is a first length or what growth made of it.
func onlyGrowth(v value) bool {
	return len(v) == 2 && len(v[0]) == 1 && v[0][0].fixed()
}

// steady reports whether an atom grows in each turn of a loop, whatever happens.
func (p *pkg) steady(a *atom, loop ast.Stmt) bool {
	s, ok := a.node.(*ast.AssignStmt)
	return ok && p.isGrowth(a) && p.always(s, loop)
}

// turns is the number of turns that a loop is bound to have, 0 if that is not known.
func (p *pkg) turns(loop ast.Stmt) int64 {
	switch s := loop.(type) {
	case *ast.RangeStmt:
		p.fuel = maxFuel
		if b, ok := p.under(s.X).(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return constantOf(p.number(s.X))
		}
		if t, ok := p.under(s.X).(*types.Array); ok {
			return t.Len()
		}
		if _, ok := p.under(s.X).(*types.Slice); ok {
			if dims := p.shape(s.X); len(dims) > 0 {
				return constantOf(dims[0])
			}
		}
	case *ast.ForStmt:
		return p.countedTurns(s)
	}
	return 0
}

func constantOf(v value) int64 {
	if len(v) == 1 && len(v[0]) == 1 && len(v[0][0].terms) == 0 {
		return max(v[0][0].constant, 0)
	}
	return 0
}

func (p *pkg) countedTurns(s *ast.ForStmt) int64 {
	init, ok := s.Init.(*ast.AssignStmt)
	cond, isBinary := s.Cond.(*ast.BinaryExpr)
	if !ok || !isBinary || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return 0
	}
	pl, ok := p.place(init.Lhs[0])
	if got, isPlace := p.place(cond.X); !ok || !isPlace || got != pl {
		return 0
	}
	p.fuel = maxFuel
	from, to := p.number(init.Rhs[0]), p.number(cond.Y)
	if len(from) != 1 || len(to) != 1 || len(from[0][0].terms) > 0 || len(to[0][0].terms) > 0 {
		return 0
	}
	step := int64(1)
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		if post.Tok == token.DEC {
			step = -1
		}
	case *ast.AssignStmt:
		if post.Tok != token.ADD_ASSIGN && post.Tok != token.SUB_ASSIGN {
			return 0
		}
		by := p.number(post.Rhs[0])
		if len(by) != 1 || len(by[0][0].terms) > 0 || by[0][0].constant == 0 {
			return 0
		}
		step = by[0][0].constant
		if post.Tok == token.SUB_ASSIGN {
			step = -step
		}
	default:
		return 0
	}
	span := to[0][0].constant - from[0][0].constant
	switch cond.Op {
	case token.LSS, token.GTR, token.NEQ:
	case token.LEQ:
		span++
	case token.GEQ:
		span--
	default:
		return 0
	}
	if span*step <= 0 {
		return 0
	}
	return (abs(span) + abs(step) - 1) / abs(step)
}

func abs(n int64) int64 { return max(n, -n) }

// always reports whether each turn of a loop runs a node, and no turn but the last one leaves it.
func (p *pkg) always(n ast.Node, loop ast.Stmt) bool {
	for child := n; child != nil && child != ast.Node(loop); child = p.parents[child] {
		switch up := p.parents[child].(type) {
		case *ast.IfStmt:
			if child != up.Init && child != ast.Node(up.Cond) {
				return false
			}
		case *ast.CaseClause, *ast.CommClause, *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if (up.Op == token.LAND || up.Op == token.LOR) && child == ast.Node(up.Y) {
				return false
			}
		}
	}
	leaving := false
	ast.Inspect(loop, func(inner ast.Node) bool {
		switch s := inner.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			leaving = true
		case *ast.ReturnStmt:
			leaving = leaving || !p.onError(s)
		}
		return !leaving
	})
	return !leaving
}

// onError reports whether a statement runs only where an error is not nil.
func (p *pkg) onError(s ast.Node) bool {
	block := p.parents[s]
	cond, ok := p.parents[block].(*ast.IfStmt)
	if !ok || cond.Body != block {
		return false
	}
	b, ok := cond.Cond.(*ast.BinaryExpr)
	return ok && b.Op == token.NEQ && p.info.Types[b.Y].IsNil()
}
