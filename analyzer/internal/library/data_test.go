package library

import (
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// A shape is what the table can say about a function's parameters.
type shape struct {
	parameters int
	variadic   bool
	results    int
	callable   []bool // whether a parameter may be a function or iterator
}

// newShape reads "func(PARAMETERS) RESULTS".
func newShape(t *testing.T, text string) shape {
	expr, err := parser.ParseExpr(text)
	require.NoError(t, err, text)
	fn := expr.(*ast.FuncType)
	s := shape{results: fn.Results.NumFields()}
	for _, field := range fn.Params.List {
		_, s.variadic = field.Type.(*ast.Ellipsis)
		s.parameters++
		// A named type or type parameter may be a function's.
		switch field.Type.(type) {
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.StarExpr:
			s.callable = append(s.callable, false)
		default:
			s.callable = append(s.callable, true)
		}
	}
	return s
}

// listed returns the functions of testdata/modules.txt by name.
func listed(t *testing.T) map[string]shape {
	text, err := os.ReadFile("testdata/modules.txt")
	require.NoError(t, err)
	functions := map[string]shape{}
	for line := range strings.Lines(string(text)) {
		if name, signature, found := strings.Cut(strings.TrimSpace(line), " func("); found {
			functions[withoutTypeParameters(name)] = newShape(t, "func("+signature)
		}
	}
	return functions
}

// addLoaded adds the functions of the packages in the build, by name.
func addLoaded(t *testing.T, functions map[string]shape) {
	pkgs, err := load()
	require.NoError(t, err)
	add := func(fn *types.Func) {
		sig := fn.Signature()
		s := shape{parameters: sig.Params().Len(), variadic: sig.Variadic(), results: sig.Results().Len()}
		for param := range sig.Params().Variables() {
			switch param.Type().Underlying().(type) {
			case *types.Signature, *types.Interface, *types.Slice:
				s.callable = append(s.callable, true)
			default:
				s.callable = append(s.callable, false)
			}
		}
		functions[withoutTypeParameters(fn.FullName())] = s
	}
	for _, pkg := range pkgs {
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			switch obj := scope.Lookup(name).(type) {
			case *types.Func:
				add(obj)
			case *types.TypeName:
				named, ok := obj.Type().(*types.Named)
				if !ok || obj.IsAlias() {
					continue
				}
				for method := range named.Methods() {
					add(method)
				}
				if iface, ok := named.Underlying().(*types.Interface); ok {
					for method := range iface.ExplicitMethods() {
						add(method)
					}
				}
			}
		}
	}
}

// TestEmbedded checks the lines that Default takes for granted.
func TestEmbedded(t *testing.T) {
	files, err := data.ReadDir("data")
	require.NoError(t, err)
	var all []byte
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		require.NoError(t, err)
		_, err = Parse(file.Name(), text)
		require.NoError(t, err)
		all = append(all, text...)
	}
	table, err := Parse("data", all) // no line twice in two files
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(table.entries, Default().entries))
	require.Empty(t, cmp.Diff(table.packages, Default().packages))
}

// TestNames holds each line against the function that it names.
func TestNames(t *testing.T) {
	functions := listed(t)
	addLoaded(t, functions)
	methods := map[string][]string{} // by the name of their type's line
	for name := range functions {
		if strings.HasPrefix(name, "(") {
			line := name[:strings.LastIndexByte(name, '.')] + ".*"
			methods[line] = append(methods[line], name)
		}
	}
	table := Default()
	for name, text := range table.entries {
		actions, err := parseActions(text)
		require.NoError(t, err, name)
		if path, found := strings.CutPrefix(name, "package "); found {
			require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(functions)), func(fn string) bool {
				_, listed := table.entries[fn]
				return !listed && strings.HasPrefix(strings.TrimLeft(fn, "(*"), path+".")
			}), "%s stands for no function", name)
			continue
		}
		if strings.HasSuffix(name, ".*") {
			require.True(t, slices.ContainsFunc(methods[name], func(fn string) bool {
				_, listed := table.entries[fn]
				return !listed
			}), "%s stands for no method", name)
			continue
		}
		fn, found := functions[name]
		require.True(t, found, "%s does not exist", name)
		for _, a := range actions {
			requireFits(t, name, a, fn)
		}
		if actions == nil {
			require.True(t, overrides(table, name), "%s takes nothing out of another line", name)
		}
	}
}

