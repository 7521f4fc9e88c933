// Package flow follows values through the functions of one package, far enough to say what each
// function does beside computing its results, to what, and which functions an engine traces.
//
// It is an abstract interpreter over typed syntax. Each local variable holds the set of places that
// its value may come from; a call binds the summary of what it calls. Summaries of functions in this
// package are computed together until they stand still, those of other packages arrive as facts.
package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer/internal/budget"
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// How many steps it takes to remember something: what bounds the work bounds the memory too.
const (
	perNews   = 10
	perEffect = 40
)

// pkg is the state of the analysis of one package.
type pkg struct {
	fset    *token.FileSet
	info    *types.Info
	types   *types.Package
	module  string                                  // the path of the package's module, empty if the driver does not say
	imports func(obj types.Object) *summary.Summary // the fact on an object of another package
	engines *engine.Set
	tables  tables
	exempt  func(rule string, fn *types.Func) bool
	steps   *budget.Steps

	units  []*unit
	decls  []*unit // in callee-first order once sorted
	byFunc map[*types.Func]*unit
	byLit  map[*ast.FuncLit]*unit
	index  *index

	heap      heap
	shared    map[*types.Var]value // variables that several units see, and fields: all that was assigned
	loopEnv   map[ast.Stmt]env     // what a loop's body left behind in the pass before
	closures  map[*ast.CallExpr]binding
	orders    map[*unit]*order
	layers    map[*types.Var][]*unit // objects that make their state when first used, and who uses them
	foreign   map[loc]imported
	elsewhere map[foreignKey]*unit // roots in other packages
	wrappers  map[loc]*wrapping
	roots     ordered[rootKey, *root]
	hosts     map[*unit]bool
	rebuilt   ordered[rebuiltKey, *rebuilding]
	loopCalls map[*unit]bool // called from a loop
	impls     map[*types.Func][]*unit
	followed  map[callKey]bool // the calls that the unit under way has followed
	saidHost  func(ast.Node) bool
	ignored   func(rule string, node, stmt ast.Node) bool
	changed   bool
}

// Input is what the analysis of a package reads.
type Input struct {
	Pass    *analysis.Pass
	Files   []*ast.File // those of Pass.Files to analyse
	Engines *engine.Set
	// Tables say what functions of libraries do; the first that knows a function counts.
	Tables []*library.Table
	// Imports gives the fact on an object of another package, nil if there is none.
	Imports func(obj types.Object) *summary.Summary
	// Traced and Host report what comments say of a function declaration or literal.
	Traced, Host func(fn ast.Node) bool
	// Exempt reports whether a rule's effects of calls of a function are accepted.
	Exempt func(rule string, fn *types.Func) bool
	// Steps bounds the work. What was found before they are used up is kept.
	Steps *budget.Steps
}

// Package is the result of the analysis of one package.
type Package struct{ p *pkg }

// Analyze follows the values of a package.
func Analyze(in Input) *Package {
	p := &pkg{
		fset: in.Pass.Fset, info: in.Pass.TypesInfo, types: in.Pass.Pkg,
		imports: in.Imports, engines: in.Engines, tables: in.Tables, exempt: in.Exempt, saidHost: in.Host, steps: in.Steps,
		byFunc: map[*types.Func]*unit{}, byLit: map[*ast.FuncLit]*unit{},
		heap: heap{}, shared: map[*types.Var]value{}, loopEnv: map[ast.Stmt]env{},
		closures: map[*ast.CallExpr]binding{}, orders: map[*unit]*order{}, layers: map[*types.Var][]*unit{}, foreign: map[loc]imported{}, elsewhere: map[foreignKey]*unit{},
		wrappers: map[loc]*wrapping{}, hosts: map[*unit]bool{}, loopCalls: map[*unit]bool{}, impls: map[*types.Func][]*unit{},
	}
	if in.Pass.Module != nil {
		p.module = in.Pass.Module.Path
	}
	p.collectUnits(in.Files)
	p.sortUnits()
	p.index = newIndex(in.Files, p.info, p)
	p.sortDecls()
	for _, u := range p.units {
		switch {
		case in.Host(u.node):
			p.hosts[u] = true
		case in.Traced(u.node):
			p.addRoot(&root{unit: u, annotated: true})
		}
	}
	p.steps.Do(p.settle)
	return &Package{p}
}

// settle interprets all units until their summaries stand still. They only grow, out of finitely many parts.
func (p *pkg) settle() {
	for p.changed = true; p.changed; {
		p.changed = false
		for _, u := range p.decls {
			p.interpret(u)
		}
	}
}

// sortDecls orders the declarations callees first as far as static calls tell, so that most
// summaries are complete when they are needed.
func (p *pkg) sortDecls() {
	var order []*unit
	seen := map[*unit]bool{}
	var visit func(u *unit)
	visit = func(u *unit) {
		if seen[u] {
			return
		}
		seen[u] = true
		for _, callee := range p.mentioned(u) {
			visit(callee)
		}
		order = append(order, u)
	}
	// Initialisers come first: what package variables hold is read everywhere.
	for _, u := range p.decls {
		if u.body == nil {
			visit(u)
		}
	}
	for _, u := range p.decls {
		visit(u)
	}
	p.decls = order
}

// mentioned lists the units that a unit names, in the order in which it does.
func (p *pkg) mentioned(u *unit) []*unit {
	var out []*unit
	ast.Inspect(u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if fn, ok := p.info.Uses[id].(*types.Func); ok {
				if callee := p.byFunc[fn.Origin()]; callee != nil {
					out = append(out, callee)
				}
			}
		}
		return true
	})
	return out
}

// interpret runs a declaration's body once over the state of the passes before.
func (p *pkg) interpret(u *unit) {
	p.followed = map[callKey]bool{}
	f := &frame{p: p, u: u, env: env{}}
	if gen, ok := u.node.(*ast.GenDecl); ok {
		f.varDecl(gen)
		return
	}
	f.body()
}

// share adds v to what a variable or field that several units see may hold.
func (p *pkg) share(obj *types.Var, v value) {
	old := p.shared[obj]
	now := old.with(v...)
	if len(now) > len(old) {
		p.shared[obj] = now
		p.changed = true
	}
}

// store writes to the heap and notes whether that is news.
func (p *pkg) store(l loc, segment string, v value) {
	if p.heap.store(l, segment, v) {
		p.changed = true
		p.steps.Take(perNews)
	}
}

// born reports whether the memory at l exists only since a run of u began, or is part of u's callee.
func (p *pkg) born(l loc, u *unit) bool {
	if l.kind == param {
		return l.unit != u && l.unit.within(u)
	}
	return l.unit != nil && l.unit.within(u)
}
