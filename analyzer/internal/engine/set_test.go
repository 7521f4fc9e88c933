package engine_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

const graphSource = `package graph
type Node struct{ graph *Graph }
type Graph struct{}
type Exec struct{}
func (*Exec) MustCall(args ...any) []any { return nil }
func (*Exec) Name() string { return "" }
type ExecOneOutput struct{ *Exec }
type Function interface{ func(*Node) *Node | func(*Graph) *Node }
func NewExec[F Function](backend any, f F) (*Exec, error) { return nil, nil }
type NodeInputs interface{ CloneWithInputs(n *Node, in ...*Node) *Node }
func RNGStateFromSeed(seed int64) any { return nil }
var ReduceAndKeepMasked = func(x, mask *Node, f func(x, mask *Node) *Node) *Node { return f(x, mask) }
`

const userSource = `package user
import (
	"testing"
	"github.com/gomlx/gomlx/core/graph"
)
type Node = graph.Node
type Tower struct{ *graph.Exec; width int }
type Pair[T any] struct{ First, Second T }
type Nodes []*graph.Node
type Tree map[string]Tree
type Inputs struct{}
func (Inputs) CloneWithInputs(n *graph.Node, in ...*graph.Node) *graph.Node { return n }
type Other struct{}
func (Other) CloneWithInputs() {}
func build(x *Node) *Node { return x }
var ReduceAndKeepMasked = func() {}
var (
	exec, err = graph.NewExec(nil, build)
	tower = Tower{Exec: exec}
	out = tower.MustCall()
	one = graph.ExecOneOutput{Exec: exec}.MustCall
	name = exec.Name
	state = graph.RNGStateFromSeed(1)
	masked = graph.ReduceAndKeepMasked(nil, nil, nil)
)
func generic[A *graph.Node | []*graph.Node, B *graph.Node | int, C any](a A, b B, c C, nodes Nodes, tree Tree) {}

func roots(
	_ func(*Node) *Node,
	_ func(...*graph.Node) []*graph.Node,
	_ func(int, map[string]*graph.Node) ([2]*graph.Node, error),
	_ func(*graph.Graph) *graph.Node,
	_ func(*graph.Node) error,
	_ func(func(*graph.Node)) *graph.Node,
	_ func(chan *graph.Node) *graph.Node,
	_ func(Pair[*graph.Node]) *graph.Node,
	_ func(*testing.T, *graph.Node) *graph.Node,
	_ func(testing.TB, *graph.Node) *graph.Node,
) {}
`

// program is type-checked source.
type program struct {
	pkg  *types.Package
	info *types.Info
}

// check type-checks one file of a package that may import others and the standard library.
func check(t *testing.T, importPath, source string, imports ...*types.Package) program {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, importPath+".go", source, 0)
	require.NoError(t, err)
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	std := importer.ForCompiler(fset, "gc", nil)
	config := types.Config{Importer: importFunc(func(path string) (*types.Package, error) {
		for _, pkg := range imports {
			if pkg.Path() == path {
				return pkg, nil
			}
		}
		return std.Import(path)
	})}
	pkg, err := config.Check(importPath, fset, []*ast.File{file}, info)
	require.NoError(t, err)
	return program{pkg, info}
}

type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// used returns the objects of a name that the program uses.
func (p program) used(name string) types.Object {
	for ident, obj := range p.info.Uses {
		if ident.Name == name {
			return obj
		}
	}
	return nil
}

func (p program) typeOf(name string) types.Type { return p.pkg.Scope().Lookup(name).Type() }

func builtinSet(t *testing.T) *engine.Set {
	t.Helper()
	set, err := engine.NewSet(engine.Builtin()...)
	require.NoError(t, err)
	return set
}

func TestFunc(t *testing.T) {
	set := builtinSet(t)
	graph := check(t, "github.com/gomlx/gomlx/core/graph", graphSource)
	user := check(t, "example.com/user", userSource, graph.pkg)

	newExec := &engine.Func{Engine: "GoMLX", Kind: engine.Wrap, Name: "graph.NewExec", Traced: []int{1}, Seed: -1}
	require.Empty(t, cmp.Diff(newExec, set.Func(user.used("NewExec").(*types.Func))), "an instance")
	call := &engine.Func{Engine: "GoMLX", Kind: engine.Call, Name: "(*graph.Exec).MustCall", Seed: -1, Inputs: new(int)}
	require.Empty(t, cmp.Diff(call, set.Func(user.used("MustCall").(*types.Func))), "a promoted method")
	for selector, selection := range user.info.Selections {
		if selector.Sel.Name == "Name" {
			require.Nil(t, set.Func(selection.Obj().(*types.Func)), "a method without meaning")
		}
	}
	seeded := set.Func(user.used("RNGStateFromSeed").(*types.Func))
	require.Equal(t, 0, seeded.Seed)

	masked := &engine.Func{Engine: "GoMLX", Kind: engine.Inline, Name: "graph.ReduceAndKeepMasked", Inline: []int{2}, Seed: -1}
	require.Empty(t, cmp.Diff(masked, set.Var(user.used("ReduceAndKeepMasked").(*types.Var))), "a variable")
	require.Nil(t, set.Var(user.pkg.Scope().Lookup("ReduceAndKeepMasked").(*types.Var)), "a variable elsewhere")
	require.Nil(t, set.Func(user.pkg.Scope().Lookup("build").(*types.Func)))
	require.Nil(t, set.Func(nil))
	require.Nil(t, set.Var(nil))
	require.Nil(t, set.Func(types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0)))
}

