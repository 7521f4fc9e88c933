package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// place is a variable, or a field below one.
type place struct {
	root *types.Var
	path string // ".tokens"
}

// place is the place that an expression names, ok is false if it names none.
func (p *pkg) place(e ast.Expr) (pl place, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := p.info.ObjectOf(e).(*types.Var)
		return place{root: v}, ok && !v.IsField()
	case *ast.StarExpr:
		return p.place(e.X)
	case *ast.SelectorExpr:
		if p.info.Selections[e] == nil { // a variable of another package
			v, ok := p.info.Uses[e.Sel].(*types.Var)
			return place{root: v}, ok
		}
		if _, ok := p.info.Uses[e.Sel].(*types.Var); !ok {
			return place{}, false
		}
		pl, ok = p.place(e.X)
		pl.path += "." + e.Sel.Name
		return pl, ok
	}
	return place{}, false
}

// def is a statement that may have given a place the value that it has somewhere.
type def struct {
	stmt  ast.Node
	rhs   ast.Expr // nil if what is assigned is not known
	index int      // of the result that is assigned, of several
	tok   token.Token
	// guard is the condition under which it runs, nil if it always does.
	guard ast.Expr
	// back is the loop whose next turn it leads to.
	back ast.Stmt
	// ranged is set for what a range statement defines.
	ranged *ast.RangeStmt
	// call is set for what a called method does to a field; stmt is the method's.
	call *ast.CallExpr
	// entry: the value from before the function.
	entry bool
}

// reader collects the definitions of a place that reach a node.
type reader struct {
	p    *pkg
	pl   place
	defs []def
}

// reaching lists the definitions of a place that reach a node, the last one first.
func (p *pkg) reaching(pl place, at ast.Node) []def {
	r := &reader{p: p, pl: pl}
	r.from(at)
	return r.defs
}

func (r *reader) add(d def) {
	same := func(have def) bool { return have.stmt == d.stmt && have.entry == d.entry && have.call == d.call }
	if !slices.ContainsFunc(r.defs, same) {
		r.defs = append(r.defs, d)
	}
}

// from climbs from a node through the statements that run before it.
func (r *reader) from(at ast.Node) {
	n := at
	for {
		parent := r.p.parents[n]
		switch up := parent.(type) {
		case *ast.BlockStmt:
			if r.before(up.List, n) {
				return
			}
		case *ast.CaseClause:
			if r.before(up.Body, n) {
				return
			}
		case *ast.CommClause:
			if r.before(up.Body, n) || up.Comm != nil && n != up.Comm && r.stmt(up.Comm, nil, nil) {
				return
			}
		case *ast.IfStmt:
			if n != up.Init && up.Init != nil && r.stmt(up.Init, nil, nil) {
				return
			}
		case *ast.SwitchStmt:
			if n != up.Init && up.Init != nil && r.stmt(up.Init, nil, nil) {
				return
			}
		case *ast.ForStmt:
			if n == up.Init {
				break
			}
			stop := n == up.Post && r.list(up.Body.List, nil, nil)
			if !stop && (up.Post == nil || !r.stmt(up.Post, nil, up)) {
				r.list(up.Body.List, nil, up)
			}
			if stop || up.Init != nil && r.stmt(up.Init, nil, nil) {
				return
			}
		case *ast.RangeStmt:
			if n == up.Body {
				if r.ranged(up) {
					return
				}
				r.list(up.Body.List, nil, up)
			}
		case *ast.FuncLit:
			if r.pl.root.Pos() >= up.Pos() && r.pl.root.Pos() < up.End() || !r.p.inline(up) {
				r.add(def{entry: true, stmt: up})
				return
			}
		case *ast.FuncDecl, nil:
			r.add(def{entry: true, stmt: parent})
			return
		}
		n = parent
	}
}

// before collects from the statements of a list before n, and reports whether one always defines.
func (r *reader) before(list []ast.Stmt, n ast.Node) bool {
	i := slices.IndexFunc(list, func(s ast.Stmt) bool { return s == n })
	return i >= 0 && r.list(list[:i], nil, nil)
}

func (r *reader) list(list []ast.Stmt, guard ast.Expr, back ast.Stmt) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if r.stmt(list[i], guard, back) {
			return true
		}
	}
	return false
}

