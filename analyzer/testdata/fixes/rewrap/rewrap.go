// Package rewrap has wrappers that loops build anew, with what a fix makes of them.
package rewrap

import (
	"fmt"
	"log"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

func twice(x *graph.Node) *graph.Node { return graph.Add(x, x) }

func both(x *graph.Node) []*graph.Node { return []*graph.Node{x, graph.Neg(x)} }

func scaled(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Mul(x, scope.VariableWithValue("scale", 2.0).NodeValue(x))
}

// Declared moves declarations, each under a name of its own.
func Declared(backend compute.Backend, inputs []float32, factor float64) {
	// Doubles all inputs.
	for _, input := range inputs {
		// The wrapper of the first loop.
		exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))
	}
	for _, input := range inputs {

		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `\(rewrap\)$`
			// The factor is the same in all turns.
			return graph.MulScalar(x, factor)
		}).WithName("scaled")

		fmt.Println(exec.MustCall1(input))
	}
}

// Nested moves a wrapper out of all loops, with the label of the outermost.
func Nested(backend compute.Backend, inputs []float32) {
	exec := "a name that is taken"
outer:
	for epoch := range 10 {
		for _, input := range inputs {
			exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
			if exec.MustCall1(input) == nil {
				continue outer
			}
		}
		fmt.Println(epoch)
	}
	fmt.Println(exec)
}

// Checked moves the check of the error and the deferred Finalize with the wrapper.
func Checked(backend compute.Backend, store *model.Store, inputs []float32) error {
	for _, input := range inputs {
		exec, err := model.NewExec(backend, store, scaled) // want `\(rewrap\)$`
		if err != nil {
			return fmt.Errorf("wrapping: %w", err)
		}
		defer exec.Finalize() // at the end of the function

		y, err := exec.Call1(input)
		if err != nil {
			return err
		}
		fmt.Println(y)
	}
	return nil
}

// CheckedTwice has two errors of one name.
func CheckedTwice(backend compute.Backend, inputs []float32) (err error) {
	for _, input := range inputs {
		exec, err := graph.NewExec(backend, twice) // want `\(rewrap\)$`
		if err != nil {
			log.Fatalf("wrapping: %v", err)
		}
		fmt.Println(exec.MustCall1(input))
	}
	return err
}

// CheckedBare has nothing to return.
func CheckedBare(backend compute.Backend, inputs []float32) {
	for _, input := range inputs {
		exec, err := graph.NewExec(backend, twice) // want `\(rewrap\)$`
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(exec.MustCall1(input))
	}
}

// WithGraph keeps the wrapper, whose graph may be used later.
func WithGraph(backend compute.Backend, inputs []float32) (graphs []*graph.Graph) {
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
		_, g := exec.MustCallWithGraph(input)
		graphs = append(graphs, g)
	}
	return graphs
}

// Chained moves wrappers that have no name.
func Chained(backend compute.Backend, inputs []float32) {
	for i := 0; i < len(inputs); i++ {
		fmt.Println(graph.MustNewExec(backend, twice).SetMaxCache(1).MustCall1(inputs[i])) // want `\(rewrap\)$`
	}
}

// RunOnce turns helpers into wrappers.
func RunOnce(backend compute.Backend, store *model.Store, inputs []float32) []*tensors.Tensor {
	var out []*tensors.Tensor
	for _, input := range inputs {
		out = append(out, graph.MustExecOnce(backend, twice, input))                     // want `\(rewrap\)$`
		out = append(out, graph.MustExecOnceN(backend, both, input)...)                  // want `\(rewrap\)$`
		out = append(out, model.MustCallOnce(backend, store, scaled, 1.0))               // want `\(rewrap\)$`
		out = append(out, model.MustExecOnceN(backend, store, scaled, input)...)         // want `\(rewrap\)$`
		out = append(out, graph.MustExecOnce(backend, func(g *graph.Graph) *graph.Node { // want `\(rewrap\)$`
			return graph.Const(g, 1.0)
		}))
	}
	return out
}
