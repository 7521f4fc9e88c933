package maporder

import (
	stdmaps "maps"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

func iterators(scope *model.Scope, x *graph.Node) *graph.Node {
	widths := map[string]int{"a": 8, "b": 16}
	for name := range stdmaps.Keys(widths) { // want `\(map-order\)$`
		x = graph.AddScalar(x, widths[name])
	}
	for name, width := range widths { // want `\(map-order\)$`
		x = graph.AddScalar(x, width+len(name))
	}
	return x
}
