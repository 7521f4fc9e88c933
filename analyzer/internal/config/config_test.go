package config_test

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/config"
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/internal/clip"
)

// everything is a file with all keys of the first level.
const everything = `
tests: false
severity: note
enable: [print, write]
disable: [write]
engines:
  - engine: tiny
    packages: {tiny: [example.com/tiny]}
    types: {symbolic: ["*tiny.Value"], wrapper: ["*tiny.Jitted"]}
    functions:
      - kind: wrap
        traced: [0]
        names: [tiny.Jit]
effects: |
  example.com/log.Printf print
  (*example.com/rng.Source).Draw random recv
exempt:
  - packages: [example.com/m/debug/...]
    functions: [example.com/m/log.Debugf, (*example.com/m.Model).Trace]
    rules: [print]
    reason: wanted
`

func TestParse(t *testing.T) {
	got, err := config.Parse(".tracelint.yaml", []byte(everything))
	require.NoError(t, err)
	tests := false
	want := &config.Settings{
		Tests: &tests, Severity: "note", Enable: []string{"print", "write"}, Disable: []string{"write"},
		Engines: []engine.Profile{{
			Engine: "tiny", Packages: map[string][]string{"tiny": {"example.com/tiny"}},
			Types:     engine.Types{Symbolic: []string{"*tiny.Value"}, Wrapper: []string{"*tiny.Jitted"}},
			Functions: []engine.Functions{{Kind: engine.Wrap, Traced: []int{0}, Names: []string{"tiny.Jit"}}},
		}},
		Effects: "example.com/log.Printf print\n(*example.com/rng.Source).Draw random recv\n",
		Exempt: []config.Exemption{{
			Packages:  []string{"example.com/m/debug/..."},
			Functions: []string{"example.com/m/log.Debugf", "(*example.com/m.Model).Trace"},
			Rules:     []string{"print"}, Reason: "wanted",
		}},
	}
	require.Empty(t, cmp.Diff(want, got))

	for _, nothing := range []string{"", "\n# only a comment\n", "{}"} {
		got, err := config.Parse(".tracelint.yaml", []byte(nothing))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(&config.Settings{}, got))
		require.True(t, got.Reports("print"))
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no YAML", "enable: [print\n", `f.yaml:1: did not find expected ',' or ']'`},
		{"no mapping", "- print\n", `f.yaml:1: a list stands where a mapping of keys to values belongs`},
		{"two documents", "tests: true\n---\ntests: false\n", `f.yaml: more than one document: keep one`},
		{"unknown key", "\nenabel: [print]\n", `f.yaml:2: unknown key "enabel": did you mean enable?`},
		{"unknown key that resembles none", "colour: red\n",
			`f.yaml:1: unknown key "colour": use one of disable, effects, enable, engines, exempt, severity, tests`},
		{"unknown keys inside", "exempt:\n  - package: [p]\n    reasons: r\n",
			"f.yaml:2: unknown key \"package\": did you mean packages?\nf.yaml:3: unknown key \"reasons\": did you mean reason?"},
		{"key given twice", "tests: true\ntests: false\n", `f.yaml:2: mapping key "tests" already defined at line 1`},
		{"text for a list", "enable: print\n", "f.yaml:1: `print` stands where a list belongs"},
		{"list for text", "severity: [note]\n", "f.yaml:1: a list stands where text belongs"},
		{"text for a truth value", "tests: perhaps\n", "f.yaml:1: `perhaps` stands where true or false belongs"},
		{"severity", "disable: [print]\nseverity: loud\n", `f.yaml:2: severity: "loud" is unknown: use error, warning or note`},
		{"unknown rule", "# rules\nenable:\n  - print\n  - prnt\n", `f.yaml:4: enable[1]: unknown rule "prnt": did you mean print?`},
		{"the same name where it is right", "enable: [print]\nexempt: [{rules: [prnt], functions: [example.com/m.F], reason: prnt}]\n",
			`f.yaml:2: exempt[0].rules[0]: unknown rule "prnt": did you mean print?`},
		{"exempt nothing", "exempt:\n  - packages: [p]\n    reason: r\n  - rules: [print]\n    reason: r\n",
			`f.yaml:4: exempt[1]: the entry names neither packages nor functions: say what is exempt`},
		{"exempt without a reason", "exempt:\n  - packages: [p]\n    reason: ' '\n", `f.yaml:2: exempt[0]: the entry gives no reason: say why under reason`},
		{"relative package", "exempt: [{packages: [./internal/...], reason: r}]",
			`f.yaml:1: exempt[0].packages[0]: "./internal/..." is no import path: write it in full, as in example.com/m/log or example.com/m/...`},
		{"method without parentheses", "exempt: [{functions: [example.com/m.Model.Trace], reason: r}]",
			`f.yaml:1: exempt[0].functions[0]: "example.com/m.Model.Trace" is a method without parentheses: ` +
				`write (*example.com/m.Model).Trace or (example.com/m.Model).Trace`},
		{"function without package", "exempt: [{functions: [Trace], reason: r}]",
			`f.yaml:1: exempt[0].functions[0]: "Trace" is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write`},
		{"all methods", "exempt: [{functions: [(example.com/m.Model).*], reason: r}]",
			`f.yaml:1: exempt[0].functions[0]: "(example.com/m.Model).*" does not name one function`},
		{"effects", "tests: true\neffects: |\n  example.com/log.Printf print\n  example.com/log.Draw randm\n",
			`f.yaml:2: effects: effects:2: example.com/log.Draw: verb "randm" is unknown: did you mean "random"?`},
		{"engine", "engines:\n  - engine: tiny\n    packages: {tiny: [example.com/tiny]}\n    functions: [{kind: wrap, names: [tiny.Jit]}]\n",
			`f.yaml:2: engines[0]: engine profile: `},
		{"key of an engine", "engines:\n  - engine: tiny\n    functions: [{kinds: wrap}]\n", `f.yaml:3: unknown key "kinds": did you mean kind?`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := config.Parse("f.yaml", []byte(test.text))
			require.Nil(t, got)
			require.Error(t, err)
			if test.name == "engine" {
				require.Contains(t, err.Error(), test.want)
				return
			}
			require.Equal(t, test.want, err.Error())
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add("exempt: [{functions: [F], reason: r}]")
	f.Add("a: &a [*a]\nexempt: *a")
	f.Add("severity: \"\\e[31m\u202e\"")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := config.Parse("f.yaml", []byte(text))
		if err != nil {
			require.Contains(t, err.Error(), "f.yaml:")
			require.Equal(t, clip.PrintableLines(err.Error()), err.Error(), "it is safe to print")
			return
		}
		require.NoError(t, s.Check(), "what was read can be checked again")
	})
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), config.FileName)
	_, err := config.Read(path)
	require.ErrorContains(t, err, "no such file")
	require.NoError(t, os.WriteFile(path, []byte("severity: loud"), 0o644))
	_, err = config.Read(path)
	require.ErrorContains(t, err, ".tracelint.yaml:1: ")

	link := filepath.Join(t.TempDir(), config.FileName)
	require.NoError(t, os.Symlink(path, link))
	_, err = config.Read(link)
	require.ErrorContains(t, err, "is a link: put a plain file there")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("# x\n"), 1<<19), 0o644))
	_, err = config.Read(path)
	require.ErrorContains(t, err, "the file has more than 1048576 bytes")
}

