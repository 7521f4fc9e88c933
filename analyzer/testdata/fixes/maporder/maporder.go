// Package maporder has ranges over maps, with what a fix makes of them.
package maporder

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, store *model.Store) []*model.Exec {
	return []*model.Exec{
		model.MustNewExec(backend, store, ranges),
		model.MustNewExec(backend, store, kept),
		model.MustNewExec(backend, store, iterators),
	}
}

type axis int

type config struct{ widths map[string]int }

var shared = config{map[string]int{"a": 8}}

func ranges(scope *model.Scope, x *graph.Node) *graph.Node {
	widths := map[string]int{"a": 8, "b": 16}
	for name, width := range widths { // want `\(map-order\)$`
		// One layer each.
		x = layers.Dense(scope.In("%s", name), x, true, width)
	}
	for name := range widths { // want `\(map-order\)$`
		x = layers.Dense(scope.In("%s", name), x, true, widths[name])
	}
	for _, width := range shared.widths { // want `\(map-order\)$`
		x = graph.AddScalar(x, width)
	}
	scales := map[axis]float64{}
	for axis, scale := range scales { // want `\(map-order\)$`
		x = graph.MulScalar(x, scale*float64(axis))
	}
	return x
}
