package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// declared moves the declaration of a wrapper, with the check of its error and its deferred Finalize:
//
//	exec, err := graph.NewExec(backend, fn)
//	if err != nil {
//		return err
//	}
//	defer exec.Finalize()
func (h *hoisting) declared(whole inspector.Cursor) *analysis.SuggestedFix {
	if whole.ParentEdgeKind() != edge.AssignStmt_Rhs {
		return nil
	}
	at := whole.Parent()
	assign := at.Node().(*ast.AssignStmt)
	if assign.Tok != token.DEFINE || len(assign.Rhs) != 1 || at.ParentEdgeKind() != edge.BlockStmt_List {
		return nil
	}
	moved := declaration{hoisting: h, first: assign, last: assign}
	if moved.wrapper = h.defined(assign.Lhs[0]); moved.wrapper == nil {
		return nil
	}
	next, hasNext := at.NextSibling()
	switch {
	case len(assign.Lhs) == 2:
		if moved.err = h.defined(assign.Lhs[1]); moved.err == nil || !hasNext || !moved.checks(next) {
			return nil
		}
		moved.last = next.Node()
		if !moved.errStays(at.Parent()) {
			return nil
		}
		next, hasNext = next.NextSibling()
	case len(assign.Lhs) > 2:
		return nil
	}
	finalized := hasNext && moved.finalizes(next)
	if finalized {
		moved.last = next.Node()
	}
	calls, ok := moved.uses()
	if !ok {
		return nil
	}
	return moved.fix(!finalized && h.finalizable(whole.Node().(ast.Expr), calls))
}

// defined is the variable that an expression on the left declares.
func (h *hoisting) defined(e ast.Expr) *types.Var {
	v, _ := h.info.Defs[identOf(e)].(*types.Var)
	return v
}

// declaration is the declaration of a wrapper in a loop.
type declaration struct {
	*hoisting
	first, last  ast.Node // the statements to move
	wrapper, err *types.Var
}

// checks reports whether a statement leaves the function if the constructor failed, in the same way in
// each turn.
func (d *declaration) checks(at inspector.Cursor) bool {
	stmt, ok := at.Node().(*ast.IfStmt)
	if !ok || stmt.Init != nil || stmt.Else != nil || len(stmt.Body.List) == 0 {
		return false
	}
	cond, ok := stmt.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || d.info.Uses[identOf(cond.X)] != types.Object(d.err) || !d.info.Types[cond.Y].IsNil() {
		return false
	}
	switch last := stmt.Body.List[len(stmt.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		if len(last.Results) == 0 && hasResults(funcAround(at)) {
			return false // they may be the turn's
		}
	case *ast.ExprStmt:
		if call, ok := last.X.(*ast.CallExpr); !ok || !d.ends(call) {
			return false
		}
	default:
		return false
	}
	same := true
	ast.Inspect(stmt.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt, *ast.FuncLit:
			same = false
		case *ast.Ident:
			obj := d.info.Uses[n]
			same = same && (obj == nil || obj == types.Object(d.err) || within(obj.Pos(), stmt) || d.turns.sameObject(obj, stmt))
		}
		return same
	})
	return same
}

// hasResults reports whether a function has results.
func hasResults(fn ast.Node) bool {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Type.Results != nil
	case *ast.FuncLit:
		return fn.Type.Results != nil
	}
	return false
}

// ends reports whether a call never returns.
func (d *declaration) ends(call *ast.CallExpr) bool {
	if name, ok := builtinName(d.info, call); ok {
		return name == "panic"
	}
	fn := d.callee(call)
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "(*testing.common).Fatal", "(*testing.common).Fatalf":
		return true
	}
	return false
}

// errStays reports whether the rest of the block still has an error of its own when this one is gone: it
// declares it anew before it uses it, and reads it.
func (d *declaration) errStays(block inspector.Cursor) bool {
	again, read := false, false
	for c := range block.Preorder((*ast.Ident)(nil)) {
		if id := c.Node().(*ast.Ident); d.info.Uses[id] != types.Object(d.err) || d.moves(id) {
			continue
		}
		target := c.ParentEdgeKind() == edge.AssignStmt_Lhs
		if !again {
			assign, ok := c.Parent().Node().(*ast.AssignStmt)
			if !ok || !target || assign.Tok != token.DEFINE || c.Parent().Parent() != block {
				return false
			}
			again = true
			continue
		}
		read = read || !target
	}
	return !again || read
}

