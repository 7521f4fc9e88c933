package analyzer

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Result is what the analyzer returns for a package: its diagnostics, with what a diagnostic has no
// room for.
type Result struct {
	// Findings are the reported diagnostics, in the same order.
	Findings []Finding
}

// Finding is a diagnostic with its severity and with where it stands in words, which stay the same when
// lines move.
type Finding struct {
	analysis.Diagnostic
	// Severity is the rule's, or Note where what was found is often intended.
	Severity Severity
	// Func is the declared function that the finding stands in: Run, (*Model).Fun. It is empty outside
	// of functions.
	Func string
	// Code is the statement that the finding stands at, in one line, without comments and without the
	// bodies inside it.
	Code string
}

// place fills in where a finding stands in words; stmt is what the finding is about.
func (r *reporter) place(f *Finding, stmt ast.Node) {
	for _, file := range r.pass.Files {
		if file.FileStart <= f.Pos && f.Pos < file.FileEnd {
			f.Func = funcAt(file, f.Pos)
		}
	}
	f.Code = r.code(stmt)
}

// funcAt names the function declaration around a position as its package does.
func funcAt(file *ast.File, pos token.Pos) string {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || pos < fn.Pos() || fn.End() <= pos {
			continue
		}
		if fn.Recv == nil || len(fn.Recv.List) == 0 {
			return fn.Name.Name
		}
		return receiver(fn.Recv.List[0].Type) + "." + fn.Name.Name
	}
	return ""
}

// receiver writes a receiver's type without its type parameters.
func receiver(expr ast.Expr) string {
	switch t := expr.(type) {
	case *ast.ParenExpr:
		return receiver(t.X)
	case *ast.StarExpr:
		return "(*" + receiver(t.X) + ")"
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "" // does not compile
}

// code reads a statement from its source and writes it in one line, without comments and bodies.
func (r *reporter) code(stmt ast.Node) string {
	file := r.pass.Fset.File(stmt.Pos())
	text, err := r.pass.ReadFile(file.Name())
	if err != nil || len(text) != file.Size() {
		return "" // changed since it was parsed
	}
	text = text[file.Offset(stmt.Pos()):file.Offset(stmt.End())]
	if _, ok := stmt.(*ast.Comment); ok {
		return string(text)
	}
	bodies := bodiesIn(stmt)
	own := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(own, text, nil, 0)
	var out strings.Builder
	for last := 0; ; { // where the last token written ended
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		offset := own.Offset(pos)
		if tok == token.SEMICOLON && literal == "\n" || bodies.contain(stmt.Pos()+token.Pos(offset)) {
			continue
		}
		if last < offset {
			out.WriteByte(' ')
		}
		if literal == "" || tok == token.SEMICOLON {
			literal = tok.String()
		}
		out.WriteString(literal)
		last = offset + len(literal)
	}
}

// spans are ranges of source.
type spans []ast.Node

func (s spans) contain(pos token.Pos) bool {
	for _, n := range s {
		if n.Pos() <= pos && pos < n.End() {
			return true
		}
	}
	return false
}

// bodiesIn lists the blocks inside a node.
func bodiesIn(node ast.Node) spans {
	var bodies spans
	ast.Inspect(node, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if ok {
			bodies = append(bodies, block)
		}
		return !ok
	})
	return bodies
}
