package function

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// The ready-made ops are those of GoMLX's package graph, with its rules for
// shapes. [Ctx.Op] takes all others.

func (c *Ctx) unary(name string, op func(*graph.Node) *graph.Node, x Tensor) Tensor {
	return c.Op(name, func(_ *graph.Graph, n []*graph.Node) *graph.Node { return op(n[0]) }, x)
}

func (c *Ctx) binary(name string, op func(a, b *graph.Node) *graph.Node, x, y Tensor) Tensor {
	return c.Op(name, func(_ *graph.Graph, n []*graph.Node) *graph.Node { return op(n[0], n[1]) }, x, y)
}

// Add returns x + y.
func (c *Ctx) Add(x, y Tensor) Tensor { return c.binary("add", graph.Add, x, y) }

// Sub returns x - y.
func (c *Ctx) Sub(x, y Tensor) Tensor { return c.binary("sub", graph.Sub, x, y) }

// Mul returns x * y, element by element.
func (c *Ctx) Mul(x, y Tensor) Tensor { return c.binary("mul", graph.Mul, x, y) }

// Div returns x / y, element by element.
func (c *Ctx) Div(x, y Tensor) Tensor { return c.binary("div", graph.Div, x, y) }

// MatMul returns the product of two matrices.
func (c *Ctx) MatMul(x, y Tensor) Tensor { return c.binary("matmul", graph.MatMul, x, y) }

// Neg returns -x.
func (c *Ctx) Neg(x Tensor) Tensor { return c.unary("neg", graph.Neg, x) }

// Exp returns e to the power of x.
func (c *Ctx) Exp(x Tensor) Tensor { return c.unary("exp", graph.Exp, x) }

// Log returns the natural logarithm of x.
func (c *Ctx) Log(x Tensor) Tensor { return c.unary("log", graph.Log, x) }

// Sqrt returns the square root of x.
func (c *Ctx) Sqrt(x Tensor) Tensor { return c.unary("sqrt", graph.Sqrt, x) }

// Tanh returns the hyperbolic tangent of x.
func (c *Ctx) Tanh(x Tensor) Tensor { return c.unary("tanh", graph.Tanh, x) }

// Square returns x * x.
func (c *Ctx) Square(x Tensor) Tensor { return c.unary("square", graph.Square, x) }

// Relu returns the greater of x and 0.
func (c *Ctx) Relu(x Tensor) Tensor {
	return c.unary("relu", func(n *graph.Node) *graph.Node { return graph.Max(n, graph.ScalarZero(n.Graph(), n.DType())) }, x)
}

// Sum returns the sum over the axes, or over all of them if none are given.
func (c *Ctx) Sum(x Tensor, axes ...int) Tensor {
	return c.unary("sum", func(n *graph.Node) *graph.Node { return graph.ReduceSum(n, axes...) }, x)
}

// Mean returns the mean over the axes, or over all of them if none are given.
func (c *Ctx) Mean(x Tensor, axes ...int) Tensor {
	return c.unary("mean", func(n *graph.Node) *graph.Node { return graph.ReduceMean(n, axes...) }, x)
}

// Reshape returns x with other dimensions, one of which may be -1.
func (c *Ctx) Reshape(x Tensor, dims ...int) Tensor {
	return c.unary("reshape", func(n *graph.Node) *graph.Node { return graph.Reshape(n, dims...) }, x)
}

// Cast returns x with elements of another type.
func (c *Ctx) Cast(x Tensor, dtype dtypes.DType) Tensor {
	return c.unary("cast", func(n *graph.Node) *graph.Node { return graph.ConvertDType(n, dtype) }, x)
}

// Concat joins tensors along an axis.
func (c *Ctx) Concat(axis int, x ...Tensor) Tensor {
	return c.Op("concat", func(_ *graph.Graph, n []*graph.Node) *graph.Node { return graph.Concatenate(n, axis) }, x...)
}