func TestFieldsAndHiddenReceivers(t *testing.T) {
	profile := parse(t, `
engine: Toy
packages:
  toy: [toy]
functions:
  - kind: call
    names: [(*toy.Func).Call, (*toy.Func).Apply]
`)
	set, err := engine.NewSet(profile)
	require.NoError(t, err)
	toy := check(t, "example.com/toy", `package toy
type Func[F any] struct { Call F; *core }
type core struct{}
func (*core) Apply() {}
type Other struct { Call func(); *other }
type other struct{}
func (*other) Apply() {}
`)
	user := check(t, "example.com/user", `package user
import "example.com/toy"
func call(f *toy.Func[func()]) { f.Call(); f.Apply() }
func others(o toy.Other) { o.Call(); o.Apply() }
`, toy.pkg)
	found := map[string]string{}
	for selector, selection := range user.info.Selections {
		var f *engine.Func
		switch obj := selection.Obj().(type) {
		case *types.Func:
			f = set.Func(obj)
		case *types.Var:
			f = set.Var(obj)
		}
		name := types.ExprString(selector)
		found[name] = ""
		if f != nil {
			found[name] = f.Name
		}
	}
	require.Empty(t, cmp.Diff(map[string]string{
		"f.Call":  "(*toy.Func).Call",
		"f.Apply": "(*toy.Func).Apply",
		"o.Call":  "",
		"o.Apply": "",
	}, found))
}

func TestFuncNeedsPathBoundary(t *testing.T) {
	set := builtinSet(t)
	for path, want := range map[string]bool{
		"gomlx/core/graph":                                     true,
		"github.com/gomlx/gomlx/graph":                         true,
		"github.com/gomlx/gomlx/pkg/core/graph":                true,
		"example.com/vendor/github.com/gomlx/gomlx/core/graph": true,
		"github.com/gomlx/gomlx/core/graph [core/graph.test]":  true,
		"github.com/gomlx/gomlx/core/graph_test":               false,
		"example.com/mygomlx/core/graph":                       false,
		"example.com/core/graph":                               false,
		"github.com/gomlx/gomlx/examples/core/graph":           false,
		"github.com/gomlx/gomlx/core/graph/more":               false,
	} {
		graph := check(t, path, graphSource)
		require.Equal(t, want, set.Func(graph.pkg.Scope().Lookup("NewExec").(*types.Func)) != nil, path)
		require.Equal(t, want, set.Symbolic(types.NewPointer(graph.typeOf("Node"))), path)
	}
}

func TestTracedMethod(t *testing.T) {
	set := builtinSet(t)
	graph := check(t, "github.com/gomlx/gomlx/core/graph", graphSource)
	user := check(t, "example.com/user", userSource, graph.pkg)
	method := func(typeName string) *types.Func { return user.typeOf(typeName).(*types.Named).Method(0) }

	require.Equal(t, "(graph.NodeInputs).CloneWithInputs", set.TracedMethod(method("Inputs")).Name)
	require.Nil(t, set.TracedMethod(method("Other")), "same name, other signature")
	require.Nil(t, set.TracedMethod(user.pkg.Scope().Lookup("build").(*types.Func)), "a function")
	require.Nil(t, set.TracedMethod(graph.typeOf("NodeInputs").Underlying().(*types.Interface).Method(0)), "the interface itself")
}

