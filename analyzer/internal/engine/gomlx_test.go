package engine_test

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

// layouts are modules of testdata, one for each layout that GoMLX has had, and what to load there.
var layouts = map[string][]string{
	"gomlx": {"github.com/gomlx/compute", "github.com/gomlx/exceptions",
		"github.com/gomlx/gomlx/core/...", "github.com/gomlx/gomlx/ml/...", "github.com/gomlx/gomlx/support/..."},
	"gomlx26": {"github.com/gomlx/gomlx/backends", "github.com/gomlx/gomlx/internal/exceptions", "github.com/gomlx/gomlx/pkg/..."},
	"gomlx23": {"github.com/gomlx/exceptions", "github.com/gomlx/gomlx/backends",
		"github.com/gomlx/gomlx/graph/...", "github.com/gomlx/gomlx/ml/...", "github.com/gomlx/gomlx/types/..."},
}

// accessors are the methods of wrappers that neither trace nor configure.
var accessors = []string{
	"Backend", "Context", "DefaultShardingSpec", "DeviceAssignment", "DeviceNum", "DistributionStrategy", "EvalMetrics",
	"GetNodeLogger", "GlobalStep", "Meshes", "Metrics", "Name", "NumAccumulatingSteps", "NumDevices", "ResetTrainMetrics",
	"Store", "TrainMetrics",
	"AggregateShards", // joins the shards of results
}

// TestGoMLXProfileAgainstSources holds the profile against the types of three versions of GoMLX: each name of the profile must
// exist in one of them, with functions at the indices that it gives, wherever it exists; and no function that takes a function
// of the engine's types may be missing.
func TestGoMLXProfileAgainstSources(t *testing.T) {
	profile := engineProfile(t, "GoMLX")
	set, err := engine.NewSet(profile)
	require.NoError(t, err)

	loaded := map[string]*types.Package{}
	found := map[string]bool{} // paths, types and functions of the profile
	for layout, patterns := range layouts {
		for _, pkg := range load(t, layout, patterns...) {
			end, name := profilePackage(profile, pkg.Path())
			found[end] = true
			loaded[layout+" "+pkg.Path()] = pkg
			require.True(t, name == "" || name == pkg.Name(), "%s is package %s", end, pkg.Name())
			requireTypes(t, profile, set, pkg, found)
			requireFunctions(t, set, pkg, found)
		}
	}
	for _, ends := range profile.Packages {
		for _, end := range ends {
			require.True(t, found[end], "no version has package %s", end)
		}
	}
	for _, list := range [][]string{profile.Types.Symbolic, profile.Types.Batch, profile.Types.Scope, profile.Types.Owned,
		profile.Types.Wrapper, profile.Types.Backend} {
		for _, name := range list {
			require.True(t, found[strings.TrimPrefix(name, "*")], "no version has type %s", name)
		}
	}
	for _, group := range profile.Functions {
		for _, name := range group.Names {
			require.True(t, found[name], "no version has function %s", name)
		}
	}
}

func engineProfile(t *testing.T, name string) *engine.Profile {
	t.Helper()
	i := slices.IndexFunc(engine.Builtin(), func(p *engine.Profile) bool { return p.Engine == name })
	require.GreaterOrEqual(t, i, 0)
	return engine.Builtin()[i]
}

// load type-checks packages inside one of testdata's modules.
func load(t *testing.T, module string, patterns ...string) []*types.Package {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", module))
	require.NoError(t, err)
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedExportFile,
		Dir:  dir,
		Env:  append(os.Environ(), "GOWORK=off"),
	}, patterns...)
	require.NoError(t, err)
	require.NotEmpty(t, loaded)
	var all []*types.Package
	for _, pkg := range loaded {
		require.Empty(t, pkg.Errors, "%s in %s", pkg.PkgPath, module)
		if pkg.Name != "main" && !strings.Contains(strings.TrimSuffix(pkg.PkgPath, "/internal/exceptions"), "/internal/") {
			all = append(all, pkg.Types)
		}
	}
	return all
}

// profilePackage returns the end of an import path that the profile lists, and the name that it gives to it.
func profilePackage(profile *engine.Profile, importPath string) (end, name string) {
	for name, ends := range profile.Packages {
		for _, end := range ends {
			if strings.HasSuffix(importPath, "/"+end) {
				return end, name
			}
		}
	}
	return "", ""
}

