package churn

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// kindOf is the dtype and rank of an argument, as far as its type and making show.
type kindOf struct {
	dtype string // empty if not known
	rank  int    // -1 if not known
}

// typed is one call of a wrapper with what is known of its arguments.
type typed struct {
	call  *ast.CallExpr
	loop  ast.Stmt // the outermost loop around
	kinds []kindOf
}

// dtypes reports the calls by which a wrapper gets a further dtype inside one function, or a further rank
// inside one loop.
func (p *pkg) dtypes(u *unit) {
	if p.inTest(u.node) || p.chooses(u.body) {
		return
	}
	type holder struct{ owner, obj types.Object }
	calls := map[holder][]typed{}
	var order []holder
	ast.Inspect(u.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		known := p.engineFunc(call)
		if known == nil || known.Kind != engine.Call || known.Inputs == nil || call.Ellipsis.IsValid() {
			return true
		}
		obj, opts, ok := p.receiver(call)
		if !ok || obj == nil || p.tracedChooses(opts) {
			return true
		}
		if _, fn := obj.(*types.Func); fn {
			return true // may give another wrapper at each call
		}
		held := holder{obj: obj}
		if pl, ok := p.place(ast.Unparen(call.Fun).(*ast.SelectorExpr).X); ok {
			held.owner = pl.root
		}
		t := typed{call: call}
		if loops := p.loops(call); len(loops) > 0 {
			t.loop = loops[len(loops)-1]
			if p.remade(obj, t.loop) {
				t.loop = nil
			}
		}
		for _, arg := range call.Args[min(*known.Inputs, len(call.Args)):] {
			p.fuel = maxFuel
			t.kinds = append(t.kinds, p.kind(arg))
		}
		if calls[held] == nil {
			order = append(order, held)
		}
		calls[held] = append(calls[held], t)
		return true
	})
	for _, held := range order {
		p.further(calls[held])
	}
}

// further reports each call that adds a dtype, or in a loop a rank.
func (p *pkg) further(calls []typed) {
	for n, t := range calls {
		for i, k := range t.kinds {
			if what := p.adds(calls[:n], t, i, k); what != "" {
				known := p.engineFunc(t.call)
				p.report(summary.TypeChurn, what, known.Engine, nil, t.call)
				break
			}
		}
	}
}

func (p *pkg) adds(earlier []typed, t typed, i int, k kindOf) string {
	var dtypes, ranks []string
	for _, e := range earlier {
		if i >= len(e.kinds) || p.apart(e.call, t.call) || e.kinds[i].dtype == "" {
			continue
		}
		if have := e.kinds[i].dtype; !slices.Contains(dtypes, have) {
			dtypes = append(dtypes, have)
		}
		if e.loop != nil && e.loop == t.loop && e.kinds[i].rank >= 0 {
			ranks = append(ranks, fmt.Sprint(e.kinds[i].rank))
		}
	}
	text := types.ExprString(t.call.Fun)
	if k.dtype != "" && len(dtypes) > 0 && !slices.Contains(dtypes, k.dtype) {
		return fmt.Sprintf("%s traces again for %s, after %s", text, k.dtype, strings.Join(dtypes, " and "))
	}
	if k.rank >= 0 && len(ranks) > 0 && !slices.Contains(ranks, fmt.Sprint(k.rank)) {
		return fmt.Sprintf("%s traces again for rank %d, after %s", text, k.rank, strings.Join(slices.Compact(ranks), " and "))
	}
	return ""
}

// apart reports whether only one of two calls runs: they stand in different branches.
func (p *pkg) apart(a, b ast.Node) bool {
	for child := a; child != nil; child = p.parents[child] {
		switch up := p.parents[child].(type) {
		case *ast.IfStmt:
			if within(b, up) && child == ast.Node(up.Body) && up.Else != nil && within(b, up.Else) {
				return true
			}
			if child == ast.Node(up.Body) && !within(b, up) && leaves(up.Body.List) {
				return true
			}
		case *ast.CaseClause:
			if _, ok := p.parents[up].(*ast.BlockStmt); ok && within(b, p.parents[up]) && !within(b, up) {
				return true
			}
		}
	}
	return false
}

// kind reads an argument's dtype and rank off its type, or off how its tensor is made.
func (p *pkg) kind(e ast.Expr) kindOf {
	if k := typeKind(p.info.TypeOf(e)); k.dtype != "" {
		return k
	}
	unknown := kindOf{rank: -1}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		pl, ok := p.place(e)
		if !ok || !p.spend() {
			return unknown
		}
		defs := p.reaching(pl, e)
		if len(defs) != 1 || defs[0].rhs == nil || defs[0].index > 0 || defs[0].tok == token.ADD_ASSIGN {
			return unknown
		}
		return p.kind(defs[0].rhs)
	case *ast.CallExpr:
		known := p.engineFunc(e)
		if known == nil || known.Kind != engine.Shaped || len(e.Args) == 0 {
			return unknown
		}
		k := typeKind(p.info.TypeOf(e.Args[0]))
		if len(known.Dims) > 0 {
			k.rank = len(e.Args) - known.Dims[0]
			if e.Ellipsis.IsValid() {
				k.rank = -1
			}
		}
		return k
	}
	return unknown
}

// typeKind is the dtype and rank of a Go number or of slices and arrays of them.
func typeKind(t types.Type) kindOf {
	rank := 0
	seen := map[types.Type]bool{} // type T []T has no end
	for t != nil && !seen[t] {
		seen[t] = true
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Slice:
			t, rank = u.Elem(), rank+1
		case *types.Array:
			t, rank = u.Elem(), rank+1
		case *types.Basic:
			if u.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
				return kindOf{rank: -1}
			}
			name := types.Default(u).(*types.Basic).Name()
			if name == "int" { // an engine's int64
				name = "int64"
			}
			return kindOf{name, rank}
		default:
			return kindOf{rank: -1}
		}
	}
	return kindOf{rank: -1}
}

// chooses reports whether code asks for dtypes, ranks or types: it means to handle several.
func (p *pkg) chooses(body ast.Node) bool {
	found := false
	asks := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "DType", "Rank":
					found = true
				}
			}
			return !found
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSwitchStmt:
			found = true
		case *ast.IfStmt:
			asks(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag != nil {
				asks(n.Tag)
			}
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					asks(e)
				}
			}
		}
		return !found
	})
	return found
}

// tracedChooses is chooses for the functions that a wrapper wraps.
func (p *pkg) tracedChooses(opts options) bool {
	for _, fn := range opts.traced {
		switch fn := ast.Unparen(fn).(type) {
		case *ast.FuncLit:
			if p.chooses(fn.Body) {
				return true
			}
		case *ast.Ident, *ast.SelectorExpr:
			if obj, ok := p.holder(fn).(*types.Func); ok && p.byFunc[obj.Origin()] != nil && p.chooses(p.byFunc[obj.Origin()].body) {
				return true
			}
		}
	}
	return false
}
