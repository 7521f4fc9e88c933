package model

import (
	"os"

	"github.com/gomlx/gomlx/core/graph"
)

func debug(x *graph.Node) *graph.Node {
	if os.Getenv("DEBUG") != "" {
		return x
	}
	return graph.Add(x, x)
}

var wrapped = graph.MustNewExec(nil, debug)
