package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/flow"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Package is the result of the analysis of one package.
type Package struct{ p *pkg }

// Analyze looks for calls whose signature keeps changing.
func Analyze(in Input) *Package {
	p := newPkg(in)
	p.steps.Do(func() {
		p.collectWrappers(in.Files)
		p.collectKeyed(in.Files)
		p.carryKeyed()
	})
	p.steps.Do(func() {
		for _, u := range p.units {
			if _, declared := u.node.(*ast.FuncDecl); declared {
				p.dtypes(u)
			}
		}
	})
	p.steps.Do(func() {
		p.freshKeys(in.Files)
		p.raggedBatches(in.Files)
	})
	return &Package{p}
}

// Findings lists what was found, in no particular order.
func (pk *Package) Findings() []flow.Finding { return pk.p.found }

// Facts gives what the package's exported functions, variables and fields have to do with the keys of
// caches.
func (pk *Package) Facts(export func(types.Object, summary.Keys)) {
	pk.p.steps.Do(func() { pk.p.facts(export) })
}

func (p *pkg) facts(export func(types.Object, summary.Keys)) {
	for _, u := range p.units {
		if u.obj == nil || !u.obj.Exported() || p.inTest(u.node) {
			continue
		}
		keys := summary.Keys{Sizes: p.sizes(u), Wrapper: p.setUp(u.obj).fact()}
		for _, k := range u.keyed {
			if p.ignored(summary.ShapeChurn, k.call, p.stmtOf(k.call)) {
				continue
			}
			keys.Calls = append(keys.Calls, k.fact())
		}
		if !keys.Empty() {
			export(u.obj, keys)
		}
	}
	for obj := range p.wrappers.own {
		if v, ok := obj.(*types.Var); ok && v.Exported() && v.Pkg() == p.types && (v.IsField() || v.Parent() == p.types.Scope()) {
			if w := p.setUp(v).fact(); w != nil {
				export(v, summary.Keys{Wrapper: w})
			}
		}
	}
}

// sizes says which results' sizes change with which parameters.
func (p *pkg) sizes(u *unit) []summary.Size {
	var out []summary.Size
	for i := range u.sig.Results().Len() {
		p.fuel = maxFuel
		size := summary.Size{Result: i}
		for _, v := range p.results(u, i) {
			for _, a := range v.atoms() {
				for _, d := range a.deps {
					if d.kind == byParam && !slices.Contains(size.Params, d.param) && !a.ragged {
						size.Params = append(size.Params, d.param)
						size.Contents = size.Contents || a.param == nil
					}
				}
			}
		}
		if len(size.Params) > 0 {
			out = append(out, size)
		}
	}
	return out
}

// report notes a finding in host code.
func (p *pkg) report(rule, what, engineName string, chain []summary.Step, node ast.Node) {
	if p.traced(node.Pos()) {
		return
	}
	f := flow.Finding{Rule: rule, What: what, Engine: engineName, Chain: chain, Node: node, Stmt: p.stmtOf(node)}
	for n := node; n != nil; n = p.parents[n] {
		if decl, ok := n.(*ast.FuncDecl); ok {
			f.In, _ = p.info.Defs[decl.Name].(*types.Func)
		}
	}
	p.found = append(p.found, f)
}

// stmtOf is the innermost statement around a node, the node itself if there is none.
func (p *pkg) stmtOf(node ast.Node) ast.Node {
	for n := node; n != nil; n = p.parents[n] {
		if stmt, ok := n.(ast.Stmt); ok {
			return stmt
		}
	}
	return node
}

func (p *pkg) inTest(n ast.Node) bool {
	return strings.HasSuffix(p.fset.Position(n.Pos()).Filename, "_test.go")
}

// hostCalls visits the calls that host code makes.
func (p *pkg) hostCalls(files []*ast.File, visit func(*ast.CallExpr)) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && !p.traced(call.Pos()) {
				visit(call)
			}
			return true
		})
	}
}

// shortPos is a node's file and line, as messages show it.
func (p *pkg) shortPos(pos token.Pos) string {
	at := p.fset.Position(pos)
	name := at.Filename[strings.LastIndexAny(at.Filename, `/\`)+1:]
	return name + ":" + strconv.Itoa(at.Line)
}
