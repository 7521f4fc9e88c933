package maporder

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// kept holds what no fix is certain for.
func kept(scope *model.Scope, x *graph.Node) *graph.Node {
	floats := map[float64]int{1: 2}
	for f, width := range floats { // want `\(map-order\)$`
		x = graph.AddScalar(x, f+float64(width)) // among floats may be NaN
	}
	pairs := map[[2]int]int{}
	for pair, width := range pairs { // want `\(map-order\)$`
		x = graph.AddScalar(x, pair[0]+width) // arrays have no order
	}
	pending := map[string]int{"a": 1}
	for name, width := range pending { // want `\(map-order\)$`
		x = graph.AddScalar(x, width)
		delete(pending, "not "+name) // those to come may go
	}
	for name, width := range fading.widths { // want `\(map-order\)$`
		x = graph.AddScalar(x, width)
		fading.forget(name + "s") // the same
	}
	grown := map[string]int{"a": 1}
	for name, width := range grown { // want `\(map-order\)$`
		x = graph.AddScalar(x, width)
		grown[name] = 0 // changed while it is read
	}
	for _, width := range make(map[string]int, len(grown)) { // want `\(map-order\)$`
		x = graph.AddScalar(x, width)
	}
	widths := map[string]int{"a": 8, "b": 16}
	for _, width := range widths { // want `\(map-order\)$`
		width := float64(width) // declared anew
		x = graph.MulScalar(x, width)
	}
	slices := []int{1}
	for _, width := range widths { // want `\(map-order\)$`
		x = graph.MulScalar(x, width+slices[0]) // slices is no package here
	}
	for axis, width := range (map[axis]int)(nil) { // want `\(map-order\)$`
		x = graph.AddScalar(x, width+int(axis))
	}
	return x
}

var fading = &memory{}

type memory struct{ widths map[string]int }

func (m *memory) forget(name string) { delete(m.widths, name) } // want `\(write\)$`
