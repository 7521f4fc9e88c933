package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// imported gives the names by which a node can use packages of the standard library, with the edits that
// import those that the file does not yet. It fails if a name means something else there.
func (s *Suggester) imported(src *source, at ast.Node, pkgs ...string) (names []string, edits []analysis.TextEdit, ok bool) {
	var missing []string
	for _, pkg := range pkgs {
		name := s.importedAs(src, at, pkg)
		if name == "" {
			name = path.Base(pkg)
			if s.visible(at, name) != nil || s.pass.Pkg.Scope().Lookup(name) != nil {
				return nil, nil, false
			}
			missing = append(missing, strconv.Quote(pkg))
		}
		names = append(names, name)
	}
	if len(missing) > 0 {
		edits = src.addImports(missing)
	}
	return names, edits, true
}

// importedAs is the name by which a node can use a package that the file imports, empty if it cannot.
func (s *Suggester) importedAs(src *source, at ast.Node, pkg string) string {
	for _, spec := range src.syntax.Imports {
		name := s.info.PkgNameOf(spec)
		if name != nil && name.Imported().Path() == pkg && s.visible(at, name.Name()) == types.Object(name) {
			return name.Name()
		}
	}
	return ""
}

// addImports are the edits that import packages of the standard library, given in quotes and in order.
func (src *source) addImports(quoted []string) []analysis.TextEdit {
	lines := "\n\t" + strings.Join(quoted, "\n\t")
	for _, decl := range src.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			break
		}
		if len(gen.Specs) == 0 || isC(gen) {
			continue
		}
		first := gen.Specs[0].(*ast.ImportSpec)
		if !gen.Lparen.IsValid() {
			return []analysis.TextEdit{
				replace(first.Pos(), first.Pos(), "("+lines+"\n\n\t"), replace(first.End(), first.End(), "\n)"),
			}
		}
		if !standard(first) {
			return []analysis.TextEdit{replace(gen.Lparen+1, gen.Lparen+1, lines+"\n")}
		}
		after := gen.Lparen + 1
		for _, spec := range gen.Specs {
			if spec := spec.(*ast.ImportSpec); standard(spec) && spec.Path.Value < quoted[0] {
				after = src.lineEnd(spec.End()) - 1
			}
		}
		return []analysis.TextEdit{replace(after, after, lines)}
	}
	end := src.lineEnd(src.syntax.Name.End()) - 1
	return []analysis.TextEdit{replace(end, end, "\n\nimport ("+lines+"\n)")}
}

// standard reports whether an import is of the standard library, as far as its path tells.
func standard(spec *ast.ImportSpec) bool {
	first, _, _ := strings.Cut(spec.Path.Value, "/")
	return !strings.Contains(first, ".")
}

// isC reports whether a declaration imports C, whose comment is a program.
func isC(gen *ast.GenDecl) bool {
	spec, ok := gen.Specs[0].(*ast.ImportSpec)
	return ok && spec.Path.Value == `"C"`
}

// withoutImport are the edits that remove the import of a package whose only use goes away.
func (s *Suggester) withoutImport(src *source, use *ast.Ident) []analysis.TextEdit {
	pkg, ok := s.info.Uses[use].(*types.PkgName)
	if !ok {
		return nil
	}
	for id, obj := range s.info.Uses {
		if obj == pkg && id != use {
			return nil
		}
	}
	for _, spec := range src.syntax.Imports {
		if s.info.PkgNameOf(spec) != pkg {
			continue
		}
		for _, decl := range src.syntax.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || !(gen.Pos() <= spec.Pos() && spec.End() <= gen.End()) {
				continue
			}
			var gone ast.Node = spec
			if len(gen.Specs) == 1 {
				gone = gen
			}
			if pos, end, ok := src.lines(gone, gone); ok {
				return []analysis.TextEdit{replace(pos, end, "")}
			}
		}
	}
	return nil
}