func TestErrorsShowLittleOfTheFileEscaped(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, text := range []string{
		"severity: " + long,
		"severity: \"\\e[31m" + long + "\"",
		"enable: [" + long + "]",
		"exempt: [{packages: [\"" + strings.Repeat("a b ", 1000) + "\"], reason: x}]",
		"exempt: [{functions: [" + long + "], reason: x}]",
		long + ": 1",
		"effects: \"example.com/log.Printf " + long + "\"",
		"effects: \"example.com/" + long + ".F print " + long + "\"",
		"tests: " + long,
		"tests: *" + long,
		"engines: [{engine: e, packages: {" + long + ": []}}]",
		"engines: [{engine: e, packages: {a: [\"" + strings.Repeat("a b ", 1000) + "\"]}}]",
		"\x1b[31m: 1",
	} {
		_, err := config.Parse("s.yaml", []byte(text))
		require.ErrorContains(t, err, "s.yaml")
		require.LessOrEqual(t, len(err.Error()), 600)
		require.NotContains(t, err.Error(), "\x1b")
		require.NotRegexp(t, "x{81}|(a b ){21}", err.Error())
	}
}

func TestErrorsOfOneFileAreFew(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	_, err := config.Parse("s.yaml", []byte(text.String()))
	require.ErrorContains(t, err, "s.yaml:10: unknown key")
	require.True(t, strings.HasSuffix(err.Error(), "s.yaml: and 990 more"), err)
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"m/pkg/sub", "m/nested/pkg", "bare"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for _, file := range []string{".tracelint.yaml", "m/go.mod", "m/.tracelint.yaml", "m/pkg/.tracelint.yaml", "m/nested/go.mod"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, file), nil, 0o644))
	}
	for dir, want := range map[string]string{
		"m": "m/.tracelint.yaml", "m/pkg/sub": "m/.tracelint.yaml",
		"m/pkg":        "m/.tracelint.yaml", // what does not lie beside go.mod is no settings' file
		"m/nested/pkg": "", "bare": "",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		path, inModule := config.Find(filepath.Join(root, dir))
		require.Equal(t, want, path, dir)
		require.Equal(t, dir != "bare", inModule, dir)
	}
}

