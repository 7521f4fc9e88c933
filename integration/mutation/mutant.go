package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
)

// A mutant is a file with one change.
type mutant struct {
	file       string
	line       int
	what       string // the change, for people
	text       []byte // the file as it is
	start, end int    // the offsets of what is replaced
	with       string
}

// source returns the changed file.
func (m mutant) source() []byte {
	return slices.Concat(m.text[:m.start], []byte(m.with), m.text[m.end:])
}

// opposites are the operators that take each other's place.
var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL,
	token.INC: token.DEC, token.DEC: token.INC,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// mutantsOf returns the mutants of a file in the order of their places.
func mutantsOf(file string) ([]mutant, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	replace := func(pos, end token.Pos, with string) {
		start, stop := fset.Position(pos).Offset, fset.Position(end).Offset
		what := fmt.Sprintf("%s -> %s", shorten(string(text[start:stop])), shorten(with))
		if with == "" {
			what = shorten(string(text[start:stop])) + " removed"
		}
		mutants = append(mutants, mutant{file, fset.Position(pos).Line, what, text, start, stop, with})
	}
	swap := func(pos token.Pos, tok token.Token) {
		if other, ok := opposites[tok]; ok {
			replace(pos, pos+token.Pos(len(tok.String())), other.String())
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			swap(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			swap(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			if n.Label == nil {
				swap(n.TokPos, n.Tok)
			}
		case *ast.IfStmt:
			replace(n.Cond.Pos(), n.Cond.End(), "!("+string(text[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])+")")
		case *ast.BasicLit:
			if value, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				replace(n.Pos(), n.End(), strconv.Itoa(value+1))
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				replace(n.Pos(), n.End(), "false")
			case "false":
				replace(n.Pos(), n.End(), "true")
			}
		case *ast.ExprStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.DeferStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		}
		return true
	})
	return mutants, nil
}

// shorten returns a text on one line, of at most 60 bytes.
func shorten(text string) string {
	quoted := strconv.Quote(text)
	quoted = quoted[1 : len(quoted)-1]
	if len(quoted) > 60 {
		return quoted[:57] + "..."
	}
	return quoted
}

// spread returns at most n of the mutants (all if n is 0), chosen by a hash of
// what they are, in their order.
func spread(mutants []mutant, n int) []mutant {
	if n == 0 || n >= len(mutants) {
		return mutants
	}
	rank := func(i int) string {
		m := mutants[i]
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", m.line, m.start, m.what))
		return string(sum[:])
	}
	order := make([]int, len(mutants))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	order = order[:n]
	slices.Sort(order)
	chosen := make([]mutant, n)
	for i, o := range order {
		chosen[i] = mutants[o]
	}
	return chosen
}
