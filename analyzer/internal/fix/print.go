package fix

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

// logNode has the engine log the node that a statement prints: fmt.Println("x", x) to x.SetLogged("x").
// The value then appears at each call.
func (s *Suggester) logNode(src *source, at inspector.Cursor) *analysis.SuggestedFix {
	call, ok := at.Node().(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil
	}
	stmt, ok := at.Parent().Node().(*ast.ExprStmt)
	if !ok || !s.inMainGraph(at) {
		return nil
	}
	fn := s.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	var node ast.Expr
	var message string
	switch fn.FullName() {
	case "fmt.Print", "fmt.Println", "log.Print", "log.Println":
		node, message = s.nodeAndTexts(call.Args)
	case "fmt.Printf", "log.Printf":
		if len(call.Args) == 2 {
			format, _ := s.text(call.Args[0])
			if message, ok = textBeforeVerb(format); ok {
				node = call.Args[1]
			}
		}
	}
	if node == nil || !s.loggable(node) || s.loggedTwice(at, node) || len(src.comments(call.Pos(), call.End())) > 0 {
		return nil
	}
	if message == "" {
		message = types.ExprString(node)
	}
	edits := []analysis.TextEdit{replace(stmt.Pos(), stmt.End(), src.of(node)+".SetLogged("+quote(message)+")")}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			edits = append(s.withoutImport(src, pkg), edits...)
		}
	}
	return &analysis.SuggestedFix{Message: "Log the node's value at each call", TextEdits: edits}
}

// nodeAndTexts gives the only argument that is no constant text and the texts, as one.
func (s *Suggester) nodeAndTexts(args []ast.Expr) (ast.Expr, string) {
	var node ast.Expr
	var texts []string
	for _, arg := range args {
		if text, ok := s.text(arg); ok {
			if text = label(text); text != "" {
				texts = append(texts, text)
			}
			continue
		}
		if node != nil {
			return nil, ""
		}
		node = arg
	}
	return node, strings.Join(texts, " ")
}

// text is the value of a constant string.
func (s *Suggester) text(e ast.Expr) (string, bool) {
	v := s.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// textBeforeVerb is the text of a format that ends with its only verb.
func textBeforeVerb(format string) (string, bool) {
	text, verb, ok := strings.Cut(format, "%")
	switch strings.TrimSpace(verb) {
	case "v", "+v", "s":
		return label(text), ok
	}
	return "", false
}

// label is a text without what joins it to a value.
func label(text string) string { return strings.TrimRight(strings.TrimSpace(text), " :=") }

// quote writes a string literal.
func quote(text string) string { return constant.MakeString(text).ExactString() }

// loggable reports whether an expression is a node that can be told to log, in an expression that a
// selector can follow.
func (s *Suggester) loggable(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
	default:
		return false
	}
	t := s.info.TypeOf(e)
	if t == nil || !s.engines.Symbolic(t) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, s.pass.Pkg, "SetLogged")
	set, ok := obj.(*types.Func)
	return ok && set.Signature().Params().Len() == 1 && types.Identical(set.Signature().Params().At(0).Type(), types.Typ[types.String])
}

// loggedTwice reports whether the function around a print logs, or prints, the same expression also
// elsewhere: a node has one message only.
func (s *Suggester) loggedTwice(at inspector.Cursor, node ast.Expr) bool {
	decl := declAround(at)
	if decl == nil {
		return true
	}
	text, count := types.ExprString(node), 0
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := s.callee(call)
		if fn == nil || fn.Pkg() == nil {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(fn.Name(), "SetLogged") && types.ExprString(sel.X) == text {
			count++
		}
		if path := fn.Pkg().Path(); path == "fmt" || path == "log" {
			for _, arg := range call.Args {
				if types.ExprString(arg) == text {
					count++
				}
			}
		}
		return true
	})
	return count != 1
}

// inMainGraph reports whether the function around a node builds the graph itself and no function inside of
// it, such as a loop's body, whose values cannot be logged.
func (s *Suggester) inMainGraph(at inspector.Cursor) bool {
	for c := range at.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if decl, ok := c.Node().(*ast.FuncDecl); ok {
			fn, _ := s.info.Defs[decl.Name].(*types.Func)
			return fn != nil && !s.inInnerGraph(fn)
		}
		call, ok := c.Parent().Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		known := s.known(call)
		return known != nil && (known.Kind == engine.Wrap || known.Kind == engine.Once)
	}
	return false
}

// inInnerGraph reports whether a function is given to, or called by what is given to, a function of an
// engine that runs it inside the current trace.
func (s *Suggester) inInnerGraph(fn *types.Func) bool {
	for c := range s.root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		if known := s.known(call); known == nil || known.Kind != engine.Inline {
			continue
		}
		inside := false
		for _, arg := range call.Args {
			s.calls.mentions(arg, func(obj types.Object) {
				if used, ok := obj.(*types.Func); ok && used.Origin() == fn {
					inside = true
				}
			})
		}
		if inside {
			return true
		}
	}
	return false
}
