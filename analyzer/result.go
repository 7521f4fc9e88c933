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
	// Missing says why the package was not analysed to its end, so that findings in it, and in what calls it, may be missing.
	// It is empty if it was.
	Missing string
}

// Warning is the line that tells a user what [Result.Missing] means for a package, empty if nothing is missing.
func (r *Result) Warning(path string) string {
	if r.Missing == "" {
		return ""
	}
	return path + ": " + r.Missing + ": findings in this package, and in what calls it, may be missing"
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
	// Code is the statement that the finding stands at, without comments, line breaks and the bodies
	// inside it.
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

// code reads a statement from its source and writes it without comments, line breaks and bodies.
func (r *reporter) code(stmt ast.Node) string {
	if r.pass.ReadFile == nil {
		return "" // nogo gives none, and writes no baseline
	}
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
	var line oneLine
	for {
		pos, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			line.flush(false)
			return line.text.String()
		case tok == token.SEMICOLON && literal == "\n" || bodies.contain(stmt.Pos()+token.Pos(own.Offset(pos))):
			continue
		}
		line.add(tok, literal)
	}
}

// oneLine writes tokens in one line, in the same way however they were spread over lines.
type oneLine struct {
	text strings.Builder
	last token.Token // the one written last
	// comma is held back, because one before a closing bracket only stands there for the line break.
	comma bool
}

func (l *oneLine) add(tok token.Token, literal string) {
	l.flush(tok == token.RPAREN || tok == token.RBRACE || tok == token.RBRACK)
	if tok == token.COMMA {
		l.comma = true
		return
	}
	if l.text.Len() > 0 && (l.last == token.COMMA || l.last == token.SEMICOLON || infix(tok) || infix(l.last) || word(l.last) && word(tok)) {
		l.text.WriteByte(' ')
	}
	if literal == "" || tok == token.SEMICOLON {
		literal = tok.String()
	}
	l.text.WriteString(literal)
	l.last = tok
}

// flush writes the comma that was held back, or drops it.
func (l *oneLine) flush(drop bool) {
	if l.comma && !drop {
		l.text.WriteByte(',')
		l.last = token.COMMA
	}
	l.comma = false
}

func word(tok token.Token) bool { return tok.IsLiteral() || tok.IsKeyword() }

// infix reports whether a token only ever stands between two operands.
func infix(tok token.Token) bool {
	switch tok {
	case token.ASSIGN, token.DEFINE, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return true
	}
	return token.ADD_ASSIGN <= tok && tok <= token.AND_NOT_ASSIGN
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
