package fix

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

// panicWithError has a panic with a text carry an error with the same text, which the engine catches.
func (s *Suggester) panicWithError(src *source, at inspector.Cursor) *analysis.SuggestedFix {
	call, ok := at.Node().(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || s.underRecover(at) {
		return nil
	}
	if builtin, ok := builtinName(s.info, call); !ok || builtin != "panic" {
		return nil
	}
	text := call.Args[0]
	if t := types.Unalias(types.Default(s.info.TypeOf(text))); t != types.Typ[types.String] {
		return nil
	}
	if sprintf, ok := ast.Unparen(text).(*ast.CallExpr); ok {
		if fn := s.callee(sprintf); fn != nil && fn.FullName() == "fmt.Sprintf" {
			sel, ok := sprintf.Fun.(*ast.SelectorExpr)
			if !ok {
				return nil
			}
			return &analysis.SuggestedFix{Message: "Panic with an error", TextEdits: []analysis.TextEdit{
				replace(sel.Sel.Pos(), sel.Sel.End(), "Errorf"),
			}}
		}
	}
	names := []string{s.importedAs(src, call, "github.com/pkg/errors")}
	var edits []analysis.TextEdit
	if names[0] == "" {
		if names, edits, ok = s.imported(src, call, "errors"); !ok {
			return nil
		}
	}
	edits = append(edits, replace(text.Pos(), text.Pos(), names[0]+".New("), replace(text.End(), text.End(), ")"))
	return &analysis.SuggestedFix{Message: "Panic with an error", TextEdits: edits}
}

// underRecover reports whether a node stands in a literal whose panics a helper of the engine catches by
// their type: an error would no longer leave it.
func (s *Suggester) underRecover(at inspector.Cursor) bool {
	for c := range at.Enclosing((*ast.CallExpr)(nil)) {
		if known := s.known(c.Node().(*ast.CallExpr)); known != nil && (known.Kind == engine.Recover || known.Kind == engine.RecoverType) {
			return true
		}
	}
	return false
}

// builtinName is the name of the built-in function that a call names.
func builtinName(info *types.Info, call *ast.CallExpr) (string, bool) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return "", false
	}
	builtin, ok := info.Uses[id].(*types.Builtin)
	if !ok {
		return "", false
	}
	return builtin.Name(), true
}
