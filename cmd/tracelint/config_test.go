package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// configuredModules are two modules of a workspace, of which one imports the other and both a third, which is none of
// the workspace's. Effects are told apart by the package that they stand in.
const configuredModules = `
-- go.work --
go 1.26

use (
	./app
	./lib
)
-- gomlx/go.mod --
module github.com/gomlx/gomlx

go 1.26
-- gomlx/core/graph/graph.go --
package graph

type Node struct{}

type Exec struct{}

func MustNewExec(backend any, function any) *Exec { return new(Exec) }
-- foreign/go.mod --
module example.com/foreign

go 1.26
-- foreign/foreign.go --
package foreign

func Print() { println("foreign") }
-- lib/go.mod --
module example.com/lib

go 1.26

require github.com/gomlx/gomlx v0.28.2

replace github.com/gomlx/gomlx => ../gomlx
-- lib/lib.go --
package lib

import "github.com/gomlx/gomlx/core/graph"

func Print() { println("lib") }

var exec = graph.MustNewExec(nil, func(x *graph.Node) *graph.Node {
	println("in lib")
	return x
})
-- app/go.mod --
module example.com/app

go 1.26

require (
	example.com/foreign v1.0.0
	example.com/lib v1.0.0
	github.com/gomlx/gomlx v0.28.2
)

replace (
	example.com/foreign => ../foreign
	example.com/lib => ../lib
	github.com/gomlx/gomlx => ../gomlx
)
-- app/app.go --
package app

import (
	"example.com/foreign"
	"example.com/lib"
	"github.com/gomlx/gomlx/core/graph"
)

var exec = graph.MustNewExec(nil, func(x *graph.Node) *graph.Node {
	foreign.Print()
	lib.Print()
	return x
})
`

// Where the functions of configuredModules print.
const (
	inApp     = "app/app.go:10:2 print"
	inAppLib  = "app/app.go:11:2 print"
	insideLib = "lib/lib.go:8:2 print"
)

// requirePlaces checks that both drivers find the same at the wanted places.
func requirePlaces(t *testing.T, want []string, args ...string) {
	t.Helper()
	for _, w := range []way{standalone(), vettool()} {
		out := w.run(t, append([]string{"-json"}, args...)...)
		require.Zero(t, out.Code, "%s: %s", w.name, out.Stderr)
		require.Empty(t, cmp.Diff(want, places(vettest.FromJSON(t, out.Stdout))), w.name)
	}
}

func TestConfigAppliesBelowItsDirectory(t *testing.T) {
	vettest.Enter(t, configuredModules)
	packages := []string{"example.com/app", "example.com/lib"}
	requirePlaces(t, []string{inApp, inAppLib, insideLib}, packages...)

	// What a file says of a function holds for its module's calls: app's is not lib's, and lib's accepts a call of
	// lib.Print in lib alone, which app's call of it does not inherit.
	exempt := "exempt: [{functions: [example.com/lib.Print, example.com/foreign.Print], reason: wanted}]\n"
	vettest.Write(t, "lib/.tracelint.yaml", exempt)
	requirePlaces(t, []string{inApp, inAppLib, insideLib}, packages...)

	// The change of one file of the workspace is enough.
	vettest.Write(t, "app/.tracelint.yaml", exempt)
	requirePlaces(t, []string{insideLib}, packages...)
	requirePlaces(t, []string{inApp, inAppLib, insideLib}, append([]string{"-config=none"}, packages...)...)

	// A dependency's file is the dependency's affair.
	require.NoError(t, os.Remove("app/.tracelint.yaml"))
	require.NoError(t, os.Remove("lib/.tracelint.yaml"))
	vettest.Write(t, "foreign/.tracelint.yaml", "nonsense: true\n")
	requirePlaces(t, []string{inApp, inAppLib, insideLib}, packages...)
}

func TestChangedConfigIsSeenByGoVet(t *testing.T) {
	vettest.Enter(t, configuredModules)
	t.Setenv("GOWORK", "off")
	t.Chdir("lib")
	for _, step := range []struct {
		config string
		want   []string
	}{
		{"disable: [print]\n", nil},
		{"disable: [write]\n", []string{"lib.go:8:2 print"}},
		{"disable: [print]\n", nil},
	} {
		vettest.Write(t, ".tracelint.yaml", step.config)
		out := vettool().run(t, "-json", "./...")
		require.Zero(t, out.Code, out.Stderr)
		require.Empty(t, cmp.Diff(step.want, places(vettest.FromJSON(t, out.Stdout))), step.config)
	}
}

