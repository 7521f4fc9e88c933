package analyzer_test

import (
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/vettest"
)

// configuredPackages use an engine that is known from settings alone, and functions of which nothing is known.
const configuredPackages = `
-- go.mod --
module example.com/m

go 1.26
-- tiny/tiny.go --
package tiny

type Value struct{}

type Jitted struct{}

func Jit(f func(*Value) *Value) *Jitted { return nil }

func (*Jitted) Run(x *Value) *Value { return x }
-- ffi/ffi.go --
package ffi

func Log(text string)

type Source[T any] struct{}

func (*Source[T]) Draw() int { return 4 }

func Clean() { println("said to do nothing") }
-- ffi/ffi.s --
-- model/model.go --
package model

import (
	"example.com/m/ffi"
	"example.com/m/tiny"
)

var source ffi.Source[int]

var square = tiny.Jit(func(x *tiny.Value) *tiny.Value {
	ffi.Log("square")
	if source.Draw() > 0 {
		debug("drawn")
	}
	ffi.Clean()
	return x
})

func debug(text string) { println(text) }

type T struct{}

func (T) debug(text string) { println(text) }

var double = tiny.Jit(func(x *tiny.Value) *tiny.Value {
	T{}.debug("double")
	square.Run(x)
	return x
})
-- model/internal/deep/deep.go --
package deep

import "example.com/m/tiny"

var _ = tiny.Jit(func(x *tiny.Value) *tiny.Value {
	println("deep")
	return x
})
`

const tinyEngine = `
engines:
  - engine: Tiny
    packages: {tiny: [m/tiny]}
    types: {symbolic: ["*tiny.Value"], wrapper: ["*tiny.Jitted"]}
    functions:
      - {kind: wrap, traced: [0], names: [tiny.Jit]}
      - {kind: call, names: [(*tiny.Jitted).Run]}
    hints: {print: use tiny.Print}
`

const ffiEffects = `
effects: |
  example.com/m/ffi.Log         print
  (*example.com/m/ffi.Source).Draw random
  example.com/m/ffi.Clean       none
`

// linesOf lists the findings of packages as "file.go:line rule", sorted by package and line.
func linesOf(fset *token.FileSet, results map[string]*analyzer.Result) []string {
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(results)) {
		for _, f := range results[path].Findings {
			pos := fset.Position(f.Pos)
			lines = append(lines, fmt.Sprintf("%s:%d %s", filepath.Base(pos.Filename), pos.Line, f.Category))
		}
	}
	return lines
}

func TestSettingsOfFile(t *testing.T) {
	for _, test := range []struct {
		name, config string
		want         []string
	}{
		{"no engine", "effects: example.com/m/ffi.Log print\n", nil},
		{"own engine", tinyEngine, []string{
			"model.go:15 print", "model.go:19 print", "model.go:23 print", "model.go:27 nested-wrap", "deep.go:6 print",
		}},
		{"own effects", tinyEngine + ffiEffects, []string{
			"model.go:11 print", "model.go:12 random", "model.go:19 print", "model.go:23 print", "model.go:27 nested-wrap", "deep.go:6 print",
		}},
		{"exempt calls", tinyEngine + ffiEffects + `
exempt:
  - {functions: [example.com/m/ffi.Log, (*example.com/m/ffi.Source).Draw], reason: wanted}
`, []string{"model.go:19 print", "model.go:23 print", "model.go:27 nested-wrap", "deep.go:6 print"}},
		{"exempt functions", tinyEngine + ffiEffects + `
exempt:
  - {functions: [example.com/m/model.debug], rules: [print], reason: wanted}
  - {functions: [(example.com/m/model.T).debug], rules: [write], reason: another rule}
`, []string{"model.go:11 print", "model.go:12 random", "model.go:23 print", "model.go:27 nested-wrap", "deep.go:6 print"}},
		{"exempt packages", tinyEngine + ffiEffects + `
exempt:
  - {packages: [example.com/m/model/internal/...], reason: wanted}
  - {packages: [example.com/m/model], rules: [print, random], reason: wanted}
`, []string{"model.go:27 nested-wrap"}},
		{"rules", tinyEngine + ffiEffects + "enable: [print, random]\ndisable: [print]\n", []string{"model.go:12 random"}},
		{"severity", tinyEngine + ffiEffects + "severity: error\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			vettest.Enter(t, configuredPackages)
			vettest.Write(t, analyzer.ConfigFileName, test.config)
			require.Empty(t, cmp.Diff(test.want, linesOf(analyze(t, analyzer.Config{}, "./model/..."))))
		})
	}
}

func TestSettingsOfDriver(t *testing.T) {
	vettest.Enter(t, configuredPackages)
	vettest.Write(t, analyzer.ConfigFileName, tinyEngine+"enable: [nested-wrap]\n")
	config := analyzer.Config{Settings: analyzer.Settings{
		Enable:  []string{"print", "nested-wrap"},
		Effects: "example.com/m/ffi.Log print\n",
		Exempt:  []analyzer.Exemption{{Packages: []string{"example.com/m/model/internal/deep"}, Reason: "test"}},
	}}
	require.Empty(t, cmp.Diff([]string{
		"model.go:11 print", "model.go:15 print", "model.go:19 print", "model.go:23 print", "model.go:27 nested-wrap",
	}, linesOf(analyze(t, config, "./model/..."))))

	config.NoFile = true // and so without the engine
	require.Empty(t, linesOf(analyze(t, config, "./model/...")))

	for _, settings := range []analyzer.Settings{
		{Severity: "loud"}, {Enable: []string{"prnt"}}, {Effects: "F print"}, {Exempt: []analyzer.Exemption{{Reason: "none"}}},
	} {
		_, err := analyzer.New(analyzer.Config{Settings: settings})
		require.Error(t, err, settings)
	}
}

func ExampleCheckConfigFile() {
	fmt.Println(analyzer.CheckConfigFile("missing/.tracelint.yaml"))
	// Output: settings: lstat missing/.tracelint.yaml: no such file or directory
}
