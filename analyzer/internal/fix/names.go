package fix

import (
	"go/ast"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/inspector"
)

// names are those that fixes gave to variables, by the function declaration that they stand in.
type names map[*ast.FuncDecl]map[string]bool

// declAround is the function declaration around a node, nil if there is none.
func declAround(at inspector.Cursor) *ast.FuncDecl {
	for c := range at.Enclosing((*ast.FuncDecl)(nil)) {
		return c.Node().(*ast.FuncDecl)
	}
	return nil
}

// reserve gives a name away and reports false if it was.
func (n names) reserve(decl *ast.FuncDecl, name string) bool {
	if n[decl] == nil {
		n[decl] = map[string]bool{}
	}
	taken := n[decl][name]
	n[decl][name] = true
	return !taken
}

// fresh gives away a name like base that means nothing yet in a function declaration, its file and its
// package.
func (s *Suggester) fresh(src *source, decl *ast.FuncDecl, base string) string {
	used := map[string]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name += strconv.Itoa(i)
		}
		if _, obj := s.info.Scopes[src.syntax].LookupParent(name, 0); obj == nil && !used[name] && s.names.reserve(decl, name) {
			return name
		}
	}
}

// visible is what a name means at a node.
func (s *Suggester) visible(at ast.Node, name string) types.Object {
	scope := s.pass.Pkg.Scope().Innermost(at.Pos())
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, at.Pos())
	return obj
}
