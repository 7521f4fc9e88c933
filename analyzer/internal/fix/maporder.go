package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// sortKeys has a range over a map go through its sorted keys.
func (s *Suggester) sortKeys(src *source, at inspector.Cursor) *analysis.SuggestedFix {
	loop, ok := at.Parent().Node().(*ast.RangeStmt)
	if !ok || loop.X != at.Node() || loop.Tok != token.DEFINE || loop.Key == nil || !s.sortedKeysExist(src) ||
		len(src.comments(loop.Pos(), loop.Body.Lbrace)) > 0 {
		return nil
	}
	var edits []analysis.TextEdit
	if call, ok := loop.X.(*ast.CallExpr); ok {
		edits = s.sortIterator(src, loop, call)
	} else {
		edits = s.sortMap(src, loop, declAround(at))
	}
	if edits == nil {
		return nil
	}
	return &analysis.SuggestedFix{Message: "Range over the sorted keys", TextEdits: edits}
}

// sortIterator sorts what maps.Keys gives.
func (s *Suggester) sortIterator(src *source, loop *ast.RangeStmt, call *ast.CallExpr) []analysis.TextEdit {
	fn := s.callee(call)
	if fn == nil || fn.FullName() != "maps.Keys" || len(call.Args) != 1 || !s.sortable(call.Args[0]) {
		return nil
	}
	names, edits, ok := s.imported(src, loop, "slices")
	if !ok {
		return nil
	}
	return append(edits, replace(loop.Key.Pos(), loop.Key.Pos(), "_, "),
		replace(call.Pos(), call.Pos(), names[0]+".Sorted("), replace(call.End(), call.End(), ")"))
}

// sortMap ranges over the sorted keys of a map and looks the values up.
func (s *Suggester) sortMap(src *source, loop *ast.RangeStmt, decl *ast.FuncDecl) []analysis.TextEdit {
	if decl == nil || !s.sortable(loop.X) || !s.unchanged(loop) {
		return nil
	}
	names, edits, ok := s.imported(src, loop, "maps", "slices")
	if !ok {
		return nil
	}
	key, value := identOf(loop.Key), identOf(loop.Value)
	if key == nil || loop.Value != nil && value == nil {
		return nil
	}
	lookup := value != nil && value.Name != "_"
	name := key.Name
	if name == "_" {
		if !lookup {
			return nil
		}
		name = s.fresh(src, decl, "key")
	}
	edits = append(edits, replace(loop.Key.Pos(), loop.X.End(),
		"_, "+name+" := range "+names[1]+".Sorted("+names[0]+".Keys("+src.of(loop.X)+"))"))
	if lookup {
		line := src.lineEnd(loop.Body.Lbrace)
		if s.info.Scopes[loop.Body].Lookup(value.Name) != nil || len(loop.Body.List) == 0 || loop.Body.List[0].Pos() < line {
			return nil
		}
		indent, _ := src.indent(loop.Body.List[0].Pos())
		edits = append(edits, replace(line, line, indent+value.Name+" := "+src.of(loop.X)+"["+name+"]\n"))
	}
	return edits
}

// sortedKeysExist reports whether the file's version of Go has maps.Keys and slices.Sorted.
func (s *Suggester) sortedKeysExist(src *source) bool {
	v := s.info.FileVersions[src.syntax]
	if v == "" {
		v = s.pass.Pkg.GoVersion()
	}
	return v == "" || version.Compare(v, "go1.23") >= 0
}

// sortable reports whether an expression names a map whose keys are integers or strings. Among floats may
// be some that no map finds again.
func (s *Suggester) sortable(e ast.Expr) bool {
	if s.mapVar(e) == nil {
		return false
	}
	m, ok := types.Unalias(s.info.TypeOf(e)).Underlying().(*types.Map)
	if !ok {
		return false
	}
	key, ok := types.Unalias(m.Key()).Underlying().(*types.Basic)
	return ok && key.Info()&(types.IsInteger|types.IsString) != 0
}

// mapVar is the variable or field that an expression names without computing anything, nil if it is none.
func (s *Suggester) mapVar(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := s.info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		if _, isPackage := s.info.Uses[identOf(e.X)].(*types.PkgName); isPackage || s.mapVar(e.X) != nil {
			v, _ := s.info.Uses[e.Sel].(*types.Var)
			return v
		}
	}
	return nil
}

// identOf is an expression's identifier, nil if it is none.
func identOf(e ast.Expr) *ast.Ident {
	if e == nil {
		return nil
	}
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// unchanged reports whether the body of a range over a map only looks keys up in it, and nothing in the
// package removes keys from it.
func (s *Suggester) unchanged(loop *ast.RangeStmt) bool {
	ranged := s.mapVar(loop.X)
	ok := true
	for c := range s.root.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if s.info.Uses[id] != ranged {
			continue
		}
		at := c
		if sel, isSel := at.Parent().Node().(*ast.SelectorExpr); isSel && sel.Sel == id {
			at = at.Parent()
		}
		switch parent := at.Parent().Node().(type) {
		case *ast.CallExpr:
			builtin, _ := builtinName(s.info, parent)
			ok = ok && builtin != "delete" && builtin != "clear" && (builtin == "len" || !within(id.Pos(), loop.Body))
		case *ast.IndexExpr:
			// A lookup, or an assignment, which is looked for below.
		default:
			ok = ok && !within(id.Pos(), loop.Body)
		}
	}
	// The map, and what the path to it goes through, must stay as they are.
	ast.Inspect(loop.X, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && s.assigned(loop, id) {
			ok = false
		}
		return ok
	})
	return ok
}

// assigned reports whether a node assigns to the variable of an identifier.
func (s *Suggester) assigned(in ast.Node, id *ast.Ident) bool {
	v, ok := s.info.ObjectOf(id).(*types.Var)
	if !ok {
		return false
	}
	at, ok := s.root.FindNode(in)
	if !ok {
		return true
	}
	for c := range at.Preorder((*ast.Ident)(nil)) {
		if used := c.Node().(*ast.Ident); used != id && s.info.Uses[used] == v && assignedAt(c) {
			return true
		}
	}
	return false
}