func TestTypes(t *testing.T) {
	set := builtinSet(t)
	graph := check(t, "github.com/gomlx/gomlx/core/graph", graphSource)
	user := check(t, "example.com/user", userSource, graph.pkg)
	generic := user.pkg.Scope().Lookup("generic").Type().(*types.Signature)
	param := func(i int) types.Type { return generic.Params().At(i).Type() }
	node := types.NewPointer(user.typeOf("Node"))

	require.True(t, set.Symbolic(node), "through an alias")
	require.False(t, set.Symbolic(user.typeOf("Node")), "without its star")
	require.False(t, set.Symbolic(param(3)), "a slice")
	require.True(t, set.HasSymbolic(param(3)))
	require.True(t, set.HasSymbolic(types.NewPointer(types.NewMap(types.Typ[types.String], param(3)))))
	require.False(t, set.HasSymbolic(param(4)), "a type that contains itself")
	require.False(t, set.Symbolic(param(0)), "*graph.Node | []*graph.Node")
	require.True(t, set.HasSymbolic(param(0)), "*graph.Node | []*graph.Node")
	require.False(t, set.HasSymbolic(param(1)), "*graph.Node | int")
	require.False(t, set.HasSymbolic(param(2)), "any")
	require.False(t, set.HasSymbolic(types.NewChan(types.SendRecv, node)))
	require.False(t, set.HasSymbolic(user.typeOf("build")))

	require.True(t, set.Owned(node))
	require.True(t, set.Owned(graph.typeOf("Graph")))
	require.False(t, set.Owned(graph.typeOf("Exec")))
	require.False(t, set.Owned(param(3)), "a slice may be anyone's")

	require.True(t, set.Wrapper(types.NewPointer(graph.typeOf("Exec"))))
	require.True(t, set.Wrapper(graph.typeOf("ExecOneOutput")))
	require.True(t, set.Wrapper(user.typeOf("Tower")), "embeds one")
	require.False(t, set.Wrapper(user.typeOf("Inputs")))
}

func TestSignatureRoot(t *testing.T) {
	set := builtinSet(t)
	graph := check(t, "github.com/gomlx/gomlx/core/graph", graphSource)
	user := check(t, "example.com/user", userSource, graph.pkg)
	roots := user.pkg.Scope().Lookup("roots").Type().(*types.Signature).Params()
	var got []string
	for root := range roots.Variables() {
		if set.SignatureRoot(root.Type().(*types.Signature)) {
			got = append(got, types.TypeString(root.Type(), func(p *types.Package) string { return p.Name() }))
		}
	}
	require.Empty(t, cmp.Diff([]string{
		"func(*user.Node) *user.Node",
		"func(...*graph.Node) []*graph.Node",
		"func(int, map[string]*graph.Node) ([2]*graph.Node, error)",
	}, got))
	for root := range roots.Variables() {
		if sig := root.Type().(*types.Signature); set.SignatureRoot(sig) {
			require.Equal(t, "GoMLX", set.SignatureEngine(sig))
		}
	}
	clone := user.typeOf("Inputs").(*types.Named).Method(0).Signature()
	require.True(t, set.SignatureRoot(clone))
}

func TestReaches(t *testing.T) {
	set := builtinSet(t)
	graph := check(t, "github.com/gomlx/gomlx/core/graph", graphSource)
	middle := check(t, "example.com/middle", `package middle; import _ "github.com/gomlx/gomlx/core/graph"`, graph.pkg)
	top := check(t, "example.com/top", `package top; import _ "example.com/middle"`, middle.pkg)
	other := check(t, "example.com/other", `package other; import _ "strings"`)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			require.True(t, set.Reaches(graph.pkg))
			require.True(t, set.Reaches(top.pkg))
			require.False(t, set.Reaches(other.pkg))
		})
	}
	group.Wait()
	require.False(t, set.Reaches(nil))
}

func TestHints(t *testing.T) {
	set := builtinSet(t)
	require.Equal(t, "use Node.SetLogged to see a value at every call", set.Hints("GoMLX").Print)
	require.Equal(t, engine.Hints{}, set.Hints("none"))
}

func ExampleSet_OpaqueModule() {
	set, err := engine.NewSet(engine.Builtin()...)
	if err != nil {
		panic(err)
	}
	for _, path := range []string{
		"github.com/gomlx/gomlx",
		"github.com/gomlx/gomlx/core/graph",
		"github.com/gomlx/gomlx/core/graph [github.com/gomlx/gomlx/core/graph.test]",
		"github.com/gomlx/compute/gobackend",
		"github.com/gomlx/gomlx/examples/mnist",
		"github.com/gomlx/gomlx/cmd/gomlx_checkpoints",
		"github.com/gomlx/gomlxtra",
		"github.com/gomlx/onnx-gomlx/onnx",
	} {
		fmt.Println(set.OpaqueModule(path), path)
	}
	// Output:
	// true github.com/gomlx/gomlx
	// true github.com/gomlx/gomlx/core/graph
	// true github.com/gomlx/gomlx/core/graph [github.com/gomlx/gomlx/core/graph.test]
	// true github.com/gomlx/compute/gobackend
	// false github.com/gomlx/gomlx/examples/mnist
	// false github.com/gomlx/gomlx/cmd/gomlx_checkpoints
	// false github.com/gomlx/gomlxtra
	// false github.com/gomlx/onnx-gomlx/onnx
}
