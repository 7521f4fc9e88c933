package gomlx

import "github.com/gomlx/gomlx/core/graph"

// GraphsBuilt returns the number of graphs that GoMLX builds while block runs:
// one for each trace of any wrapper, also of those that one does not own, one
// for each initialisation of variables, and one for each hand-made graph.
//
// GoMLX numbers its graphs through the whole process, so what other goroutines
// build meanwhile counts too.
func GraphsBuilt(block func()) int {
	first := nextGraphID()
	block()
	return int(nextGraphID() - first - 1)
}

// nextGraphID uses a number up: GoMLX tells numbers by its graphs only. An
// empty graph needs no backend.
func nextGraphID() graph.GraphId {
	return graph.NewGraph(nil, "tracelint probe").GraphId()
}
