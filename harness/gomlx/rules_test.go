package gomlx_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRuleSnippets compiles the code before and after of each rule's documentation against GoMLX: the rule flags the one,
// and nothing flags the other. What surrounds the snippets is in testdata/rules.
func TestRuleSnippets(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	tracelint := filepath.Join(t.TempDir(), "tracelint")
	command(t, root, "go", "build", "-o", tracelint, "./cmd/tracelint")

	module := snippetModule(t, root)
	var rules []string
	for line := range strings.Lines(command(t, root, tracelint, "rules")) {
		rule := strings.Fields(line)[0]
		rules = append(rules, rule)
		page := command(t, root, tracelint, "explain", rule)
		for _, version := range []string{"Before", "After"} {
			writeSnippet(t, module, rule, version, page)
		}
	}
	require.NotEmpty(t, rules)
	command(t, module, "go", "list", "-mod=mod", "-deps", "./...") // completes go.mod
	found := findings(t, command(t, module, tracelint, "-json", "./..."))
	for _, rule := range rules {
		before, after := found[snippetPath(rule, "Before")], found[snippetPath(rule, "After")]
		require.Contains(t, before, rule, "the code before of %s is not flagged", rule)
		require.Empty(t, after, "the code after of %s is flagged", rule)
	}
}

// command runs a program in a directory, outside of the workspace, and returns what it prints; the program must succeed.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	run := exec.Command(name, args...)
	run.Dir, run.Stderr = dir, &stderr
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := run.Output()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), &stderr)
	return string(out)
}

// snippetModule makes a module that requires what this one does, and this one.
func snippetModule(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	here := filepath.Join(root, "harness", "gomlx")
	mod := strings.Replace(string(text), "module github.com/tracelint/tracelint/harness/gomlx", "module "+snippets, 1)
	require.Contains(t, mod, snippets)
	mod = strings.Replace(mod, "=> ../..", "=> "+root, 1)
	require.Contains(t, mod, root)
	mod += fmt.Sprintf("\nrequire github.com/tracelint/tracelint/harness/gomlx v0.0.0\n"+
		"replace github.com/tracelint/tracelint/harness/gomlx => %s\n", here)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644))
	sums, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	return dir
}

const snippets = "example.com/snippets"

func snippetPath(rule, version string) string {
	return snippets + "/" + rule + "/" + strings.ToLower(version)
}

// writeSnippet writes the package of one version of a rule's code.
func writeSnippet(t *testing.T, module, rule, version, page string) {
	t.Helper()
	frame, err := os.ReadFile(filepath.Join("testdata", "rules", rule+".go"))
	require.NoError(t, err, "a frame for the snippets of %s: a package in which they stand for //SNIPPET", rule)
	require.Equal(t, 1, strings.Count(string(frame), "//SNIPPET"), rule)
	code := regexp.MustCompile("(?s)\n## " + version + "\n\n```go\n(.*?)```\n").FindStringSubmatch(page)
	require.NotNil(t, code, "%s has no code %s", rule, version)
	text := strings.Replace(string(frame), "//SNIPPET", code[1], 1)

	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, rule+".go", text, parser.ParseComments)
	require.NoError(t, err, "%s %s:\n%s", rule, version, text)
	imports := "import (\n"
	for _, path := range importsOf(file) {
		imports += fmt.Sprintf("%q\n", path)
	}
	text = strings.Replace(text, "package snippet\n", "package snippet\n"+imports+")\n", 1)
	formatted, err := format.Source([]byte(text))
	require.NoError(t, err)
	dir := filepath.Join(module, rule, strings.ToLower(version))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "snippet.go"), formatted, 0o644))
}

// importsOf lists the packages that a file uses without importing them.
func importsOf(file *ast.File) []string {
	known := map[string]string{}
	for _, path := range []string{
		"errors", "fmt", "iter", "maps", "math/rand", "os", "slices", "time",
		"github.com/gomlx/compute", "github.com/gomlx/gomlx/core/graph", "github.com/gomlx/gomlx/core/tensors",
		"github.com/gomlx/gomlx/ml/dataset", "github.com/gomlx/gomlx/ml/layers", "github.com/gomlx/gomlx/ml/model",
		"github.com/gomlx/gomlx/ml/train", "github.com/tracelint/tracelint/harness/gomlx/function",
	} {
		known[filepath.Base(path)] = path
	}
	unresolved := map[*ast.Ident]bool{}
	for _, name := range file.Unresolved {
		unresolved[name] = true
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && unresolved[name] && known[name.Name] != "" {
				used[known[name.Name]] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(used))
}

// findings lists the rules that flag each package, by what "go vet -json" would print.
func findings(t *testing.T, text string) map[string][]string {
	t.Helper()
	var tree map[string]map[string][]struct{ Category string }
	require.NoError(t, json.Unmarshal([]byte(text), &tree))
	rules := map[string][]string{}
	for path, analyzers := range tree {
		for _, list := range analyzers {
			for _, finding := range list {
				rules[path] = append(rules[path], finding.Category)
			}
		}
	}
	return rules
}
