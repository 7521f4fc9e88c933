// Package nestedwrap holds the cases of rule nested-wrap: wrappers built or called, and run-once helpers, at trace time.
package nestedwrap

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"example.com/fixtures/middle"
)

var double func(x *graph.Node) *graph.Node = twice

func twice(x *graph.Node) *graph.Node { return graph.Add(x, x) }

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, trainer *train.Trainer, batch train.Batch, ds train.Dataset) []*graph.Exec {
	inner := graph.MustNewExec(backend, twice)
	one := graph.MustNewExec1(backend, twice)
	store := model.NewStore()
	scoped := model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node { return x })
	weights := []float32{1, 2, 3}
	s := &scorer{exec: inner, backend: backend}
	return []*graph.Exec{
		graph.MustNewExec(backend, s.score),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			y := inner.MustCall1(weights)                     // want `MustCall1.*\(nested-wrap\)$`
			_, err := inner.Call(weights)                     // want `Call.*\(nested-wrap\)$`
			z, err2 := one.Call(weights)                      // want `Call.*\(nested-wrap\)$`
			_, err3 := scoped.Call1(weights)                  // want `Call1.*\(nested-wrap\)$`
			_, err4 := inner.Compile(x.Shape())               // want `Compile.*\(nested-wrap\)$`
			_, err5 := trainer.TrainStep(batch)               // want `TrainStep.*\(nested-wrap\)$`
			_, err6 := train.NewLoop(trainer).RunSteps(ds, 1) // want `RunSteps.*\(nested-wrap\)$`
			for _, err := range []error{err, err2, err3, err4, err5, err6} {
				if err != nil {
					panic(err)
				}
			}
			return graph.Add(x, graph.Add(graph.Const(x.Graph(), y), graph.Const(x.Graph(), z)))
		}),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			made := graph.MustNewExec(backend, twice)                                                      // want `graph\.MustNewExec.*\(nested-wrap\)$`
			helped := middle.Exec(backend, twice)                                                          // want `middle\.Exec.*\(nested-wrap\)$`
			mapped := dataset.Map(backend, ds, func(b dataset.GraphBatch) dataset.GraphBatch { return b }) // want `dataset\.Map.*\(nested-wrap\)$`
			folded := graph.MustExecOnce(backend, twice, weights)                                          // want `graph\.MustExecOnce.*\(nested-wrap\)$`
			chained := graph.MustNewExec(backend, twice).MustCall1(weights)                                // want `\(nested-wrap\)$`
			_, _, _ = made, helped, mapped
			return graph.Add(x, graph.Add(graph.Const(x.Graph(), folded), graph.Const(x.Graph(), chained)))
		}),
	}
}

type scorer struct {
	exec    *graph.Exec
	backend compute.Backend
	weights []float32
}

func (s *scorer) score(x *graph.Node) *graph.Node {
	y := s.exec.MustCall1(s.weights) // want `MustCall1.*\(nested-wrap\)$`
	return graph.Add(graph.Const(x.Graph(), y), s.fold(x))
}

func (s *scorer) fold(x *graph.Node) *graph.Node {
	folded := model.MustCallOnce(s.backend, nil, func(_ *model.Scope, x *graph.Node) *graph.Node { return x }, s.weights) // want `model\.MustCallOnce.*\(nested-wrap\)$`
	return graph.Const(x.Graph(), folded)
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*graph.Exec {
	inner := graph.MustNewExec(backend, twice)
	weights := inner.MustCall1([]float32{1, 2}) // host code
	var execs []*graph.Exec
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		y := twice(double(x))                                                  // a plain call
		y = graph.Add(y, graph.Const(x.Graph(), weights))                      // computed before wrapping
		half := graph.MustExecOnce(backend, func(g *graph.Graph) *graph.Node { // a note: folds constants
			return graph.Const(g, float32(0.5))
		})
		two := graph.MustExecOnce(backend, twice, float32(1)) // a note: folds constants
		y = graph.Mul(y, graph.Const(x.Graph(), half))
		y = graph.Mul(y, graph.Const(x.Graph(), two))
		describe(inner.Name(), inner.NumDevices()) // neither built nor called
		return controlled(y)
	})
	exec.SetNodeLogger(func(*graph.Graph, []string, []*tensors.Tensor, []graph.NodeId) {
		inner.MustCall1(float32(1)) // a host callback
	})
	return append(execs, exec, inner.SetMaxCache(8))
}

func describe(string, int) {}

// build is host code that Keep calls.
func build(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, twice).SetMaxCache(8) // host code
}

// Keep builds, compiles and calls.
func Keep(backend compute.Backend, trainer *train.Trainer, batch train.Batch) (*graph.Exec, error) {
	exec := build(backend)                              // host code
	if _, err := trainer.TrainStep(batch); err != nil { // host code
		return nil, err
	}
	middle.Exec(backend, passes(exec)).MustCall1(float32(1)) // host code
	return exec, nil
}

// passes captures a wrapper without calling it.
func passes(exec *graph.Exec) func(*graph.Node) *graph.Node {
	return func(x *graph.Node) *graph.Node {
		if exec == nil || exec.GetNodeLogger() == nil { // neither built nor called
			return x
		}
		return graph.OnePlus(x)
	}
}

func controlled(x *graph.Node) *graph.Node {
	g := x.Graph()
	positive := graph.ReduceAllMax(graph.PositiveIndicator(x))
	branch := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node { // part of the same trace
		return []*graph.Node{twice(x)}
	})
	other := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node { // the same
		return []*graph.Node{x}
	})
	x = graph.If(graph.ConvertDType(positive, 1), branch, other)[0]               // takes closures, not wrappers
	square := graph.NewFunction(g, "square", func(g *graph.Graph) []*graph.Node { // part of the same graph
		return []*graph.Node{graph.Const(g, 2.0)}
	})
	return graph.Mul(x, square.Call()[0]) // a call in the graph
}
