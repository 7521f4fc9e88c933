package staleread

import (
	"errors"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

type settings struct{ scale float64 }

// Before assigns on every way before the wrapper is made.
func Before(backend compute.Backend, deep bool, x *tensors.Tensor) *tensors.Tensor {
	width := 8
	if deep {
		width = 16
	}
	var depth int
	for i := range 3 {
		depth += i
	}
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.AddScalar(x, width+depth) // assigned before
	})
	return exec.MustCall1(x)
}

// Branches assigns on ways that do not come from the wrapper, or do not lead to a call.
func Branches(backend compute.Backend, deep bool, x *tensors.Tensor) *tensors.Tensor {
	width := 8
	if deep {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, width) // left before the assignment
		})
		return exec.MustCall1(x)
	}
	width = 9
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, width) // assigned before
	})
	y := exec.MustCall1(x)
	exec.Finalize()
	width = 10 // never called again
	return y
}

// Turn makes a wrapper for each value.
func Turn(backend compute.Backend, widths []int, x *tensors.Tensor) {
	var width int
	for _, width = range widths {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, width) // this turn's wrapper, called in this turn alone
		})
		exec.MustCall1(x)
	}
	var execs []*graph.Exec
	for i := 0; i < 3; i++ {
		execs = append(execs, graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, i) // each turn has a variable of its own
		}))
	}
	for _, exec := range execs {
		exec.MustCall1(x)
	}
	for i := range 3 {
		graph.MustExecOnce(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, width+i) // runs as often as it is traced
		}, x)
		width = i
	}
}

// Types captures variables of types that are set up once.
func Types(backend compute.Backend, store *model.Store, x *tensors.Tensor) {
	var second *graph.Exec
	var activation func(*graph.Node) *graph.Node
	var err error
	var scope *model.Scope
	first := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		if second != nil && err == nil && scope == nil { // a wrapper, an error and a scope
			return x
		}
		return activation(x) // a function
	})
	second = graph.MustNewExec(backend, graph.Neg)
	activation = graph.Square
	scope = store.RootScope()
	err = errors.Join(err)
	first.MustCall1(x)
	second.MustCall1(x)
}

// Counts reads what the traced function writes.
func Counts(backend compute.Backend, x *tensors.Tensor) int {
	traces, last := 0, 0
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		traces++        // the read in x++
		last = x.Rank() // assigned by the function itself, read after
		return graph.AddScalar(x, last)
	})
	exec.MustCall1(x)
	traces, last = 0, 0
	exec.MustCall1(x)
	return traces + last
}

// Pointer reads fields through a captured pointer.
func Pointer(backend compute.Backend, x *tensors.Tensor) {
	options := &settings{scale: 1}
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, options.scale) // a note
	})
	options.scale = 2
	exec.MustCall1(x)
}

// Hyper reads hyperparameters.
func Hyper(backend compute.Backend, store *model.Store, x *tensors.Tensor) {
	exec := model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
		return graph.MulScalar(x, model.GetParamOr(scope, "rate", 0.1)) // by design
	})
	exec.MustCall1(x)
	store.SetParam("rate", 0.2)
	exec.MustCall1(x)
}

// Host reads a variable's value outside of traces.
func Host(store *model.Store) *tensors.Tensor {
	return store.GetVariable("/scale").MustValue() // host code
}

// Argument is the way out.
func Argument(backend compute.Backend, x *tensors.Tensor) {
	rate := 1.0
	exec := graph.MustNewExec(backend, func(x, rate *graph.Node) *graph.Node {
		return graph.Mul(x, rate) // an argument
	})
	for range 10 {
		exec.MustCall1(x, rate)
		rate *= 0.9
	}
}

// vocabulary remembers what it was asked for.
type vocabulary struct{ size int }

func (v *vocabulary) len() int {
	if v.size == 0 {
		v.size = 8 // want `\(write\)$`
	}
	return v.size
}

var words = &vocabulary{}

// Memo has a package variable's value remember something.
func Memo(backend compute.Backend, x *tensors.Tensor) *tensors.Tensor {
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		return graph.AddScalar(x, words.len()) // the variable itself is never assigned
	})
	if words.len() == 0 {
		return x
	}
	return exec.MustCall1(x)
}

// Chosen reads a variable as a constant where that is asked for.
func Chosen(backend compute.Backend, store *model.Store, constants bool) *model.Exec {
	return model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
		v := scope.VariableWithValue("scale", 2.0)
		if constants {
			return graph.Mul(x, graph.Const(x.Graph(), v.MustValue())) // the other branch has it in the graph
		} else {
			return graph.Mul(x, v.NodeValue(x))
		}
	})
}
