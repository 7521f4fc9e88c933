package roots

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/middle"
)

// Tower is a root by its signature.
func Tower(scope *model.Scope, x *model.Node) *graph.Node {
	fmt.Println("tower") // want `fmt\.Println.*\(print\)$`
	return x
}

// Heads is one through slices, Named through maps, Mapped through batches, Pair through arrays, All through variadics.
func Heads(xs []*graph.Node) ([]*graph.Node, error) {
	fmt.Println("heads") // want `fmt\.Println.*\(print\)$`
	return xs, nil
}

// Named is one.
func Named(inputs map[string]*graph.Node) map[string]*graph.Node {
	fmt.Println("named") // want `fmt\.Println.*\(print\)$`
	return inputs
}

// Mapped is one.
func Mapped(batch dataset.GraphBatch) dataset.GraphBatch {
	fmt.Println("mapped") // want `fmt\.Println.*\(print\)$`
	return batch
}

// Pair is one.
func Pair(x [2]*graph.Node) *graph.Node {
	fmt.Println("pair") // want `fmt\.Println.*\(print\)$`
	return x[0]
}

// All is one.
func All(xs ...*graph.Node) *graph.Node {
	fmt.Println("all") // want `fmt\.Println.*\(print\)$`
	middle.Step()      // want `middle\.Step -> helper\.Deep -> .*bottom: slog\.Info prints.*\(print\)$`
	return xs[0]
}

// Literal holds one.
func Literal() {
	gelu := func(x *graph.Node) *graph.Node {
		fmt.Println("gelu") // want `fmt\.Println.*\(print\)$`
		return x
	}
	_ = gelu
}

type block struct{ x *graph.Node }

// Apply is a method that is one.
func (b *block) Apply(x *graph.Node) *graph.Node {
	fmt.Println("apply") // want `fmt\.Println.*\(print\)$`
	return x
}

// Output has a node in its receiver only.
func (b *block) Output() *graph.Node {
	fmt.Println("output") // a receiver is no parameter
	return b.x
}

// Weights takes a scope and a graph alone.
func Weights(scope *model.Scope, g *graph.Graph) *graph.Node {
	fmt.Println("weights") // neither is a symbolic value
	return scope.VariableWithValue("w", 1.0).NodeValue(g)
}

// Describe gives no node.
func Describe(x *graph.Node) string {
	fmt.Println("describe") // no symbolic result
	return x.String()
}

// Later takes functions and channels of nodes.
func Later(f func(*graph.Node) *graph.Node, c chan *graph.Node) *graph.Node {
	fmt.Println("later") // not inside of func and chan types
	return nil
}

// Wrapped takes a struct of this package.
func Wrapped(b block) *graph.Node {
	fmt.Println("wrapped") // not in structs but for the engine's batches
	return b.x
}

// Materialise is host code.
func Materialise(values []*tensors.Tensor) []*tensors.Tensor {
	fmt.Println("materialise") // no node at all
	return values
}

// logger has the engine's type for loggers.
var logger graph.LoggerFn = func(g *graph.Graph, messages []string, values []*tensors.Tensor, nodes []graph.NodeId) {
	fmt.Println(messages) // a host callback
}

// Attach hands functions of graphs to the host.
func Attach(exec *graph.Exec) {
	exec.SetNodeLogger(logger)
	show := func(x *graph.Node) *graph.Node {
		middle.OnHost(func() {}) // no effect
		return x
	}
	_ = show
}
