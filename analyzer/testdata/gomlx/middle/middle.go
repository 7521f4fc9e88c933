// Package middle stands between the engine's users and package helper.
package middle

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/helper"
)

// Step has the effect of helper.Deep.
func Step() { helper.Deep() }

// Exec passes its function on to the engine.
func Exec(backend compute.Backend, fn func(*graph.Node) *graph.Node) *graph.Exec {
	return graph.MustNewExec(backend, fn)
}

// Execs passes all of its functions on.
func Execs(backend compute.Backend, fns ...func(*graph.Node) *graph.Node) []*graph.Exec {
	var execs []*graph.Exec
	for _, fn := range fns {
		execs = append(execs, Exec(backend, fn))
	}
	return execs
}

// OnHost calls its function on the host, at once.
func OnHost(fn func()) { fn() }

// Adder makes a wrapper whose function captures the offset.
func Adder(backend compute.Backend, offset float64) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.AddScalar(x, offset)
	})
}

// Weight makes a variable.
func Weight(scope *model.Scope, name string) *model.Variable {
	return scope.In("%s", name).VariableWithValue("w", 1.0)
}
