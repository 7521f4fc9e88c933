package print

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

// Single has one use of fmt, whose import goes with it.
func Single(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		fmt.Println("x", x) // want `\(print\)$`
		return x
	})
}
