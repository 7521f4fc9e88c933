package engine_test

import (
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/internal/driver"
)

// source is a module in which packages of an engine can be loaded.
type source struct {
	module   string // relative to the root of the repository
	patterns []string
}

// sources are what each profile is held against: of GoMLX one version for each layout that it has had.
var sources = map[string][]source{
	"GoMLX": {
		{"analyzer/testdata/gomlx", []string{"github.com/gomlx/compute", "github.com/gomlx/compute/shapes", "github.com/gomlx/exceptions",
			"github.com/gomlx/gomlx/core/...", "github.com/gomlx/gomlx/ml/...", "github.com/gomlx/gomlx/support/..."}},
		{"analyzer/testdata/gomlx26", []string{"github.com/gomlx/gomlx/backends", "github.com/gomlx/gomlx/internal/exceptions",
			"github.com/gomlx/gomlx/pkg/..."}},
		{"analyzer/testdata/gomlx23", []string{"github.com/gomlx/exceptions", "github.com/gomlx/gomlx/backends",
			"github.com/gomlx/gomlx/graph/...", "github.com/gomlx/gomlx/ml/...", "github.com/gomlx/gomlx/types/..."}},
	},
	"function": {{"harness/gomlx", []string{"github.com/tracelint/tracelint/harness/gomlx/function"}}},
	"harness":  {{".", []string{"github.com/tracelint/tracelint/harness"}}},
}

// accessors are the methods of wrappers that neither trace nor configure.
var accessors = map[string][]string{
	"GoMLX": {
		"Backend", "Context", "DefaultShardingSpec", "DeviceAssignment", "DeviceNum", "DistributionStrategy", "EvalMetrics",
		"GetNodeLogger", "GlobalStep", "Meshes", "Metrics", "Name", "NumAccumulatingSteps", "NumDevices", "ResetTrainMetrics",
		"Store", "TrainMetrics",
		"AggregateShards", // joins the shards of results
	},
	"function": {"Compilations", "Graph", "Name", "Signature", "Signatures", "String", "TraceCount", "Evicted"},
}

// TestProfilesAgainstSources holds the profiles against the types of the engines: each name of a profile must exist in one of
// the engine's sources, with functions at the indices that it gives wherever it exists; and no function that takes a function of
// the engine's types may be missing, nor a method of its wrappers.
func TestProfilesAgainstSources(t *testing.T) {
	require.Len(t, sources, len(engine.Builtin()))
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	for _, profile := range engine.Builtin() {
		t.Run(profile.Engine, func(t *testing.T) {
			set, err := engine.NewSet(profile)
			require.NoError(t, err)
			c := checker{profile: profile, set: set, found: map[string]bool{}}
			for _, source := range sources[profile.Engine] {
				for _, pkg := range load(t, root, source) {
					c.packageName(t, pkg)
					c.types(t, pkg)
					c.functions(t, pkg)
				}
			}
			for _, name := range c.names() {
				require.True(t, c.found[name], "no source has %s", name)
			}
		})
	}
}

// typesOnly gives the types of each package, which the driver loads from source: compiling so much takes ten times as long.
var typesOnly = &analysis.Analyzer{
	Name: "types",
	Doc:  "give the package's types",
	Run:  func(pass *analysis.Pass) (any, error) { return pass.Pkg, nil },
}

// load type-checks packages of a module below the root.
func load(t *testing.T, root string, from source) []*types.Package {
	t.Helper()
	t.Chdir(filepath.Join(root, filepath.FromSlash(from.module)))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	if strings.Contains(from.module, "testdata") {
		t.Setenv("GOWORK", "off") // testdata's modules are not in the workspace
	}
	loaded, err := driver.Run(driver.Config{}, typesOnly, from.patterns...)
	require.NoError(t, err)
	require.Empty(t, loaded.Errors, from.module)
	var all []*types.Package
	for _, p := range loaded.Packages {
		pkg := p.Result.(*types.Package)
		if pkg.Name() != "main" && !strings.Contains(strings.TrimSuffix(pkg.Path(), "/internal/exceptions"), "/internal/") {
			all = append(all, pkg)
		}
	}
	return all
}

// checker holds one profile against packages.
type checker struct {
	profile *engine.Profile
	set     *engine.Set
	found   map[string]bool // paths, types and functions of the profile
}

