package rewrap

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Kept holds what no fix is certain for.
func Kept(backend compute.Backend, store *model.Store, inputs []float32, batches [][]float32) {
	for _, batch := range batches {
		exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(batch))        // more shapes than a cache holds
	}
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))
		exec.Finalize() // ends the wrapper in each turn
	}
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `\(rewrap\)$`
			fmt.Println("tracing") // want `\(print\)$`
			return graph.OnePlus(x)
		})
		fmt.Println(exec.MustCall1(input))
	}
	for _, input := range inputs {
		exec := model.MustNewExec(backend, store, scaled) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))
		store.RootScope().SetParam("rate", float64(input)) // read at trace time, maybe
	}
	for _, input := range inputs {
		exec := graph.MustNewExec(pick(), twice) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))       // what pick does would happen once
	}
	for _, input := range inputs {
		exec, err := graph.NewExec(backend, twice) // want `\(rewrap\)$`
		if err != nil {
			fmt.Println(err, input)
			continue // has no loop to go on with
		}
		fmt.Println(exec.MustCall1(input))
	}
	for _, input := range inputs {
		y, err := graph.ExecOnce(backend, twice, input) // want `\(rewrap\)$`
		fmt.Println(y, err)                             // an error would become a panic
	}
	for _, input := range inputs {
		if input > 0 {
			exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
			fmt.Println(exec.MustCall1(input))        // needs no backend if no input is positive
		}
	}
	backends := []compute.Backend{backend}
	for _, input := range inputs {
		exec := graph.MustNewExec(backends[0], twice) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))            // needs no backend if there are no inputs
	}
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `\(rewrap\)$`
			return graph.AddScalar(x, Offset) // anyone may set it
		})
		fmt.Println(exec.MustCall1(input))
	}
	for _, input := range inputs {
		fmt.Println(graph.MustExecOnce(backend, twice, any(input))) // of a type that may change // want `\(rewrap\)$`
	}
	for _, input := range inputs {
		exec, err := graph.NewExec(backend, twice) // want `\(rewrap\)$`
		if err != nil {
			if err.Error() != "" {
				continue // the same
			}
			return
		}
		fmt.Println(exec.MustCall1(input))
	}
	for _, input := range inputs {
		exec, err := graph.NewExec(backend, twice) // want `\(rewrap\)$`
		if err != nil {
			fmt.Println(err) // in each turn
			_ = err
		}
		fmt.Println(exec.MustCall1(input))
	}
	config := &settings{}
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `\(rewrap\)$`
			return graph.AddScalar(x, config.width)
		})
		config.grow() // what is captured changes
		fmt.Println(exec.MustCall1(input))
	}
	for range inputs {
		width++
		exec := graph.MustNewExec(backend, widened) // want `\(rewrap\)$`
		fmt.Println(exec.MustCall1(1.0))
	}
	var last *tensors.Tensor
	for range inputs {
		exec := graph.MustNewExec(backend, twice) // want `\(rewrap\)$`
		last = exec.MustCall1(last)               // whatever shape the last one had
	}
	for _, input := range inputs {
		once(backend, input)
	}
}

// Jumps must not jump over a declaration.
func Jumps(backend compute.Backend, inputs []float32) {
	if len(inputs) == 0 {
		goto end
	}
	for _, input := range inputs {
		fmt.Println(graph.MustExecOnce(backend, twice, input)) // want `\(rewrap\)$`
	}
end:
	fmt.Println("done")
}

func once(backend compute.Backend, input float32) {
	fmt.Println(graph.MustExecOnce(backend, twice, input)) // want `\(rewrap\)$`
}

func pick() compute.Backend { return compute.MustNew() }

type settings struct{ width int }

func (s *settings) grow() { s.width++ }

var width int

// Offset is exported.
var Offset = 1

func widened(x *graph.Node) *graph.Node { return graph.AddScalar(x, width) }
