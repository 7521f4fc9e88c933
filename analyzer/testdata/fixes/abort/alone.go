package abort

import "github.com/gomlx/gomlx/core/graph"

func alone(x *graph.Node) *graph.Node {
	if x.Rank() > 0 {
		return x
	}
	panic("no scalars") // want `\(abort\)$`
}