// names lists all that must be found.
func (c *checker) names() []string {
	list := c.profile.Types
	names := slices.Concat(list.Symbolic, list.Batch, list.Scope, list.Owned, list.Wrapper, list.Backend)
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "*")
	}
	for ends := range maps.Values(c.profile.Packages) {
		names = append(names, ends...)
	}
	for _, group := range c.profile.Functions {
		names = append(names, group.Names...)
	}
	return names
}

// listed returns the end of an import path that the profile lists, and the name that it gives to it.
func (c *checker) listed(pkg *types.Package) (end, name string) {
	for name, ends := range c.profile.Packages {
		for _, end := range ends {
			if strings.HasSuffix(pkg.Path(), "/"+end) {
				return end, name
			}
		}
	}
	return "", ""
}

func (c *checker) packageName(t *testing.T, pkg *types.Package) {
	t.Helper()
	if end, name := c.listed(pkg); end != "" {
		require.Equal(t, pkg.Name(), name, end)
		c.found[end] = true
	}
}

// types checks the types of a package that the profile lists.
func (c *checker) types(t *testing.T, pkg *types.Package) {
	t.Helper()
	if end, _ := c.listed(pkg); end == "" {
		return
	}
	list := c.profile.Types
	for _, group := range []struct {
		names []string
		holds func(types.Type) bool
	}{
		{list.Symbolic, c.set.Symbolic},
		{list.Batch, c.set.HasSymbolic},
		{list.Scope, c.set.Scope},
		{list.Owned, c.set.Owned},
		{list.Wrapper, c.set.Wrapper},
		{list.Backend, c.set.Backend},
	} {
		for _, name := range group.names {
			plain := strings.TrimPrefix(name, "*")
			ident, ok := strings.CutPrefix(plain, pkg.Name()+".")
			if !ok {
				continue
			}
			obj, ok := pkg.Scope().Lookup(ident).(*types.TypeName)
			if !ok {
				continue
			}
			declared := obj.Type()
			if plain != name {
				require.False(t, group.holds(declared), "%s without its star", name)
				declared = types.NewPointer(declared)
			}
			require.True(t, group.holds(declared), name)
			c.found[plain] = true
		}
	}
}

// functions checks all that a user of a package can call.
func (c *checker) functions(t *testing.T, pkg *types.Package) {
	t.Helper()
	for name, obj := range callable(pkg) {
		var f *engine.Func
		switch obj := obj.(type) {
		case *types.Func:
			f = c.set.Func(obj)
		case *types.Var:
			f = c.set.Var(obj)
		}
		sig, _ := obj.Type().Underlying().(*types.Signature) // none if a field's type is a parameter of its struct's
		if f != nil {
			require.Equal(t, name, f.Name)
			c.found[name] = hasIndices(t, f, sig) || c.found[name]
		} else if receiver, ok := strings.CutPrefix(name, "(*"); ok {
			receiver, method, _ := strings.Cut(receiver, ").")
			owner := pkg.Scope().Lookup(strings.TrimPrefix(receiver, pkg.Name()+"."))
			if c.set.Wrapper(owner.Type()) && !slices.Contains(accessors[c.profile.Engine], method) {
				t.Errorf("%s: method %s of a wrapper is not in the profile", pkg.Path(), name)
			}
		}
		for _, index := range c.engineFunctions(sig) {
			if f == nil || !slices.Contains(slices.Concat(f.Traced, f.Inline, f.Host), index) {
				t.Errorf("%s: parameter %d of %s takes a function of the engine's types and is not in the profile", pkg.Path(), index, name)
			}
		}
	}
}

