package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// lintedModule calls an engine of which it has only as much as the analyzer looks at.
const lintedModule = `
-- go.mod --
module example.com/m

go 1.26.5

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

func Add(x, y *Node) *Node { return x }
-- helper/helper.go --
package helper

import "fmt"

func Deep() { fmt.Println("deep") }
-- middle/middle.go --
package middle

import "example.com/m/helper"

type Log struct{}

func (Log) Write() { helper.Deep() }
-- model/model.go --
package model

import (
	"example.com/m/middle"
	"github.com/gomlx/gomlx/core/graph"
)

func double(x *graph.Node) *graph.Node {
	middle.Log{}.Write()
	return graph.Add(x, x)
}

var Exec = graph.MustNewExec(nil, double)
-- model/model_test.go --
package model

import (
	"os"

	"github.com/gomlx/gomlx/core/graph"
)

func inTest(x *graph.Node) *graph.Node {
	if os.Getenv("DEBUG") != "" {
		return x
	}
	return graph.Add(x, x)
}

var execInTest = graph.MustNewExec(nil, inTest)
-- model/outside_test.go --
package model_test

import (
	"time"

	"github.com/gomlx/gomlx/core/graph"
)

var seen time.Time

func outside(x *graph.Node) *graph.Node {
	seen = time.Now()
	return x
}

var execOutside = graph.MustNewExec(nil, outside)
-- broken/broken.go --
package broken

import "github.com/gomlx/gomlx/core/graph"

func f(x *graph.Node) *graph.Node {
	return y
}
`

// way is one of the ways to run tracelint.
type way struct {
	name         string
	command      []string
	found        int // exit code of text that has findings
	refused      int // exit code for settings that are refused
	textOnStderr bool
}

func standalone() way { return way{"tracelint", []string{binary}, exitFindings, exitUsage, false} }

func vettool() way {
	return way{"go vet -vettool", []string{"go", "vet", "-vettool=" + binary}, 1, 1, true}
}

// goTool is the vettool as a module gets it that names it in a tool line.
func goTool(t *testing.T) way {
	t.Helper()
	out := vettest.Run(t, "go", "tool", "-n", "tracelint")
	require.Zero(t, out.Code, out.Stderr)
	return way{"go vet -vettool=$(go tool -n tracelint)", []string{"go", "vet", "-vettool=" + strings.TrimSpace(out.Stdout)}, 1, 1, true}
}

func (w way) run(t *testing.T, args ...string) vettest.Output {
	t.Helper()
	return vettest.Run(t, w.command[0], append(w.command[1:], args...)...)
}

// findings runs the driver for text and for JSON, which must agree.
func (w way) findings(t *testing.T, args ...string) []vettest.Finding {
	t.Helper()
	text := w.run(t, args...)
	listing := text.Stdout
	if w.textOnStderr {
		listing = text.Stderr
	}
	found := vettest.FromText(t, listing)
	require.Equal(t, w.found, text.Code, w.name)
	require.Empty(t, cmp.Diff(found, w.jsonFindings(t, args...)), "text (-) and JSON (+) of %s", w.name)
	return found
}

func (w way) jsonFindings(t *testing.T, args ...string) []vettest.Finding {
	t.Helper()
	out := w.run(t, append([]string{"-json"}, args...)...)
	require.Zero(t, out.Code, "%s: %s", w.name, out.Stderr)
	return vettest.FromJSON(t, out.Stdout)
}

// requireEqualFindings runs tracelint in all ways with the same arguments.
func requireEqualFindings(t *testing.T, ways []way, args ...string) []vettest.Finding {
	t.Helper()
	first := ways[0].findings(t, args...)
	for _, w := range ways[1:] {
		require.Empty(t, cmp.Diff(first, w.findings(t, args...)), "%s (-) and %s (+)", ways[0].name, w.name)
	}
	return first
}

func TestDriversAgree(t *testing.T) {
	vettest.Enter(t, lintedModule)
	addToolLine(t)
	ways := []way{standalone(), vettool(), goTool(t)}

	found := requireEqualFindings(t, ways, "./helper", "./middle", "./model")
	require.Empty(t, cmp.Diff([]string{
		"model/model.go:9:2 print", "model/model_test.go:10:5 environ", "model/outside_test.go:12:2 write", "model/outside_test.go:12:9 clock",
	}, places(found)))
	require.Contains(t, found[0].Message, "middle.Log.Write -> helper.Deep", "the chain crosses two packages")

	found = requireEqualFindings(t, ways, "-tests=false", "./model")
	require.Empty(t, cmp.Diff([]string{"model/model.go:9:2 print"}, places(found)))
}

// places shows position and rule of findings.
func places(findings []vettest.Finding) []string {
	var places []string
	for _, f := range findings {
		rule := f.Message[strings.LastIndex(f.Message, "(")+1:]
		places = append(places, f.Position+" "+strings.TrimSuffix(rule, ")"))
	}
	return places
}

// addToolLine makes the current module get tracelint as a tool from this repository.
func addToolLine(t *testing.T) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("go.sum", sums, 0o644))
	const command = "github.com/tracelint/tracelint/cmd/tracelint"
	for _, args := range [][]string{
		{
			"mod", "edit", "-tool=" + command, "-require=github.com/tracelint/tracelint@v0.0.0",
			"-replace=github.com/tracelint/tracelint=" + repository,
		},
		{"list", "-mod=mod", command}, // adds what tracelint itself requires
	} {
		out := vettest.Run(t, "go", args...)
		require.Zero(t, out.Code, out.Stderr)
	}
}

func TestDriversAgreeOnWhatIsClean(t *testing.T) {
	vettest.Enter(t, lintedModule)
	for _, w := range []way{standalone(), vettool()} {
		require.Equal(t, vettest.Output{}, w.run(t, "./helper", "./middle"), w.name)
		out := w.run(t, "-json", "./helper")
		require.Zero(t, out.Code, w.name)
		require.Empty(t, vettest.FromJSON(t, out.Stdout), w.name)
	}
}

func TestDriversRefuseWhatDoesNotCompile(t *testing.T) {
	vettest.Enter(t, lintedModule)
	for _, w := range []way{standalone(), vettool()} {
		for _, args := range [][]string{{"./broken"}, {"-json", "./broken"}, {"./..."}} {
			t.Run(fmt.Sprint(w.name, args), func(t *testing.T) {
				out := w.run(t, args...)
				require.Equal(t, exitError, out.Code)
				require.Contains(t, out.Stderr, "broken/broken.go:6:9: undefined: y\n")
			})
		}
		// The sound packages are analysed all the same.
		out := w.run(t, "./broken", "./model")
		require.Contains(t, out.Stdout+out.Stderr, "model/model.go:9:2: ", w.name)
	}
}

func TestFixIsLeftToTheGoCommand(t *testing.T) {
	vettest.Enter(t, lintedModule)
	before, err := os.ReadFile("model/model.go")
	require.NoError(t, err)
	for _, args := range [][]string{{"-fix", "-diff", "./model"}, {"-fix", "-tests=false", "-severity", "note", "--", "./model"}} {
		// The findings there have no fix that is certain to keep the meaning.
		require.Equal(t, vettest.Output{}, vettest.Run(t, binary, args...), args)
	}
	after, err := os.ReadFile("model/model.go")
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	out := vettest.Run(t, binary, "-fix", "./broken")
	require.Equal(t, exitError, out.Code)
	require.Contains(t, out.Stderr, "broken/broken.go:6:9: undefined: y\n")
}