// finalizes reports whether a statement is the deferred Finalize of the wrapper.
func (d *declaration) finalizes(at inspector.Cursor) bool {
	stmt, ok := at.Node().(*ast.DeferStmt)
	if !ok || len(stmt.Call.Args) > 0 {
		return false
	}
	sel, ok := stmt.Call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Finalize" && d.info.Uses[identOf(sel.X)] == types.Object(d.wrapper)
}

// uses lists the calls of the wrapper, and fails if the loop does anything else with it.
func (d *declaration) uses() ([]*ast.CallExpr, bool) {
	var calls []*ast.CallExpr
	for c := range d.turns.loop.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if d.info.Uses[id] != types.Object(d.wrapper) || d.moves(id) {
			continue
		}
		if c.ParentEdgeKind() != edge.SelectorExpr_X || c.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return nil, false
		}
		call := c.Parent().Parent().Node().(*ast.CallExpr)
		if !d.steadyCall(call) {
			return nil, false
		}
		calls = append(calls, call)
	}
	return calls, true
}

// moves reports whether a node is part of what is moved.
func (d *declaration) moves(n ast.Node) bool {
	return d.first.Pos() <= n.Pos() && n.End() <= d.last.End()
}

// fix moves the statements, under other names where theirs would meet others.
func (d *declaration) fix(finalize bool) *analysis.SuggestedFix {
	pos, end, ok := d.src.lines(d.first, d.last)
	if !ok {
		return nil
	}
	renamed := map[types.Object]string{}
	for _, v := range []*types.Var{d.wrapper, d.err} {
		if v != nil && (!d.nameIsFree(v) || !d.names.reserve(d.decl, v.Name())) {
			renamed[v] = d.fresh(d.src, d.decl, v.Name())
		}
	}
	indent, _ := d.src.indent(d.first.Pos())
	to, _ := d.src.indent(d.before.Pos())
	text := reindent(d.renamedText(pos, end, renamed), indent, to)
	if finalize {
		name := d.wrapper.Name()
		if other := renamed[d.wrapper]; other != "" {
			name = other
		}
		text += to + "defer " + name + ".Finalize()\n"
	}
	edits := []analysis.TextEdit{d.insert(text), replace(pos, d.src.blankEnd(pos, end), "")}
	if other := renamed[d.wrapper]; other != "" {
		for c := range d.turns.loop.Preorder((*ast.Ident)(nil)) {
			id := c.Node().(*ast.Ident)
			if d.info.Uses[id] == types.Object(d.wrapper) && !d.moves(id) {
				edits = append(edits, replace(id.Pos(), id.End(), other))
			}
		}
	}
	return &analysis.SuggestedFix{Message: "Build the wrapper once, before the loop", TextEdits: edits}
}

// renamedText is the text of a range with other names for some objects.
func (d *declaration) renamedText(pos, end token.Pos, renamed map[types.Object]string) string {
	var text string
	for c := range d.turns.loop.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if name := renamed[d.info.ObjectOf(id)]; name != "" && pos <= id.Pos() && id.End() <= end {
			text += d.src.between(pos, id.Pos()) + name
			pos = id.End()
		}
	}
	return text + d.src.between(pos, end)
}

// nameIsFree reports whether a variable can keep its name before the loop: nothing of that name is
// declared there, nor used from there on that is declared further out.
func (d *declaration) nameIsFree(v *types.Var) bool {
	scope := d.pass.Pkg.Scope().Innermost(d.before.Pos() - 1) // at its start, the loop's own begins
	if scope == nil || scope.Lookup(v.Name()) != nil {
		return false
	}
	free := true
	ast.Inspect(d.scope, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != v.Name() || id.Pos() < d.before.Pos() {
			return free
		}
		obj := d.info.Uses[id]
		free = free && (obj == nil || obj == types.Object(v) || within(obj.Pos(), d.scope))
		return free
	})
	return free
}
