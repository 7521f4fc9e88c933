// Package recursivetrace holds the cases of rule recursive-trace: wrappers called by the functions that they wrap. Such a call is
// one finding, of this rule, though it is nested too.
package recursivetrace

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Direct calls itself.
func Direct(backend compute.Backend) *graph.Exec {
	var exec *graph.Exec
	exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		y := exec.MustCall1(float32(1)) // want `MustCall1.*\(recursive-trace\)$`
		return graph.Add(x, graph.Const(x.Graph(), y))
	})
	return exec
}

var global *graph.Exec

// Setup wraps a function that calls the variable's wrapper.
func Setup(backend compute.Backend) {
	global = graph.MustNewExec(backend, even)
}

func even(x *graph.Node) *graph.Node { return odd(x) }

func odd(x *graph.Node) *graph.Node {
	if x.Rank() > 2 {
		return even(graph.ReduceSum(x, 0))
	}
	y := global.MustCall1(float32(1)) // want `MustCall1.*\(recursive-trace\)$`
	return graph.Add(x, graph.Const(x.Graph(), y))
}

type generator struct {
	exec *model.Exec
	one  *graph.ExecOneOutput
}

func newGenerator(backend compute.Backend) *generator {
	g := &generator{}
	g.exec = model.MustNewExec(backend, model.NewStore(), g.step)
	g.one = graph.MustNewExec1(backend, g.first)
	return g
}

func (g *generator) step(scope *model.Scope, x *graph.Node) *graph.Node {
	y, err := g.exec.Call1(float32(1)) // want `Call1.*\(recursive-trace\)$`
	if err != nil {
		panic(err)
	}
	return graph.Add(x, graph.Const(x.Graph(), y))
}

func (g *generator) first(x *graph.Node) *graph.Node { return g.second(x) }

func (g *generator) second(x *graph.Node) *graph.Node {
	y := g.one.MustCall(float32(1)) // want `MustCall.*\(recursive-trace\)$`
	return graph.Add(x, graph.Const(x.Graph(), y))
}

// Silent wraps functions that do not call their own wrappers.
func Silent(backend compute.Backend) []*graph.Exec {
	first := graph.MustNewExec(backend, countdown)
	second := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		y := first.MustCall1(float32(1)) // want `MustCall1.*\(nested-wrap\)$`
		return graph.Add(x, graph.Const(x.Graph(), y))
	})
	var logged *graph.Exec
	logged = graph.MustNewExec(backend, countdown)
	logged.SetNodeLogger(func(*graph.Graph, []string, []*tensors.Tensor, []graph.NodeId) {
		logged.MustCall1(float32(1)) // a host callback
	})
	var named *graph.Exec
	named = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		x.SetLogged(named.Name()) // asks, does not call
		return x
	})
	for range 3 {
		named.MustCall1(float32(1)) // host code
	}
	return []*graph.Exec{first, second, logged, named}
}

// countdown calls itself, not its wrapper.
func countdown(x *graph.Node) *graph.Node {
	if x.Rank() == 0 { // shapes end the recursion
		return x
	}
	return countdown(graph.ReduceSum(x, 0)) // a plain call
}

// repeat is called with its own function, not with its wrapper.
func repeat(f func(*graph.Node) *graph.Node, n int, x *graph.Node) *graph.Node {
	for range n {
		x = f(x) // a plain call
	}
	return x
}

// Repeated wraps a function that repeats another.
func Repeated(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return repeat(countdown, 3, x) // a plain call
	})
}
