// Package rewrap has run-once helpers of GoMLX v0.26 in loops, with what a fix makes of them.
package rewrap

import (
	"fmt"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/ml/context"
)

func twice(x *graph.Node) *graph.Node { return graph.Add(x, x) }

func scaled(ctx *context.Context, x *graph.Node) *graph.Node {
	return graph.Mul(x, ctx.VariableWithValue("scale", 2.0).ValueGraph(x.Graph()))
}

// RunOnce turns helpers into wrappers.
func RunOnce(backend backends.Backend, ctx *context.Context, inputs []float32) {
	for _, input := range inputs {
		fmt.Println(graph.MustExecOnce(backend, twice, input))           // want `\(rewrap\)$`
		fmt.Println(context.MustExecOnceN(backend, ctx, scaled, 1.0)[0]) // want `\(rewrap\)$`
	}
	for _, input := range inputs {
		exec := context.MustNewExec(backend, ctx, scaled) // want `\(rewrap\)$`
		fmt.Println(exec.MustExec1(input))
	}
}
