package directive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/directive"
)

const source = `package p

import "fmt"

func a() {
	fmt.Println(1) //tracelint:ignore print shown on purpose
	//tracelint:ignore print,write both on purpose
	fmt.Println(2)
	if x := fmt.Sprint(3); x != "" { //tracelint:ignore print the whole line
		fmt.Println(4)
	}
}

//tracelint:ignore print the whole declaration
func b() {
	fmt.Println(5)
}

// tracelint:ignore print a space
func c() { fmt.Println(6) }

//tracelint:ignore print
func d() {}

//tracelint:ignore pritn misspelt
func e() {}

//tracelint:ignore
func f() {}

//tracelint:silence print no such verb
func g() {}

//tracelint:traced
func h() {}

//tracelint:host
func i() {
	//tracelint:traced
	f := func() {}
	f()
	//tracelint:host
	_ = 1
}
`

func parse(t *testing.T) (*token.FileSet, *ast.File, *directive.Set) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	require.NoError(t, err)
	return fset, file, directive.Parse(fset, []*ast.File{file}, []string{"print", "write"})
}

func TestIgnoredLines(t *testing.T) {
	fset, file, set := parse(t)
	var ignored []int
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.ExprStmt); ok && set.Ignored("print", s.X, s) {
			ignored = append(ignored, fset.Position(s.Pos()).Line)
		}
		return true
	})
	require.Empty(t, cmp.Diff([]int{6, 8, 16}, ignored))
}

func TestProblems(t *testing.T) {
	fset, file, set := parse(t)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.ExprStmt); ok {
			set.Ignored("print", s.X, s)
		}
		return true
	})
	var got []string
	for _, p := range set.Problems(func(string) bool { return true }) {
		got = append(got, fset.Position(p.Comment.Pos()).String()+": "+p.Message)
	}
	require.Empty(t, cmp.Diff([]string{
		"p.go:7:2: tracelint:ignore write silences nothing: remove it",
		"p.go:9:35: tracelint:ignore print silences nothing: remove it",
		"p.go:19:1: tracelint directives have no space after //: it is an ordinary comment and does nothing",
		"p.go:22:1: tracelint:ignore print gives no reason: write why after the rule",
		`p.go:25:1: tracelint:ignore names the unknown rule "pritn": did you mean print?`,
		"p.go:28:1: tracelint:ignore names no rule: write //tracelint:ignore RULE reason",
		"p.go:31:1: tracelint:silence is no directive: use ignore, traced or host",
		"p.go:42:2: tracelint:host stands on no function: put it above a declaration or on the line of a literal",
	}, got))
}

// TestInactive holds that an ignore of a rule that is off is not called unused.
func TestInactive(t *testing.T) {
	_, _, set := parse(t)
	for _, p := range set.Problems(func(string) bool { return false }) {
		require.NotContains(t, p.Message, "silences nothing")
	}
}

func TestMarks(t *testing.T) {
	_, file, set := parse(t)
	var traced, host []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if set.Traced(n) {
				traced = append(traced, n.Name.Name)
			}
			if set.Host(n) {
				host = append(host, n.Name.Name)
			}
		case *ast.FuncLit:
			if set.Traced(n) {
				traced = append(traced, "literal")
			}
		}
		return true
	})
	require.Empty(t, cmp.Diff([]string{"h", "literal"}, traced))
	require.Empty(t, cmp.Diff([]string{"i"}, host))
}
