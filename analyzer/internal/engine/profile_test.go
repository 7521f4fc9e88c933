package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

const small = `
engine: Toy
modules: [example.com/toy]
except: [examples]
packages:
  toy: [toy/v1, toy/v2]
types:
  symbolic: ["*toy.Node"]
  wrapper: [toy.Exec]
functions:
  - kind: wrap
    traced: [1]
    names: [toy.New]
  - kind: call
    names: [(*toy.Exec).Call]
  - kind: random
    seed: 0
    names: [toy.Seeded]
hints:
  print: use toy.Print
`

func TestParse(t *testing.T) {
	got, err := engine.Parse("toy.yaml", []byte(small))
	require.NoError(t, err)
	seed := 0
	want := &engine.Profile{
		Engine:   "Toy",
		Modules:  []string{"example.com/toy"},
		Except:   []string{"examples"},
		Packages: map[string][]string{"toy": {"toy/v1", "toy/v2"}},
		Types:    engine.Types{Symbolic: []string{"*toy.Node"}, Wrapper: []string{"toy.Exec"}},
		Functions: []engine.Functions{
			{Kind: engine.Wrap, Traced: []int{1}, Names: []string{"toy.New"}},
			{Kind: engine.Call, Names: []string{"(*toy.Exec).Call"}},
			{Kind: engine.Random, Seed: &seed, Names: []string{"toy.Seeded"}},
		},
		Hints: engine.Hints{Print: "use toy.Print"},
	}
	require.Empty(t, cmp.Diff(want, got))
}

func TestParseRejects(t *testing.T) {
	edit := func(old, replacement string) string {
		require.Contains(t, small, old)
		return strings.Replace(small, old, replacement, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":       {"", "toy.yaml: empty engine profile: give at least engine, packages and functions"},
		"no YAML":       {"engine: [", "toy.yaml: yaml: line 1: did not find expected node content"},
		"two documents": {small + "---\nengine: Other\n", "toy.yaml: more than one document: give each engine a file of its own"},
		"unknown key":   {edit("engine: Toy", "engine: Toy\nversion: 1"), "toy.yaml: yaml: unmarshal errors:\n  line 3: field version not found in type engine.Profile"},
		"no engine":     {edit("engine: Toy", "engine: ''"), "toy.yaml: engine: no name: give the engine's name as messages show it"},
		"no packages":   {"engine: Toy\n", "toy.yaml: packages: none: map each package's name to the ends of its import paths"},
		"module":        {edit("example.com/toy", "example.com/toy/"), `toy.yaml: modules: "example.com/toy/" is no import path`},
		"exception":     {edit("[examples]", "[examples/big]"), `toy.yaml: except: "examples/big" is no directory directly below a module`},
		"path":          {edit("toy/v1", "/toy/v1"), `toy.yaml: packages: toy: "/toy/v1" is no end of an import path: leave out leading and trailing slashes`},
		"no path":       {edit("[toy/v1, toy/v2]", "[]"), "toy.yaml: packages: toy: no path: give the end of its import path"},
		"path twice":    {edit("toy/v2]", "toy/v2]\n  other: [toy/v1]"), "toy.yaml: packages: toy: toy/v1 belongs to other already"},
		"type":          {edit("[toy.Exec]", "[Exec]"), `toy.yaml: types: wrapper: "Exec" is no type: write *graph.Node or dataset.GraphBatch`},
		"type of no package": {edit("[toy.Exec]", "[play.Exec]"),
			"toy.yaml: types: wrapper: play.Exec: unknown package play: list it under packages"},
		"type twice":     {edit("[toy.Exec]", "[toy.Exec, toy.Node]"), "toy.yaml: types: wrapper: toy.Node is in symbolic already"},
		"unknown kind":   {edit("kind: wrap", "kind: wrapper"), `toy.yaml: functions: group 1: unknown kind "wrapper": use one of attach, batch, build-layer, call, configure, decorate, draw, host, host-context, host-value, inline, key, layer, no-return, once, pad, random, recover, recover-type, release, scope, shaped, shuffle, state, test, traced, variable, wrap, yield`},
		"no names":       {edit("[toy.New]", "[]"), "toy.yaml: functions: group 1: kind wrap: no names"},
		"nothing traced": {edit("traced: [1]", "traced: []"), "toy.yaml: functions: group 1: kind wrap: no traced: give the index of the parameter that takes the function"},
		"idle index":     {edit("traced: [1]", "traced: [1]\n    host: [2]"), "toy.yaml: functions: group 1: kind wrap takes no host"},
		"negative index": {edit("traced: [1]", "traced: [-1]"), "toy.yaml: functions: group 1: kind wrap: traced: index -1: indices count from 0"},
		"index twice":    {edit("traced: [1]", "traced: [1, 1]"), "toy.yaml: functions: group 1: kind wrap: index 1 is in both traced and traced"},
		"function":       {edit("[toy.New]", "[New]"), `toy.yaml: functions: group 1: "New" is no function: write graph.NewExec or (*graph.Exec).Call`},
		"starred function": {edit("[toy.New]", `["*toy.New"]`),
			`toy.yaml: functions: group 1: "*toy.New" is no function: write graph.NewExec or (*graph.Exec).Call`},
		"function of no package": {edit("[toy.New]", "[play.New]"), "toy.yaml: functions: group 1: play.New: unknown package play: list it under packages"},
		"function twice":         {edit("(*toy.Exec).Call", "toy.New"), "toy.yaml: functions: group 2: toy.New is in group 1 already"},
		"method twice": {edit("(*toy.Exec).Call]", "(*toy.Exec).Call, (toy.Exec).Call]"),
			"toy.yaml: functions: group 2: (toy.Exec).Call is in group 2 already"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine.Parse("toy.yaml", []byte(c.text))
			require.EqualError(t, err, c.want)
		})
	}
}

func TestNewSetRejects(t *testing.T) {
	toy := parse(t, small)
	_, err := engine.NewSet(toy, toy)
	require.EqualError(t, err, "engine Toy: two profiles of that name: rename one")

	other := parse(t, strings.Replace(small, "engine: Toy", "engine: Other", 1))
	_, err = engine.NewSet(toy, other)
	require.EqualError(t, err, "engine Other: types: symbolic: *toy.Node: another engine's profile has it already")

	functions := parse(t, "engine: Other\npackages:\n  toy: [toy/v2]\nfunctions:\n  - kind: call\n    names: [toy.New]\n")
	_, err = engine.NewSet(toy, functions)
	require.EqualError(t, err, "engine Other: functions: toy.New: another engine's profile has it already")
}

func parse(t *testing.T, text string) *engine.Profile {
	t.Helper()
	p, err := engine.Parse("toy.yaml", []byte(text))
	require.NoError(t, err)
	return p
}