// hasIndices checks that the parameters at a function's indices can take what the profile says. It is false if this version of
// the function has fewer parameters.
func hasIndices(t *testing.T, f *engine.Func, sig *types.Signature) bool {
	t.Helper()
	if f.Kind == engine.Key { // a field of any type
		return true
	}
	for _, index := range slices.Concat(f.Trains, f.Like, f.Dims, f.Label, optional(f.Inputs), optional(f.Cache), optional(f.Size), optional(f.Drop)) {
		if sig != nil && index >= sig.Params().Len() {
			return false
		}
	}
	if f.Drop != nil {
		require.True(t, types.Identical(types.Typ[types.Bool], sig.Params().At(*f.Drop).Type()), f.Name)
	}
	for _, index := range slices.Concat(optional(f.Cache), optional(f.Size)) {
		require.True(t, types.Identical(types.Typ[types.Int], sig.Params().At(index).Type()), f.Name)
	}
	if f.Key != nil {
		require.Less(t, *f.Key, sig.Results().Len(), f.Name)
	}
	for _, index := range slices.Concat(f.Traced, f.Inline, f.Host, f.Returns) {
		if index >= sig.Params().Len() {
			return false
		}
		param := sig.Params().At(index).Type()
		if len(functionsIn(param)) == 0 {
			iface, ok := param.Underlying().(*types.Interface)
			require.True(t, ok && iface.Empty(), "%s: parameter %d takes no function", f.Name, index)
		}
		if slices.Contains(f.Returns, index) {
			require.True(t, types.Identical(param, sig.Results().At(0).Type()), "%s does not return its parameter %d", f.Name, index)
		}
	}
	if f.Seed >= 0 {
		require.True(t, types.Identical(types.Typ[types.Int64], sig.Params().At(f.Seed).Type()), f.Name)
	}
	return true
}

func optional(index *int) []int {
	if index == nil {
		return nil
	}
	return []int{*index}
}

// callable yields a package's exported functions and methods, and the variables and fields that hold functions, under the names
// that a profile would give them. A method promoted from an unexported field is its struct's.
func callable(pkg *types.Package) func(yield func(string, types.Object) bool) {
	all := map[string]types.Object{}
	add := func(prefix string, obj types.Object) {
		_, function := obj.Type().Underlying().(*types.Signature)
		_, open := obj.Type().(*types.TypeParam)
		if obj.Exported() && (function || open) {
			all[prefix+obj.Name()] = obj
		}
	}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		add(pkg.Name()+".", obj)
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !isType || !ok || !obj.Exported() {
			continue
		}
		pointer := "(*" + pkg.Name() + "." + name + ")."
		for method := range named.Methods() {
			prefix := pointer
			if _, ok := method.Signature().Recv().Type().(*types.Pointer); !ok {
				prefix = "(" + pkg.Name() + "." + name + ")."
			}
			add(prefix, method)
		}
		switch u := named.Underlying().(type) {
		case *types.Interface:
			for method := range u.ExplicitMethods() {
				add("("+pkg.Name()+"."+name+").", method)
			}
		case *types.Struct:
			for field := range u.Fields() {
				if !field.Embedded() {
					add(pointer, field)
					if _, ok := all[pointer+field.Name()]; !ok && field.Exported() { // a cache may be keyed by it
						all["("+pkg.Name()+"."+name+")."+field.Name()] = field
					}
					continue
				}
				embedded, ok := types.Unalias(field.Type()).(*types.Pointer)
				if ok && !field.Exported() {
					for method := range embedded.Elem().(*types.Named).Methods() {
						add(pointer, method)
					}
				}
			}
		}
	}
	return maps.All(all)
}

// engineFunctions returns the indices of the parameters that take a function with a parameter or result of the engine's types.
func (c *checker) engineFunctions(sig *types.Signature) []int {
	if sig == nil {
		return nil
	}
	var indices []int
	for i := range sig.Params().Len() {
		if slices.ContainsFunc(functionsIn(sig.Params().At(i).Type()), func(fn *types.Signature) bool {
			return c.mentionsEngine(fn.Params()) || c.mentionsEngine(fn.Results())
		}) {
			indices = append(indices, i)
		}
	}
	return indices
}

func (c *checker) mentionsEngine(tuple *types.Tuple) bool {
	for v := range tuple.Variables() {
		if c.set.HasSymbolic(v.Type()) || c.set.Owned(v.Type()) || c.set.Wrapper(v.Type()) {
			return true
		}
	}
	return false
}

// functionsIn returns the signatures of the functions that a value of a type is or holds, for a type parameter those of its
// constraint.
func functionsIn(t types.Type) []*types.Signature {
	if param, ok := t.(*types.TypeParam); ok {
		t = param.Constraint()
	}
	var all []*types.Signature
	switch u := t.Underlying().(type) {
	case *types.Signature:
		all = append(all, u)
	case *types.Slice:
		all = functionsIn(u.Elem())
	case *types.Interface:
		for embedded := range u.EmbeddedTypes() {
			all = append(all, functionsIn(embedded)...)
		}
	case *types.Union:
		for term := range u.Terms() {
			all = append(all, functionsIn(term.Type())...)
		}
	}
	return all
}
