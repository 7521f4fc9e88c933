package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// hoisting moves a wrapper out of all loops around it.
type hoisting struct {
	*Suggester
	src    *source
	call   *ast.CallExpr
	known  *engine.Func
	turns  turns    // of the outermost loop
	before ast.Node // the statement before which the wrapper goes: the loop, or the label on it
	scope  ast.Node // the block in which the loop stands
	decl   *ast.FuncDecl
}

// hoist moves a wrapper that a loop builds in each turn to before the loop.
func (s *Suggester) hoist(src *source, at inspector.Cursor) *analysis.SuggestedFix {
	call, ok := at.Node().(*ast.CallExpr)
	if !ok || s.hasEffects(call) {
		return nil
	}
	h := &hoisting{Suggester: s, src: src, call: call, known: s.known(call), decl: declAround(at)}
	if h.known == nil || h.decl == nil || !h.findLoop(at) {
		return nil
	}
	if h.known.Kind == engine.Once {
		return h.runOnce()
	}
	whole, method := h.configured(at)
	if !h.turns.same(whole.Node().(ast.Expr)) {
		return nil
	}
	if method.Valid() {
		return h.chained(whole, method)
	}
	return h.declared(whole)
}

// hasEffects reports whether the function that a call wraps does anything beside building the graph, which
// it would do once instead of in each turn.
func (s *Suggester) hasEffects(call *ast.CallExpr) bool {
	for _, reached := range s.calls.reach(call) {
		for _, f := range s.found {
			if f.Rule != summary.Rewrap && within(f.Node.Pos(), reached) {
				return true
			}
		}
	}
	return false
}

// findLoop finds the outermost loop around the call inside the same function. It fails if a turn may do
// without the call: a wrapper that is not needed may lack a backend.
func (h *hoisting) findLoop(at inspector.Cursor) bool {
	var loop inspector.Cursor
	inBody, maybe := false, false
	for c := range at.Enclosing() {
		switch n := c.Node().(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return inBody && h.place(loop)
		case *ast.ForStmt, *ast.RangeStmt:
			if maybe {
				return false
			}
			loop = c
		case *ast.CaseClause, *ast.CommClause:
			maybe = true
		case *ast.BinaryExpr:
			maybe = maybe || n.Op == token.LAND || n.Op == token.LOR
		}
		switch c.ParentEdgeKind() {
		case edge.ForStmt_Body, edge.RangeStmt_Body:
			inBody = true
		case edge.ForStmt_Init, edge.ForStmt_Cond, edge.ForStmt_Post, edge.RangeStmt_X:
			inBody = false
		case edge.IfStmt_Body, edge.IfStmt_Else:
			maybe = true
		case edge.GoStmt_Call, edge.DeferStmt_Call:
			return false
		}
	}
	return false
}

// place finds where something before the loop goes.
func (h *hoisting) place(loop inspector.Cursor) bool {
	h.turns = turns{h.Suggester, loop, h.decl}
	before := loop
	for before.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		before = before.Parent()
	}
	switch before.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return false
	}
	h.before, h.scope = before.Node(), before.Parent().Node()
	_, alone := h.src.indent(h.before.Pos())
	return alone && !h.jumpedTo()
}

// jumpedTo reports whether the function has a goto, which may not jump over a declaration.
func (h *hoisting) jumpedTo() bool {
	found := false
	ast.Inspect(h.decl, func(n ast.Node) bool {
		branch, ok := n.(*ast.BranchStmt)
		found = found || ok && branch.Tok == token.GOTO
		return !found
	})
	return found
}

// configured climbs from the constructor over the calls that set the wrapper up, up to one that calls it.
func (h *hoisting) configured(at inspector.Cursor) (whole, method inspector.Cursor) {
	for at.ParentEdgeKind() == edge.SelectorExpr_X && at.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
		call := at.Parent().Parent()
		known := h.Suggester.known(call.Node().(*ast.CallExpr))
		if known == nil {
			break
		}
		if known.Kind == engine.Call {
			return at, call
		}
		if known.Kind != engine.Configure {
			break
		}
		at = call
	}
	return at, inspector.Cursor{}
}