func TestBuildIDCountsConfig(t *testing.T) {
	vettest.Enter(t, configuredModules)
	id := func() string {
		t.Helper()
		out := vettest.Run(t, binary, "-V=full")
		require.Zero(t, out.Code, out.Stderr)
		return out.Stdout
	}
	seen := map[string]string{id(): "no file"}
	for _, file := range []struct{ name, text string }{
		{"app/.tracelint.yaml", "tests: true"}, {"app/.tracelint.yaml", "tests: false"}, {"lib/.tracelint.yaml", "tests: true"},
	} {
		vettest.Write(t, file.name, file.text)
		now := id()
		require.NotContains(t, seen, now)
		seen[now] = file.name
	}
	before := id()
	vettest.Write(t, "foreign/.tracelint.yaml", "tests: false") // read by nobody
	require.Equal(t, before, id())

	// Outside of the workspace there is but the module around the current directory.
	t.Setenv("GOWORK", "off")
	require.NotEqual(t, before, id())
	t.Chdir("app")
	inApp := id()
	require.NotEqual(t, before, inApp)
	vettest.Write(t, "../lib/.tracelint.yaml", "tests: false")
	require.Equal(t, inApp, id())

	vettest.Write(t, "../go.work", "use nonsense nonsense")
	t.Setenv("GOWORK", "")
	out := vettest.Run(t, binary, "-V=full")
	require.Equal(t, exitError, out.Code)
	require.Contains(t, out.Stderr, "tracelint: computing the build id: ")
	require.Contains(t, out.Stderr, "go.work:1: ")
}

func TestGoVetWithoutGoInPath(t *testing.T) {
	vettest.Enter(t, configuredModules)
	command, err := exec.LookPath("go")
	require.NoError(t, err)
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOROOT", "") // the go command finds and tells it
	out := vettest.Run(t, command, "vet", "-vettool="+binary, "example.com/lib")
	require.Equal(t, 1, out.Code)
	require.Contains(t, out.Stderr, "lib/lib.go:8:2: println prints once per trace")
}

func TestConfigFlag(t *testing.T) {
	vettest.Enter(t, configuredModules)
	vettest.Write(t, "own.yaml", "disable: [print]\n")
	out := standalone().run(t, "-config=own.yaml", "example.com/lib")
	require.Equal(t, vettest.Output{}, out)

	out = vettool().run(t, "-config=own.yaml", "example.com/lib")
	require.Equal(t, exitError, out.Code)
	require.Equal(t, 1, strings.Count(out.Stderr, "tracelint: -config=own.yaml is not for go vet, which would show old findings"),
		"one message for the package that was named, none for what it imports: %s", out.Stderr)

	_, stderr, code := run("-fix", "-config=own.yaml", "example.com/lib")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "-fix works through go vet, which takes no -config=FILE")

	_, stderr, code = run("-config=missing.yaml", "example.com/lib")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "missing.yaml: no such file")
}

func TestWrongSettings(t *testing.T) {
	vettest.Enter(t, configuredModules)
	for _, w := range []way{standalone(), vettool()} {
		out := w.run(t, "-enable=prnt", "example.com/lib")
		require.NotZero(t, out.Code, w.name)
		require.Equal(t, 1, strings.Count(out.Stderr, `unknown rule "prnt": did you mean print?`), "%s: %s", w.name, out.Stderr)
		require.NotContains(t, out.Stdout+out.Stderr, "lib.go", w.name)
	}
	vettest.Write(t, "lib/.tracelint.yaml", "tests: true\n\nenabel: [print]\n")
	for _, w := range []way{standalone(), vettool()} {
		out := w.run(t, "example.com/app", "example.com/lib")
		require.Equal(t, w.refused, out.Code, w.name)
		require.Contains(t, out.Stderr, `.tracelint.yaml:3: unknown key "enabel": did you mean enable?`, w.name)
	}
}

// cgoModule has a package whose first files are cgo's output.
const cgoModule = `
-- go.mod --
module example.com/m

go 1.26

require github.com/gomlx/gomlx v0.28.2

replace github.com/gomlx/gomlx => ./gomlx
-- .tracelint.yaml --
severity: note
-- gomlx/go.mod --
module github.com/gomlx/gomlx

go 1.26
-- gomlx/core/graph/graph.go --
package graph

type Node struct{}

func MustExecOnce(backend any, function any) {}
-- model/model.go --
package model

// static int one(void) { return 1; }
import "C"

import "github.com/gomlx/gomlx/core/graph"

func One() int { return int(C.one()) }

func Run() {
	graph.MustExecOnce(nil, func(x *graph.Node) *graph.Node {
		println("once")
		return x
	})
}
`

func TestConfigOfCgoPackage(t *testing.T) {
	vettest.Enter(t, cgoModule)
	requirePlaces(t, []string{"model/model.go:12:3 print"}, "./model")
	require.NoError(t, os.Remove(".tracelint.yaml"))
	requirePlaces(t, nil, "./model")
}