// requireTypes checks the types of a package that the profile lists and marks them found.
func requireTypes(t *testing.T, profile *engine.Profile, set *engine.Set, pkg *types.Package, found map[string]bool) {
	t.Helper()
	for _, list := range []struct {
		names []string
		holds func(types.Type) bool
	}{
		{profile.Types.Symbolic, set.Symbolic},
		{profile.Types.Batch, set.HasSymbolic},
		{profile.Types.Scope, set.Scope},
		{profile.Types.Owned, set.Owned},
		{profile.Types.Wrapper, set.Wrapper},
		{profile.Types.Backend, set.Backend},
	} {
		for _, name := range list.names {
			plain := strings.TrimPrefix(name, "*")
			ident, ok := strings.CutPrefix(plain, pkg.Name()+".")
			if _, owner := profilePackage(profile, pkg.Path()); !ok || owner != pkg.Name() {
				continue
			}
			obj, ok := pkg.Scope().Lookup(ident).(*types.TypeName)
			if !ok {
				continue
			}
			declared := obj.Type()
			if plain != name {
				require.False(t, list.holds(declared), "%s without its star", name)
				declared = types.NewPointer(declared)
			}
			require.True(t, list.holds(declared), name)
			found[plain] = true
		}
	}
}

// requireFunctions checks the exported functions and methods of a package against the profile and marks those of it found.
func requireFunctions(t *testing.T, set *engine.Set, pkg *types.Package, found map[string]bool) {
	t.Helper()
	qualifier := func(p *types.Package) string { return p.Name() }
	for name := range exported(pkg) {
		switch obj := name.(type) {
		case *types.Var:
			if f := set.Var(obj); f != nil {
				require.Equal(t, pkg.Name()+"."+obj.Name(), f.Name)
				found[f.Name] = hasIndices(t, f, obj.Type().Underlying().(*types.Signature)) || found[f.Name]
			}
		case *types.Func:
			full, sig := pkg.Name()+"."+obj.Name(), obj.Signature()
			if recv := sig.Recv(); recv != nil {
				receiver, _, generic := strings.Cut(types.TypeString(recv.Type(), qualifier), "[")
				require.Equal(t, obj.Signature().RecvTypeParams().Len() > 0, generic)
				full = "(" + receiver + ")." + obj.Name()
			}
			f := set.Func(obj)
			for _, index := range engineFunctions(set, sig) {
				if f == nil || !slices.Contains(slices.Concat(f.Traced, f.Inline, f.Host), index) {
					t.Errorf("%s: parameter %d of %s takes a function of the engine's types and is not in the profile", pkg.Path(), index, full)
				}
			}
			if f == nil {
				if sig.Recv() != nil && set.Wrapper(sig.Recv().Type()) && !slices.Contains(accessors, obj.Name()) {
					t.Errorf("%s: method %s of a wrapper is not in the profile", pkg.Path(), full)
				}
				continue
			}
			require.Equal(t, full, f.Name)
			found[f.Name] = hasIndices(t, f, sig) || found[f.Name]
		}
	}
}

// hasIndices checks that the parameters at a function's indices can take what the profile says. It is false if a version of the
// function has fewer parameters.
func hasIndices(t *testing.T, f *engine.Func, sig *types.Signature) bool {
	t.Helper()
	for _, index := range slices.Concat(f.Traced, f.Inline, f.Host) {
		if index >= sig.Params().Len() {
			return false
		}
		param := sig.Params().At(index).Type()
		if it, ok := types.Unalias(param).(*types.Interface); ok && it.Empty() {
			continue
		}
		require.NotEmpty(t, functionsIn(param), "%s: parameter %d takes no function", f.Name, index)
	}
	if f.Seed >= 0 {
		require.True(t, types.Identical(types.Typ[types.Int64], sig.Params().At(f.Seed).Type()), f.Name)
	}
	return true
}

// exported yields the exported functions, function variables and methods, of interfaces too, of a package.
func exported(pkg *types.Package) func(yield func(types.Object) bool) {
	return func(yield func(types.Object) bool) {
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			switch obj := obj.(type) {
			case *types.Func:
				if !yield(obj) {
					return
				}
			case *types.Var:
				if _, ok := obj.Type().Underlying().(*types.Signature); ok && !yield(obj) {
					return
				}
			case *types.TypeName:
				named, ok := obj.Type().(*types.Named)
				if !ok {
					continue // an alias's methods come with its origin
				}
				for method := range named.Methods() {
					if method.Exported() && !yield(method) {
						return
					}
				}
				if iface, ok := named.Underlying().(*types.Interface); ok {
					for method := range iface.ExplicitMethods() {
						if method.Exported() && !yield(method) {
							return
						}
					}
				}
			}
		}
	}
}

// engineFunctions returns the indices of the parameters that take a function with a parameter or result of the engine's types.
func engineFunctions(set *engine.Set, sig *types.Signature) []int {
	var indices []int
	for i := range sig.Params().Len() {
		if slices.ContainsFunc(functionsIn(sig.Params().At(i).Type()), func(fn *types.Signature) bool {
			return mentionsEngine(set, fn.Params()) || mentionsEngine(set, fn.Results())
		}) {
			indices = append(indices, i)
		}
	}
	return indices
}

func mentionsEngine(set *engine.Set, tuple *types.Tuple) bool {
	for v := range tuple.Variables() {
		if set.HasSymbolic(v.Type()) || set.Owned(v.Type()) || set.Wrapper(v.Type()) {
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