// runOnce replaces a run-once helper by a wrapper: MustExecOnce(backend, fn, x) to MustNewExec(backend, fn)
// before the loop and MustExec1(x) in it.
func (h *hoisting) runOnce() *analysis.SuggestedFix {
	helper := h.callee(h.call)
	fun, isSelector := h.call.Fun.(*ast.SelectorExpr)
	if !isSelector || len(h.known.Traced) != 1 || len(h.call.Args) <= h.known.Traced[0] {
		return nil
	}
	made, ok := helper.Pkg().Scope().Lookup("MustNewExec").(*types.Func)
	if !ok {
		return nil
	}
	method := firstMethod(made, callsLike(helper.Name())...)
	if method == "" || firstMethod(made, "Finalize") == "" {
		return nil
	}
	first := h.known.Traced[0] + 1
	setUp, inputs := h.call.Args[:first], h.call.Args[first:]
	if !h.steady(h.call, inputs) || slices.ContainsFunc(setUp, func(e ast.Expr) bool { return !h.turns.same(e) }) {
		return nil
	}
	end := h.call.Rparen
	if len(inputs) > 0 {
		end = inputs[0].Pos()
	}
	if len(h.src.comments(h.call.Pos(), setUp[0].Pos())) > 0 || len(h.src.comments(setUp[first-1].End(), end)) > 0 {
		return nil
	}
	name := h.fresh(h.src, h.decl, "exec")
	text := name + " := " + h.src.of(fun.X) + ".MustNewExec(" + h.src.between(setUp[0].Pos(), setUp[first-1].End()) + ")"
	return &analysis.SuggestedFix{Message: "Build a wrapper once, before the loop", TextEdits: []analysis.TextEdit{
		h.insert(h.line(text, h.call) + h.line("defer "+name+".Finalize()", h.call)),
		replace(h.call.Pos(), end, name+"."+method+"("),
	}}
}

// callsLike are the methods of a wrapper that do to its function what a run-once helper does, those of
// newer versions first.
func callsLike(helper string) []string {
	switch helper {
	case "MustExecOnce", "MustCallOnce":
		return []string{"MustCall1", "MustExec1"}
	case "MustExecOnceN", "MustCallOnceN":
		return []string{"MustCall", "MustExec"}
	}
	return nil // an error of the constructor would become a panic
}

// firstMethod is the first of some methods that the wrapper of a constructor has, empty if it has none.
func firstMethod(constructor *types.Func, names ...string) string {
	results := constructor.Signature().Results()
	if results.Len() != 1 {
		return ""
	}
	for _, name := range names {
		obj, _, _ := types.LookupFieldOrMethod(results.At(0).Type(), false, constructor.Pkg(), name)
		if _, ok := obj.(*types.Func); ok {
			return name
		}
	}
	return ""
}

// steady reports whether the inputs of a call have one signature in all turns, so that they fit into the
// wrapper's cache.
func (h *hoisting) steady(call *ast.CallExpr, inputs []ast.Expr) bool {
	return !call.Ellipsis.IsValid() && !slices.ContainsFunc(inputs, func(e ast.Expr) bool { return !h.turns.sameShape(e) })
}

// steadyCall is steady for a call of the wrapper.
func (h *hoisting) steadyCall(call *ast.CallExpr) bool {
	known := h.Suggester.known(call)
	if known == nil || known.Kind != engine.Call || known.Inputs == nil || *known.Inputs > len(call.Args) {
		return false
	}
	return h.steady(call, call.Args[*known.Inputs:])
}

// chained moves a wrapper that is called where it is built: MustNewExec(...).MustExec1(x).
func (h *hoisting) chained(whole, method inspector.Cursor) *analysis.SuggestedFix {
	call := method.Node().(*ast.CallExpr)
	if !h.steadyCall(call) {
		return nil
	}
	name := h.fresh(h.src, h.decl, "exec")
	text := h.line(name+" := "+h.src.of(whole.Node()), whole.Node())
	if h.finalizable(whole.Node().(ast.Expr), []*ast.CallExpr{call}) {
		text += h.line("defer "+name+".Finalize()", whole.Node())
	}
	return &analysis.SuggestedFix{Message: "Build the wrapper once, before the loop", TextEdits: []analysis.TextEdit{
		h.insert(text), replace(whole.Node().Pos(), whole.Node().End(), name),
	}}
}

// finalizable reports whether a wrapper may be finalized when the function ends: none of its calls gives
// out more than tensors.
func (h *hoisting) finalizable(wrapper ast.Expr, calls []*ast.CallExpr) bool {
	t := h.info.TypeOf(wrapper)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, h.pass.Pkg, "Finalize")
	finalize, ok := obj.(*types.Func)
	return ok && finalize.Signature().Params().Len() == 0 && !slices.ContainsFunc(calls, func(call *ast.CallExpr) bool {
		return strings.Contains(h.callee(call).Name(), "WithGraph")
	})
}

// line is text that a node gave, as lines before the loop.
func (h *hoisting) line(text string, from ast.Node) string {
	to, _ := h.src.indent(h.before.Pos())
	line := h.src.between(h.src.lineStart(from.Pos()), from.Pos())
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return to + reindent(text, indent, to) + "\n"
}

// insert is the edit that puts lines before the loop and its comment.
func (h *hoisting) insert(lines string) analysis.TextEdit {
	pos := h.src.withLead(h.before.Pos())
	return replace(pos, pos, lines)
}
