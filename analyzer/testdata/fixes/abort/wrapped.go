package abort

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/pkg/errors"
)

var errRank = errors.New("rank")

func wrapped(x *graph.Node) *graph.Node {
	if x.Rank() == 0 {
		panic("no scalars") // want `\(abort\)$`
	}
	if x.Rank() == 1 {
		panic(errRank)
	}
	return x
}
