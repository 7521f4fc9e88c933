package function

import (
	"errors"

	"github.com/gomlx/gomlx/core/graph"
)

// Gradient returns the gradient of a scalar with respect to each of the tensors,
// which it was computed from in the same trace: through inner functions too. It
// is GoMLX's. It panics with an error in host code, where ops run one by one and
// leave nothing to differentiate.
func (c *Ctx) Gradient(output Tensor, with ...Tensor) []Tensor {
	check(c.valid())
	operands := append([]Tensor{output}, with...)
	c.convertedOp("gradient", operands)
	if c.trace == nil {
		panic(errors.New("gradient: ops in host code leave no graph to differentiate: compute output and gradient in the body of a function"))
	}
	out, err := c.apply("gradient", func(_ *graph.Graph, x []*graph.Node) []*graph.Node {
		return graph.Gradient(x[0], x[1:]...)
	}, operands)
	check(err)
	return out
}
