// Package staleread holds the cases of rule stale-read: what a trace freezes though it changes.
package staleread

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"example.com/fixtures/helper"
	"example.com/fixtures/middle"
)

// Between assigns between two calls.
func Between(backend compute.Backend, x *tensors.Tensor) []*tensors.Tensor {
	scale := 2.0
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, scale) // want `^scale is frozen.*\(staleread\.go:\d+\).*pass it as an argument.*\(stale-read\)$`
	})
	first := exec.MustCall1(x)
	scale = 3
	return []*tensors.Tensor{first, exec.MustCall1(x)}
}

// Turns assigns in each turn of the loop that calls.
func Turns(backend compute.Backend, x *tensors.Tensor) {
	var step int
	rate := 1.0
	options := struct{ offset float64 }{}
	weights := []float64{1, 2}
	widths := map[string]int{}
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		x = graph.AddScalar(x, options.offset) // want `^options is frozen.*\(stale-read\)$`
		x = graph.MulScalar(x, weights[0])     // want `^weights is frozen.*\(stale-read\)$`
		x = graph.AddScalar(x, widths["x"])    // want `^widths is frozen.*\(stale-read\)$`
		x = graph.AddScalar(x, step)           // want `^step is frozen.*\(stale-read\)$`
		return graph.MulScalar(x, rate)        // want `^rate is frozen.*\(stale-read\)$`
	})
	for step = 0; step < 10; step++ {
		exec.MustCall1(x)
		rate *= 0.9
		options.offset++
		weights[0] /= 2
		widths["x"] = step
	}
}

// Elsewhere assigns through pointers, literals and functions that change what they are given.
func Elsewhere(backend compute.Backend, x *tensors.Tensor) *graph.Exec {
	var count, width int
	var depth float64
	set := func(to float64) { depth = to }
	layer := func(x *graph.Node) *graph.Node {
		return graph.AddScalar(x, count) // want `^count is frozen.*\(stale-read\)$`
	}
	exec := middle.Exec(backend, func(x *graph.Node) *graph.Node {
		x = graph.AddScalar(layer(x), width) // want `^width is frozen.*\(stale-read\)$`
		return graph.MulScalar(x, depth)     // want `^depth is frozen.*\(stale-read\)$`
	})
	helper.Bump(&count)
	if _, err := fmt.Sscan("3", &width); err != nil {
		panic(err)
	}
	set(2)
	return exec
}

var (
	temperature = 1.0
	threshold   = 0.5
	bias        = 0.0
	gain        = 1.0
	atInit      = 1.0
	sampler     = graph.MustNewExec(nil, sample)
)

func init() { atInit = 2 }

// SetTemperature assigns after the initialisation that wraps.
func SetTemperature(to float64) { temperature = to }

func sample(x *graph.Node) *graph.Node {
	x = graph.MulScalar(x, atInit)
	x = graph.MulScalar(x, gain)           // assigned by an initialiser alone
	return graph.DivScalar(x, temperature) // want `^temperature is frozen.*\(stale-read\)$`
}

var _ = setGain(3)

func setGain(to float64) bool {
	gain = to
	return true
}

// Sample uses the package's wrapper.
func Sample(x *tensors.Tensor) *tensors.Tensor { return sampler.MustCall1(x) }

func clip(x *graph.Node) *graph.Node {
	return graph.AddScalar(graph.MaxScalar(x, threshold), bias) // want `^threshold is frozen.*\(stale-read\)$`
}

func newClip(backend compute.Backend) *graph.Exec { return graph.MustNewExec(backend, clip) }

// Run assigns a package variable between the making of the wrapper and its call.
func Run(backend compute.Backend, x *tensors.Tensor) *tensors.Tensor {
	bias = 1 // before wrapping
	exec := newClip(backend)
	threshold = 0.7
	return exec.MustCall1(x)
}

// HostValue reads what a variable holds at the time of the trace.
func HostValue(backend compute.Backend, store *model.Store) *model.Exec {
	return model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
		v := scope.VariableWithValue("scale", 2.0)
		x = graph.Mul(x, graph.Const(x.Graph(), v.MustValue())) // want `MustValue gives the value at the time of the trace.*\(stale-read\)$`
		x = graph.MulScalar(x, level(v))
		x = graph.Mul(x, v.NodeValue(x))      // the idiom
		if v.MustValue().Shape().Rank() > 0 { // shapes never change
			x = graph.ReduceAllSum(x)
		}
		return x
	})
}

func level(v *model.Variable) float64 {
	value, err := v.Value() // want `Value gives the value at the time of the trace.*\(stale-read\)$`
	if err != nil {
		panic(err)
	}
	return value.Value().(float64)
}

// Train assigns in a callback that runs between the steps.
func Train(backend compute.Backend, store *model.Store, ds train.Dataset) error {
	rate := 1.0
	network := func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.MulScalar(inputs[0], rate)} // want `^rate is frozen.*\(stale-read\)$`
	}
	trainer := train.NewTrainer(backend, store, network, loss.MeanSquaredError, optimizer.StochasticGradientDescent().Done(), nil, nil)
	loop := train.NewLoop(trainer)
	loop.OnStep("decay", 0, func(*train.Loop, []*tensors.Tensor) error {
		rate *= 0.9
		return nil
	})
	_, err := loop.RunSteps(ds, 10)
	return err
}
