package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

func TestBuildIDIsThatOfTheExecutable(t *testing.T) {
	first := vettest.Run(t, binary, "-V=full")
	require.Zero(t, first.Code)
	require.Regexp(t, `^tracelint version devel buildID=[0-9a-f]{64}\n$`, first.Stdout)
	require.Equal(t, first, vettest.Run(t, binary, "-V=full"))

	code, err := os.ReadFile(binary)
	require.NoError(t, err)
	changed := filepath.Join(t.TempDir(), "tracelint")
	require.NoError(t, os.WriteFile(changed, append(code, 0), 0o755))
	require.NotEqual(t, first.Stdout, vettest.Run(t, changed, "-V=full").Stdout)
}

func TestVetFlags(t *testing.T) {
	stdout, stderr, code := run("-flags")
	require.Zero(t, code)
	require.Empty(t, stderr)
	var flags []vetFlag
	require.NoError(t, json.Unmarshal([]byte(stdout), &flags))
	kinds := make(map[string]bool)
	for _, flag := range flags {
		require.NotEmpty(t, flag.Usage, flag.Name)
		kinds[flag.Name] = flag.Bool
	}
	// No flag that only one of the drivers heeds, except those that the go command implements itself.
	require.Empty(t, cmp.Diff(map[string]bool{
		"c": false, "config": false, "diff": true, "disable": false, "enable": false, "json": true, "severity": false, "tests": true,
	}, kinds))
}

// findingInLib is a module whose package lib has a finding of tracelint's and one of vet's own; app imports it.
const findingInLib = `
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
-- lib/lib.go --
package lib

import "github.com/gomlx/gomlx/core/graph"

var Exec = graph.MustNewExec(nil, func(x *graph.Node) *graph.Node {
	println("traced")
	x = x
	return x
})
-- app/app.go --
package app

import "example.com/m/lib"

var Exec = lib.Exec
`

// TestGoVetLosesAndMisplacesFindingsOfDependencies holds a fault of the go command, which docs/go-vet-cache.md describes. If
// it fails, Go has mended the fault: see from which version on, and say so where the documentation warns.
func TestGoVetLosesAndMisplacesFindingsOfDependencies(t *testing.T) {
	for _, tool := range []struct {
		name, finding string
		flags         []string
	}{
		{"vet itself", "lib/lib.go:7:2: self-assignment of x", nil},
		{"tracelint", "lib/lib.go:6:2: println prints once per trace", []string{"-vettool=" + binary}},
	} {
		t.Run(tool.name, func(t *testing.T) {
			vet := func(args ...string) vettest.Output {
				return vettest.Run(t, "go", slices.Concat([]string{"vet"}, tool.flags, args)...)
			}
			for _, after := range []string{"./lib", "./..."} {
				vettest.Enter(t, findingInLib)
				require.Equal(t, vettest.Output{}, vet("./app"), "no findings in app")
				require.Equal(t, vettest.Output{}, vet(after), "lost")

				found := vet("-a", "./lib")
				require.Equal(t, 1, found.Code)
				require.Contains(t, found.Stderr, tool.finding)
				require.Equal(t, found, vet("./lib"), "the whole result is kept now")
			}

			vettest.Enter(t, findingInLib)
			found := vet("./...")
			require.Equal(t, 1, found.Code)
			require.Contains(t, found.Stderr, tool.finding)
			require.Equal(t, found, vet("./app"), "shown where only app is named")
		})
	}
}

func TestBrokenPackageTakesNoFindingsOfOthers(t *testing.T) {
	vettest.Enter(t, findingInLib+`
-- broken/broken.go --
package broken

// #include <does_not_exist.h>
import "C"
-- user/user.go --
package user

import _ "example.com/m/broken"
`)
	t.Setenv("CGO_ENABLED", "1")
	const finding = "lib/lib.go:6:2: println prints once per trace"
	const reason = "broken/broken.go:3:11: fatal error: does_not_exist.h: No such file or directory"

	alone := standalone().run(t, "./...")
	require.Equal(t, exitError, alone.Code)
	require.Contains(t, alone.Stdout, finding)
	require.Contains(t, alone.Stderr, reason)
	require.Contains(t, alone.Stderr, "tracelint: example.com/m/user: not analysed: it imports example.com/m/broken, which has errors\n")

	vetted := vettool().run(t, "./...")
	require.Equal(t, 1, vetted.Code)
	require.Contains(t, vetted.Stderr, finding)
	require.Contains(t, vetted.Stderr, reason)
}

func TestTheCommandAloneLosesNothingToGoVet(t *testing.T) {
	vettest.Enter(t, findingInLib)
	require.Equal(t, vettest.Output{}, vettest.Run(t, "go", "vet", "-vettool="+binary, "./app"))
	out := vettest.Run(t, binary, "./lib")
	require.Equal(t, exitFindings, out.Code)
	require.Contains(t, out.Stdout, "lib/lib.go:6:2: println prints once per trace")
}