// stmt collects from one statement, and reports whether it always defines the place.
func (r *reader) stmt(s ast.Stmt, guard ast.Expr, back ast.Stmt) bool {
	r.p.steps.Take(1)
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s, guard, back)
	case *ast.IncDecStmt:
		if r.is(s.X) {
			r.add(def{stmt: s, rhs: s.X, tok: s.Tok, guard: guard, back: back})
			return true
		}
	case *ast.DeclStmt:
		return r.declared(s, guard, back)
	case *ast.BlockStmt:
		return r.list(s.List, guard, back)
	case *ast.LabeledStmt:
		return r.stmt(s.Stmt, guard, back)
	case *ast.IfStmt:
		then := leaves(s.Body.List) || r.list(s.Body.List, s.Cond, back)
		otherwise := s.Else != nil && (leavesStmt(s.Else) || r.stmt(s.Else, s.Cond, back))
		if then && otherwise && !(leaves(s.Body.List) && leavesStmt(s.Else)) {
			return true
		}
		return s.Init != nil && r.stmt(s.Init, guard, back)
	case *ast.SwitchStmt:
		return r.clauses(s.Body, s.Tag, back) || s.Init != nil && r.stmt(s.Init, guard, back)
	case *ast.TypeSwitchStmt:
		return r.clauses(s.Body, nil, back)
	case *ast.SelectStmt:
		return r.clauses(s.Body, nil, back)
	case *ast.ForStmt:
		if s.Post != nil {
			r.stmt(s.Post, nil, s)
		}
		r.list(s.Body.List, nil, s)
		return s.Init != nil && r.stmt(s.Init, guard, back)
	case *ast.RangeStmt:
		r.ranged(s)
		r.list(s.Body.List, nil, s)
	case *ast.ExprStmt:
		return r.touched(s, s.X, back)
	}
	return false
}

func (r *reader) is(e ast.Expr) bool {
	pl, ok := r.p.place(e)
	return ok && pl == r.pl
}

func (r *reader) assign(s *ast.AssignStmt, guard ast.Expr, back ast.Stmt) bool {
	for i, lhs := range s.Lhs {
		if r.is(lhs) {
			d := def{stmt: s, tok: s.Tok, guard: guard, back: back}
			if len(s.Rhs) == len(s.Lhs) {
				d.rhs = s.Rhs[i]
			} else {
				d.rhs, d.index = s.Rhs[0], i
			}
			r.add(d)
			return true
		}
		if pl, ok := r.p.place(lhs); ok && pl.root == r.pl.root && pl.path == "" {
			// The struct is replaced as a whole.
			d := def{stmt: s, guard: guard, back: back}
			if len(s.Rhs) == len(s.Lhs) {
				d.rhs = fieldOf(s.Rhs[i], r.pl.path)
			}
			r.add(d)
			return true
		}
	}
	for _, rhs := range s.Rhs {
		if r.touched(s, rhs, back) {
			return true
		}
	}
	return false
}

// fieldOf is what a composite literal gives the field at a path, nil if that is not known.
func fieldOf(e ast.Expr, path string) ast.Expr {
	if ref, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		e = ref.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); ok && "."+key.Name == path {
			return kv.Value
		}
	}
	return nil
}

func (r *reader) declared(s *ast.DeclStmt, guard ast.Expr, back ast.Stmt) bool {
	gen, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return false
	}
	for _, spec := range gen.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range vs.Names {
			if r.p.info.Defs[name] != r.pl.root {
				continue
			}
			d := def{stmt: vs, tok: token.VAR, guard: guard, back: back}
			switch {
			case len(vs.Values) == len(vs.Names):
				d.rhs = vs.Values[i]
			case len(vs.Values) == 1:
				d.rhs, d.index = vs.Values[0], i
			}
			if r.pl.path != "" && d.rhs != nil {
				d.rhs = fieldOf(d.rhs, r.pl.path)
			}
			r.add(d)
			return true
		}
	}
	return false
}

func (r *reader) ranged(s *ast.RangeStmt) bool {
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && r.is(e) {
			r.add(def{stmt: s, ranged: s, index: i})
			return true
		}
	}
	return false
}

// clauses collects from the clauses of a switch or select.
func (r *reader) clauses(body *ast.BlockStmt, tag ast.Expr, back ast.Stmt) bool {
	all, exhaustive := true, false
	for _, clause := range body.List {
		switch c := clause.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			guard := tag
			if guard == nil && len(c.List) > 0 {
				guard = c.List[0]
			}
			if !leaves(c.Body) {
				all = r.list(c.Body, guard, back) && all
			}
		case *ast.CommClause:
			exhaustive = true
			defined := c.Comm != nil && r.stmt(c.Comm, nil, back)
			all = (defined || leaves(c.Body) || r.list(c.Body, nil, back)) && all
		}
	}
	return all && exhaustive
}

// touched reports whether an expression may change the place through its address: what it holds then is
// not known.
func (r *reader) touched(s ast.Stmt, e ast.Expr, back ast.Stmt) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if ref, ok := n.(*ast.UnaryExpr); ok && ref.Op == token.AND {
			pl, ok := r.p.place(ref.X)
			found = found || ok && pl.root == r.pl.root
		}
		return !found
	})
	if found {
		r.add(def{stmt: s, back: back})
		return true
	}
	if r.pl.path == "" {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if grown := r.p.fieldChange(call, r.pl); grown != nil {
				r.add(def{stmt: grown, call: call, back: back})
				found = true
			}
		}
		return !found
	})
	return found
}

// leaves reports whether a list of statements ends by leaving its block.
func leaves(list []ast.Stmt) bool { return len(list) > 0 && leavesStmt(list[len(list)-1]) }

func leavesStmt(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.BlockStmt:
		return leaves(s.List)
	case *ast.IfStmt:
		return s.Else != nil && leaves(s.Body.List) && leavesStmt(s.Else)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}
