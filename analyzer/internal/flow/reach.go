package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// reach says how far the value of an expression gets.
type reach uint8

const (
	reachNothing reach = iota // logs and prints alone, or nothing
	reachResult               // the unit's results too, and nothing else
	reachKept                 // something that may reach the graph
)

// clock adds the effect of reading the clock, unless the time reaches logs alone.
func (f *frame) clock(name string, node ast.Node, flags callFlags) {
	e := &effect{rule: summary.Clock, what: name, leaf: node}
	switch f.reach(node) {
	case reachNothing:
		return
	case reachResult:
		e.viaResult = true
		f.emit(e)
		return
	}
	f.bindEffect(e, node, nil, flags)
}

// reach follows the value of a call through local variables.
func (f *frame) reach(node ast.Node) reach {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return reachKept
	}
	r := reacher{f: f, seen: map[*types.Var]bool{}}
	return r.from(call)
}

type reacher struct {
	f    *frame
	seen map[*types.Var]bool
}

// from climbs from an expression to what uses its value.
func (r *reacher) from(e ast.Expr) reach {
	path := r.f.p.index.path(e)
	for i := 1; i < len(path); i++ {
		below := path[i-1]
		switch n := path[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr, *ast.IndexExpr, *ast.UnaryExpr, *ast.SelectorExpr, *ast.BinaryExpr:
			continue
		case *ast.CallExpr:
			if n.Fun == below || r.f.p.info.Types[n.Fun].IsType() {
				continue // a method of the value, or a conversion: its result carries on
			}
			switch r.argument(n) {
			case passes:
				continue
			case ends:
				return reachNothing
			}
			return reachKept
		case *ast.ExprStmt:
			return reachNothing
		case *ast.AssignStmt:
			return r.assigned(n, below)
		case *ast.ValueSpec:
			return r.variables(n.Names)
		case *ast.ReturnStmt:
			return reachResult
		case *ast.IfStmt:
			if n.Cond == below && r.onlyLogs(n) {
				return reachNothing
			}
			return reachKept
		case *ast.CaseClause:
			if s, ok := path[i+2].(*ast.SwitchStmt); ok && below != s.Init && r.clausesOnlyLog(s) {
				return reachNothing
			}
			return reachKept
		default:
			return reachKept
		}
	}
	return reachKept
}

type argumentUse uint8

const (
	keeps argumentUse = iota
	passes
	ends
)

// argument says what a call does with an argument: print it, turn it into its result, or keep it.
func (r *reacher) argument(call *ast.CallExpr) argumentUse {
	if r.f.neverReturns(call) {
		return ends
	}
	fn := r.f.p.staticCallee(call)
	if fn == nil {
		return keeps
	}
	if fn.Pkg() != nil {
		switch path := fn.Pkg().Path(); {
		case path == "time", path == "fmt" && strings.HasPrefix(fn.Name(), "S"), fn.Pkg().Name() == "errors", path == "fmt" && fn.Name() == "Errorf":
			return passes
		case path == "k8s.io/klog", path == "k8s.io/klog/v2": // also behind klog.V, which the table leaves out
			return ends
		}
	}
	for _, action := range r.f.p.tables.Lookup(fn) {
		if action.Verb == library.Print {
			return ends
		}
	}
	if u := r.f.p.byFunc[fn]; u != nil {
		for _, e := range u.effects.all {
			if e.rule == summary.Print {
				return ends
			}
		}
	}
	if s := r.f.p.imports(fn); s != nil {
		for _, e := range s.Effects {
			if e.Rule == summary.Print {
				return ends
			}
		}
	}
	return keeps
}

// assigned follows a value into the local variables that it is assigned to.
func (r *reacher) assigned(n *ast.AssignStmt, below ast.Node) reach {
	var names []*ast.Ident
	for i, lhs := range n.Lhs {
		if len(n.Lhs) == len(n.Rhs) && n.Rhs[i] != below {
			continue
		}
		id, ok := ast.Unparen(lhs).(*ast.Ident)
		if !ok {
			return reachKept
		}
		names = append(names, id)
	}
	return r.variables(names)
}

func (r *reacher) variables(names []*ast.Ident) reach {
	most := reachNothing
	for _, name := range names {
		if name.Name == "_" {
			continue
		}
		v, ok := r.f.p.info.ObjectOf(name).(*types.Var)
		if !ok || !r.f.p.index.local(v) {
			return reachKept
		}
		if r.seen[v] {
			continue
		}
		r.seen[v] = true
		if named := r.f.u.sig; named != nil {
			for result := range named.Results().Variables() {
				if result == v {
					most = max(most, reachResult)
				}
			}
		}
		for _, use := range r.f.p.index.uses[v] {
			if use == name || r.onlyAssigned(use) {
				continue
			}
			most = max(most, r.from(use))
		}
	}
	return most
}

// onlyAssigned reports whether a use is the target of an assignment.
func (r *reacher) onlyAssigned(use *ast.Ident) bool {
	path := r.f.p.index.path(use)
	if len(path) < 2 {
		return false
	}
	assign, ok := path[1].(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN {
		return false
	}
	for _, lhs := range assign.Lhs {
		if lhs == use {
			return true
		}
	}
	return false
}

// onlyLogs reports whether an if statement does nothing but print.
func (r *reacher) onlyLogs(n *ast.IfStmt) bool {
	return n.Else == nil && r.onlyLog(n.Body.List)
}

// clausesOnlyLog reports whether the clauses of a switch do nothing but print.
func (r *reacher) clausesOnlyLog(s *ast.SwitchStmt) bool {
	return !slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return !r.onlyLog(c.(*ast.CaseClause).Body) })
}

func (r *reacher) onlyLog(list []ast.Stmt) bool {
	for _, s := range list {
		expr, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := ast.Unparen(expr.X).(*ast.CallExpr)
		if !ok || r.argument(call) != ends {
			return false
		}
	}
	return true
}