// overrides reports whether the function has a line of its type or package too.
func overrides(table *Table, name string) bool {
	_, path, _ := splitEntry(name)
	_, byPackage := table.entries[packageKey(path)]
	_, byType := table.entries[name[:strings.LastIndexByte(name, '.')]+".*"]
	return byPackage || byType
}

// requireFits fails if fn has not what a names.
func requireFits(t *testing.T, name string, a Action, fn shape) {
	t.Helper()
	for _, o := range []Operand{a.On, a.Into} {
		if n, ok := o.Index(); ok {
			require.Less(t, n, fn.parameters, "%s: %s", name, a)
			require.False(t, fn.variadic && n == fn.parameters-1, "%s: %s: write args for the variadic parameter", name, a)
		}
		require.False(t, o == Args && !fn.variadic, "%s: %s", name, a)
		require.False(t, o == Result && fn.results == 0, "%s: %s", name, a)
	}
	switch a.Verb {
	case Wrap, Alias, ResultCalls, ResultCallsOnce, Guard:
		require.NotZero(t, fn.results, "%s: %s", name, a)
	}
	switch a.Verb {
	case Call, Once, Spawn, ResultCalls, ResultCallsOnce:
		if n, ok := a.On.Index(); ok {
			require.True(t, fn.callable[n], "%s: %s", name, a)
		}
	}
}

// TestVerbs checks that the verbs suggested to users are those of the table.
func TestVerbs(t *testing.T) {
	used := map[Verb]bool{}
	for _, text := range Default().entries {
		actions, err := parseActions(text)
		require.NoError(t, err)
		for _, a := range actions {
			used[a.Verb] = true
		}
	}
	require.Empty(t, cmp.Diff(slices.Sorted(maps.Keys(used)), verbs()))
}

// TestSorted keeps each block of lines in the order of its names, parentheses
// and stars aside.
func TestSorted(t *testing.T) {
	files, err := data.ReadDir("data")
	require.NoError(t, err)
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), "# "), "%s does not say what it is about", file.Name())
		var block []string
		for line := range strings.Lines(string(text) + "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				sorted := slices.Clone(block)
				slices.SortStableFunc(sorted, func(a, b string) int { return strings.Compare(sortKey(a), sortKey(b)) })
				require.Empty(t, cmp.Diff(sorted, block), file.Name())
				block = nil
				continue
			}
			block = append(block, line)
		}
	}
}

func sortKey(line string) string {
	name, rest := cutField(line)
	if name == "package" {
		name, _ = cutField(rest)
	}
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(name)
}

// FuzzParse checks that Parse survives any text, and that what it makes of one
// reads back as the same table.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"fmt.Println print\n# comment\n\npackage net io",
		"(*sync.Map).Store keep arg0 arg1 in recv; write recv",
		"a.F prnt", "(a.T[K]).F print", "package", "a.F print arg9999999999", "(*", ").", "a.F ;", "\xff.F io",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Parse("t.txt", []byte(text))
		if err != nil {
			require.Regexp(t, `^t\.txt:\d+: .`, err.Error())
			return
		}
		var again strings.Builder
		for key, text := range table.entries {
			actions, err := parseActions(text)
			require.NoError(t, err)
			again.WriteString(key + " " + actionsText(actions) + "\n")
		}
		second, err := Parse("t.txt", []byte(again.String()))
		require.NoError(t, err, again.String())
		require.Empty(t, cmp.Diff(table.packages, second.packages))
		for key, text := range table.entries {
			want, _ := parseActions(text)
			got, err := parseActions(second.entries[key])
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// actionsText returns actions as the table spells them.
func actionsText(actions []Action) string {
	if actions == nil {
		return string(none)
	}
	var texts []string
	for _, a := range actions {
		texts = append(texts, a.String())
	}
	return strings.Join(texts, "; ")
}

// BenchmarkLoad reads the embedded table, as each run of the analyzer does.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := loadTable(); err != nil {
			b.Fatal(err)
		}
	}
}
