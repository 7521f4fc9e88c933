package analyzer_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/driver"
	"github.com/tracelint/tracelint/internal/vettest"
)

// smallEngine is a module with as much of GoMLX as the analyzer looks at; packages of a test go beside it.
const smallEngine = `
-- go.mod --
module example.com/m

go 1.26

require github.com/gomlx/gomlx v0.28.2

replace github.com/gomlx/gomlx => ./gomlx
-- gomlx/go.mod --
module github.com/gomlx/gomlx

go 1.26
-- gomlx/core/graph/graph.go --
package graph

type Node struct{}

type Exec struct{}

func MustNewExec(backend any, function any) *Exec { return new(Exec) }
`

// A driver that does not recover, such as that of go vet, gets an error for its package and goes on.
func TestPanicIsAnError(t *testing.T) {
	pass := &analysis.Pass{Files: []*ast.File{{}}} // without Pkg
	_, err := analyzer.Analyzer.Run(pass)
	require.ErrorContains(t, err, "internal error, please report it: runtime error: invalid memory address")
}

// analyze analyses packages below the current directory and returns the result of each.
func analyze(t *testing.T, config analyzer.Config, patterns ...string) (*token.FileSet, map[string]*analyzer.Result) {
	t.Helper()
	a, err := analyzer.New(config)
	require.NoError(t, err)
	result, err := driver.Run(driver.Config{Tests: true}, a, patterns...)
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	results := map[string]*analyzer.Result{}
	for _, p := range result.Packages {
		found := p.Result.(*analyzer.Result)
		require.Len(t, found.Findings, len(p.Diagnostics))
		for i, d := range p.Diagnostics {
			require.Equal(t, d, found.Findings[i].Diagnostic)
		}
		results[p.Path] = found
	}
	return result.Fset, results
}

func TestResult(t *testing.T) {
	vettest.Enter(t, smallEngine+`
-- model/model.go --
package model

import (
	"fmt"
	"os"
	"sync"

	"github.com/gomlx/gomlx/core/graph"
)

type Model[T any] struct{ calls int }

func (m *Model[T]) Fun(x *graph.Node) *graph.Node {
	m.calls += func() int { return 1 }() // once
	if os.Getenv("DEBUG") != "" {
		return x
	}
	return x
}

func New() *graph.Exec {
	m := new(Model[int])
	return graph.MustNewExec(nil, m.Fun)
}

var once sync.Once

var exec = graph.MustNewExec(nil, func(x *graph.Node) *graph.Node {
	fmt.Println("a   b", // of x
		  x,
	)
	once.Do(func() { fmt.Println("first") })
	return x
})

//tracelint:ignore print
var _ = exec
-- clean/clean.go --
package clean
`)
	_, results := analyze(t, analyzer.Config{Settings: analyzer.Settings{Severity: "note"}}, "./model", "./clean")
	require.Empty(t, results["example.com/m/clean"].Findings)
	var found []string
	for _, f := range results["example.com/m/model"].Findings {
		found = append(found, fmt.Sprintf("%s %s | %s | %s", f.Category, f.Severity, f.Func, f.Code))
		require.Equal(t, "https://github.com/tracelint/tracelint/blob/main/docs/rules/"+f.Category+".md", f.URL)
	}
	require.Empty(t, cmp.Diff([]string{
		`write warning | (*Model).Fun | m.calls += func()int()`,
		`environ warning | (*Model).Fun | if os.Getenv("DEBUG") != ""`,
		`print warning |  | fmt.Println("a   b", x)`,
		`print note |  | fmt.Println("first")`,
		`directive warning |  | //tracelint:ignore print`,
	}, found))
}

func ExampleRules() {
	for _, rule := range analyzer.Rules() {
		if rule.Severity == analyzer.Error {
			fmt.Printf("%s: %s\n", rule.Name, rule.Title)
			break
		}
	}
	// Output: abort: a trace left in a way that the engine cannot catch
}