func TestReports(t *testing.T) {
	for _, test := range []struct {
		enable, disable []string
		print, write    bool
	}{
		{nil, nil, true, true},
		{[]string{"print"}, nil, true, false},
		{nil, []string{"print"}, false, true},
		{[]string{"print"}, []string{"print"}, false, false},
	} {
		s := config.Settings{Enable: test.enable, Disable: test.disable}
		require.Equal(t, test.print, s.Reports("print"), test)
		require.Equal(t, test.write, s.Reports("write"), test)
	}
}

func TestExempted(t *testing.T) {
	model := types.NewPackage("example.com/m/model", "model")
	named := types.NewNamed(types.NewTypeName(token.NoPos, model, "Model", nil), types.NewStruct(nil, nil), nil)
	method := types.NewFunc(token.NoPos, model, "Trace",
		types.NewSignatureType(types.NewVar(token.NoPos, model, "m", types.NewPointer(named)), nil, nil, nil, nil, false))
	function := types.NewFunc(token.NoPos, model, "Run", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	for _, test := range []struct {
		ex   config.Exemption
		rule string
		fn   *types.Func
		want bool
	}{
		{config.Exemption{Packages: []string{"example.com/m/model"}}, "print", function, true},
		{config.Exemption{Packages: []string{"example.com/m/model"}}, "print", nil, true},
		{config.Exemption{Packages: []string{"example.com/m/..."}}, "print", function, true},
		{config.Exemption{Packages: []string{"example.com/m"}}, "print", function, false},
		{config.Exemption{Packages: []string{"example.com/m/mod/..."}}, "print", function, false},
		{config.Exemption{Packages: []string{"example.com/m/..."}, Rules: []string{"write"}}, "print", function, false},
		{config.Exemption{Functions: []string{"example.com/m/model.Run"}}, "print", function, true},
		{config.Exemption{Functions: []string{"example.com/m/model.Run"}}, "print", method, false},
		{config.Exemption{Functions: []string{"(*example.com/m/model.Model).Trace"}, Rules: []string{"print"}}, "print", method, true},
		{config.Exemption{Functions: []string{"(example.com/m/model.Model).Trace"}}, "print", method, false},
		{config.Exemption{Functions: []string{"example.com/m/model.Run"}}, "print", nil, false},
	} {
		s := config.Settings{Exempt: []config.Exemption{test.ex}}
		require.Equal(t, test.want, s.Exempted(test.rule, "example.com/m/model", test.fn), "%+v", test)
	}
}

func ExampleParse() {
	_, err := config.Parse(config.FileName, []byte("severity: note\ndisable: [prnt]\n"))
	fmt.Println(err)
	// Output: .tracelint.yaml:2: disable[0]: unknown rule "prnt": did you mean print?
}
