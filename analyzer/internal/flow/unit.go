package flow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// unit is one function body: a declaration or a literal. Package-level initialisers form one more,
// whose body is nil.
type unit struct {
	name   string // as messages show it
	node   ast.Node
	body   *ast.BlockStmt
	sig    *types.Signature
	obj    *types.Func // nil for literals
	recv   *types.Var
	params []*types.Var
	outer  *unit // the unit that a literal stands in
	test   bool  // stands in a _test.go file
	decl   *unit // the outermost unit, itself for declarations
	lits   []*unit

	effects  ordered[effectKey, *effect]
	spread   map[effectKey]int // effects by all but their path
	certain  map[string]bool   // rules of the effects that no caller decides
	calls    ordered[loc, callFlags]
	traces   ordered[loc, traceFlags]
	builds   ordered[token.Pos, *build]
	history  history
	callees  ordered[*unit, bool]
	results  []value
	noReturn bool
	recovers bool
	returns  bool // has a return statement or a reachable end
}

// within reports whether u is outer or a literal nested in it.
func (u *unit) within(outer *unit) bool {
	for ; u != nil; u = u.outer {
		if u == outer {
			return true
		}
	}
	return false
}

// paramIndex is the index of v among u's parameters, summary.Recv for the receiver.
func (u *unit) paramIndex(v *types.Var) (int, bool) {
	if u.recv != nil && u.recv == v {
		return summary.Recv, true
	}
	for i, p := range u.params {
		if p == v {
			return i, true
		}
	}
	return 0, false
}

// paramVar is the variable of a parameter index, nil if it has none.
func (u *unit) paramVar(index int) *types.Var {
	if index == summary.Recv {
		return u.recv
	}
	if index < len(u.params) {
		return u.params[index]
	}
	return nil
}

func newUnit(name string, node ast.Node, body *ast.BlockStmt, sig *types.Signature) *unit {
	u := &unit{name: name, node: node, body: body, sig: sig}
	u.decl = u
	if sig != nil {
		u.recv = sig.Recv()
		for v := range sig.Params().Variables() {
			u.params = append(u.params, v)
		}
		u.results = make([]value, sig.Results().Len())
	}
	return u
}

// collectUnits finds every function of the package, in source order.
func (p *pkg) collectUnits(files []*ast.File) {
	for _, file := range files {
		test := strings.HasSuffix(p.fset.Position(file.FileStart).Filename, "_test.go")
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				obj, ok := p.info.Defs[d.Name].(*types.Func)
				if !ok || d.Body == nil {
					continue
				}
				u := newUnit(p.funcName(obj), d, d.Body, obj.Signature())
				u.obj, u.test = obj, test
				p.addUnit(u)
				p.byFunc[obj] = u
				p.collectLiterals(u, d.Body)
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				u := newUnit("init", d, nil, nil)
				u.test = test
				p.addUnit(u)
				p.collectLiterals(u, d)
			}
		}
	}
}

// sortUnits puts the units in the order of their positions, so that they can be searched.
func (p *pkg) sortUnits() {
	slices.SortStableFunc(p.units, func(a, b *unit) int { return cmp.Compare(a.node.Pos(), b.node.Pos()) })
}

func (p *pkg) addUnit(u *unit) {
	p.units = append(p.units, u)
	if u.outer == nil {
		p.decls = append(p.decls, u)
	}
}

// collectLiterals finds the literals directly in node and, below them, theirs.
func (p *pkg) collectLiterals(outer *unit, node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok || n == outer.node {
			return true
		}
		sig, _ := types.Unalias(p.info.TypeOf(lit)).(*types.Signature)
		if sig == nil {
			return false
		}
		u := newUnit("a function literal in "+outer.decl.name, lit, lit.Body, sig)
		u.outer, u.test, u.decl = outer, outer.test, outer.decl
		if outer.decl.body == nil {
			u.name = "a function literal"
		}
		outer.lits = append(outer.lits, u)
		p.addUnit(u)
		p.byLit[lit] = u
		p.collectLiterals(u, lit.Body)
		return false
	})
}

// funcName shows a function as a reader of the package under analysis would write it: square,
// (*Model).Forward, helper.Deep.
func (p *pkg) funcName(fn *types.Func) string {
	return shortName(fn, p.types)
}

func shortName(fn *types.Func, from *types.Package) string {
	qualify := func(other *types.Package) string {
		if other == from {
			return ""
		}
		return other.Name()
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		if q := qualify(fn.Pkg()); fn.Pkg() != nil && q != "" {
			return q + "." + fn.Name()
		}
		return fn.Name()
	}
	typ := types.TypeString(types.Unalias(recv.Type()), qualify)
	if cut := strings.IndexByte(typ, '['); cut >= 0 {
		typ = typ[:cut]
	}
	if strings.HasPrefix(typ, "*") {
		typ = "(" + typ + ")"
	}
	return typ + "." + fn.Name()
}
