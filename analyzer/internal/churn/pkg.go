// Package churn finds calls of wrappers whose signature keeps changing: dimensions that grow or follow
// the data, dtypes that come one after the other, keys that are new objects each time.
//
// It asks backwards, from a call's arguments through the definitions that reach them, and gives
// dimensions as sums of unknown numbers, so that x[i:i+n] is seen to be n long. What it cannot follow it
// takes to be constant. What a function's callers decide goes to them as part of its summary.
package churn

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/tracelint/tracelint/analyzer/internal/budget"
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// pkg is the state of the analysis of one package.
type pkg struct {
	fset    *token.FileSet
	info    *types.Info
	types   *types.Package
	engines *engine.Set
	imports func(types.Object) *summary.Summary
	traced  func(token.Pos) bool
	ignored func(rule string, node, stmt ast.Node) bool

	parents map[ast.Node]ast.Node
	units   []*unit // in source order
	byNode  map[ast.Node]*unit
	byFunc  map[*types.Func]*unit
	calls   map[*types.Func][]*ast.CallExpr // calls of this package's functions
	lits    map[*types.Var]*unit            // local functions
	fields  map[*types.Var][]*ast.AssignStmt

	atoms    map[any]*atom
	running  map[runKey]bool   // definitions that are being asked for
	depth    map[activeKey]int // how many of a place
	fuel     int
	steps    *budget.Steps
	wrappers wrappers
	found    []flow.Finding
}

// unit is a function: a declaration, or a literal that a local variable holds.
type unit struct {
	node  ast.Node
	body  *ast.BlockStmt
	sig   *types.Signature
	obj   *types.Func // nil for literals
	name  string
	busy  bool // its results are being computed
	sizes map[int][]value
	keyed []*keyed
}

// paramIndex is the index of a variable among the unit's parameters, summary.Recv for the receiver.
func (u *unit) paramIndex(v *types.Var) (int, bool) {
	if u.sig.Recv() != nil && u.sig.Recv() == v {
		return summary.Recv, true
	}
	for i := range u.sig.Params().Len() {
		if u.sig.Params().At(i) == v {
			return i, true
		}
	}
	return 0, false
}

// Input is what the analysis of a package reads.
type Input struct {
	Pass    *analysis.Pass
	Files   []*ast.File
	Engines *engine.Set
	Imports func(types.Object) *summary.Summary
	// Traced reports whether the function around a position is traced: the rules here are about host code.
	Traced func(token.Pos) bool
	// Ignored reports whether a comment has a rule ignored at a node.
	Ignored func(rule string, node, stmt ast.Node) bool
	// Steps bounds the work. What was found before they are used up is kept.
	Steps *budget.Steps
}

func newPkg(in Input) *pkg {
	p := &pkg{
		fset: in.Pass.Fset, info: in.Pass.TypesInfo, types: in.Pass.Pkg, engines: in.Engines, imports: in.Imports, traced: in.Traced, ignored: in.Ignored,
		parents: map[ast.Node]ast.Node{}, byNode: map[ast.Node]*unit{}, byFunc: map[*types.Func]*unit{}, calls: map[*types.Func][]*ast.CallExpr{},
		lits: map[*types.Var]*unit{}, fields: map[*types.Var][]*ast.AssignStmt{},
		atoms: map[any]*atom{}, running: map[runKey]bool{}, depth: map[activeKey]int{}, steps: in.Steps,
	}
	for _, file := range in.Files {
		p.index(file)
	}
	return p
}

// index notes parents, functions, calls and assignments to fields.
func (p *pkg) index(file *ast.File) {
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			p.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if obj, ok := p.info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				u := &unit{node: n, body: n.Body, sig: obj.Signature(), obj: obj, name: n.Name.Name, sizes: map[int][]value{}}
				p.addUnit(u)
				p.byFunc[obj] = u
			}
		case *ast.CallExpr:
			if fn := p.callee(n); fn != nil && fn.Pkg() == p.types {
				p.calls[fn] = append(p.calls[fn], n)
			}
		case *ast.AssignStmt:
			p.indexAssignment(n)
		}
		return true
	})
}

func (p *pkg) addUnit(u *unit) {
	p.units = append(p.units, u)
	p.byNode[u.node] = u
}

func (p *pkg) indexAssignment(n *ast.AssignStmt) {
	for i, lhs := range n.Lhs {
		if pl, ok := p.place(lhs); ok && pl.path == "" && pl.root.Pkg() != nil && pl.root.Parent() == pl.root.Pkg().Scope() {
			p.fields[pl.root] = append(p.fields[pl.root], n)
			continue
		}
		switch lhs := ast.Unparen(lhs).(type) {
		case *ast.SelectorExpr:
			if v, ok := p.info.Uses[lhs.Sel].(*types.Var); ok && v.IsField() {
				p.fields[v.Origin()] = append(p.fields[v.Origin()], n)
			}
		case *ast.Ident:
			v, ok := p.info.Defs[lhs].(*types.Var)
			if !ok || len(n.Lhs) != len(n.Rhs) {
				continue
			}
			if lit, ok := n.Rhs[i].(*ast.FuncLit); ok {
				sig, _ := types.Unalias(p.info.TypeOf(lit)).(*types.Signature)
				u := &unit{node: lit, body: lit.Body, sig: sig, name: lhs.Name, sizes: map[int][]value{}}
				p.addUnit(u)
				p.lits[v] = u
			}
		}
	}
}

// callee is the function or method that a call names, the origin of an instance.
func (p *pkg) callee(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(p.info, call).(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// engineFunc is what a profile says of the function, or the field that holds one, that a call names.
func (p *pkg) engineFunc(call *ast.CallExpr) *engine.Func {
	if fn := p.callee(call); fn != nil {
		return p.engines.Func(fn)
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if v, ok := p.info.Uses[sel.Sel].(*types.Var); ok {
			return p.engines.Var(v)
		}
	}
	return nil
}

// calledUnit is the function of this package that a call runs, nil if it is none.
func (p *pkg) calledUnit(call *ast.CallExpr) *unit {
	if fn := p.callee(call); fn != nil {
		return p.byFunc[fn]
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if v, ok := p.info.Uses[id].(*types.Var); ok {
			return p.lits[v]
		}
	}
	return nil
}

// inline reports whether a literal counts as part of the function around it: it is called at once or
// passed to a function, which may call it in place, other than the engine's.
func (p *pkg) inline(lit *ast.FuncLit) bool {
	call, ok := p.parents[lit].(*ast.CallExpr)
	return ok && p.engineFunc(call) == nil
}

// unitAt is the unit around a node: literals that are part of the function around them are no units.
func (p *pkg) unitAt(n ast.Node) *unit {
	for ; n != nil; n = p.parents[n] {
		switch at := n.(type) {
		case *ast.FuncDecl:
			return p.byNode[at]
		case *ast.FuncLit:
			if !p.inline(at) {
				return p.byNode[at]
			}
		}
	}
	return nil
}

// unitAround is the innermost unit around a position.
func (p *pkg) unitAround(pos token.Pos) *unit {
	var found *unit
	for _, u := range p.units {
		if u.node.Pos() <= pos && pos < u.node.End() && (found == nil || within(u.node, found.node)) {
			found = u
		}
	}
	return found
}

// loops lists the loops that repeat a node, the innermost first.
func (p *pkg) loops(n ast.Node) []ast.Stmt {
	var out []ast.Stmt
	for child := n; child != nil; child = p.parents[child] {
		switch up := p.parents[child].(type) {
		case *ast.ForStmt:
			if child != up.Init && !oneTurn(up.Body) {
				out = append(out, up)
			}
		case *ast.RangeStmt:
			if child == up.Body && !oneTurn(up.Body) {
				out = append(out, up)
			}
		case *ast.FuncLit:
			if !p.inline(up) {
				return out
			}
		case *ast.FuncDecl:
			return out
		}
	}
	return out
}

// oneTurn reports whether a loop's body ends by leaving the loop.
func oneTurn(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	last := body.List[len(body.List)-1]
	branch, ok := last.(*ast.BranchStmt)
	return leavesStmt(last) && !(ok && branch.Tok == token.CONTINUE)
}

// within reports whether n stands inside of outer.
func within(n, outer ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

func (p *pkg) under(e ast.Expr) types.Type {
	t := p.info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return types.Unalias(t).Underlying()
}
