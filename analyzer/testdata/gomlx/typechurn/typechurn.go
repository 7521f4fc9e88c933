// Package typechurn holds the cases of rule type-churn: wrappers called with a further dtype.
package typechurn

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

func twice(x *graph.Node) *graph.Node { return graph.Add(x, x) }

func add(x, y *graph.Node) *graph.Node { return graph.Add(x, y) }

// either handles both.
func either(x *graph.Node) *graph.Node {
	if x.DType() == dtypes.Int64 {
		return graph.Add(x, x)
	}
	return graph.MulScalar(x, 2.0)
}

var shared = graph.MustNewExec(compute.MustNew(), twice)

type model struct{ exec, other *graph.Exec }

// Local calls one wrapper with several dtypes.
func Local(backend compute.Backend) {
	exec := graph.MustNewExec(backend, twice)
	exec.MustCall1([]float32{1, 2})                 // the first
	exec.MustCall1([]float32{1, 2, 3})              // the same dtype
	exec.MustCall1([]int32{1, 2})                   // want `exec\.MustCall1 traces again for int32, after float32; bring it to one form.*\(type-churn\)$`
	exec.MustCall1([]int32{3, 4})                   // int32 is known by now
	exec.MustCall1(3)                               // want `for int64, after float32 and int32.*\(type-churn\)$`
	exec.MustCall1(int64(3))                        // an int is an int64
	exec.MustCall1(tensors.FromValue([]float64{1})) // want `for float64.*\(type-churn\)$`
	exec.MustCall1(tensors.FromScalar(float32(1)))  // float32 again
	flat := tensors.FromFlatDataAndDimensions([]bool{true, false}, 2)
	exec.MustCall1(flat) // want `for bool.*\(type-churn\)$`
}

// Package calls one that the package keeps.
func Package() {
	shared.MustCall1(float32(1)) // the first
	shared.MustCall1(1)          // want `for int64, after float32.*\(type-churn\)$`
}

// Field calls one that a field keeps, and another one.
func (m *model) Field(other *model) {
	m.exec.MustCall1(float32(1))   // the first
	m.exec.MustCall1(float64(1))   // want `for float64, after float32.*\(type-churn\)$`
	m.other.MustCall1(float64(1))  // another wrapper
	other.exec.MustCall1(uint8(1)) // another model's
}

// Second looks at each argument.
func Second(backend compute.Backend) {
	exec := graph.MustNewExec(backend, add)
	exec.MustCall1(float32(1), float32(2)) // the first
	exec.MustCall1(float32(1), 2.0)        // want `for float64, after float32.*\(type-churn\)$`
}

// Loop repeats.
func Loop(backend compute.Backend, inputs []float32) {
	exec := graph.MustNewExec(backend, twice)
	for _, x := range inputs {
		exec.MustCall1(x)            // the first
		exec.MustCall1([]float32{x}) // want `for rank 1, after 0.*\(type-churn\)$`
		exec.MustCall1(float64(x))   // want `for float64, after float32.*\(type-churn\)$`
	}
}

// Ranks outside of loops are a few.
func Ranks(backend compute.Backend) {
	exec := graph.MustNewExec(backend, twice)
	exec.MustCall1(float32(1))       // a scalar
	exec.MustCall1([]float32{1})     // a vector, once
	exec.MustCall1([][]float32{{1}}) // a matrix, once
}

// Two wrappers have a cache each.
func Two(backend compute.Backend) {
	floats := graph.MustNewExec(backend, twice)
	ints := graph.MustNewExec(backend, twice)
	floats.MustCall1(float32(1)) // one
	ints.MustCall1(int32(1))     // another
	floats = graph.MustNewExec(backend, twice)
	floats.MustCall1(float32(2)) // float32 again
}

// Chooses means to handle several.
func Chooses(backend compute.Backend, dtype dtypes.DType, x *tensors.Tensor) {
	exec := graph.MustNewExec(backend, twice)
	switch x.DType() {
	case dtypes.Float32:
		exec.MustCall1(float32(1)) // by dtype
	default:
		exec.MustCall1(int32(1)) // by dtype
	}
}

// Polymorphic wraps what handles several.
func Polymorphic(backend compute.Backend) {
	exec := graph.MustNewExec(backend, either)
	exec.MustCall1(float32(1)) // the function chooses
	exec.MustCall1(int64(1))   // the function chooses
}

// Branches run one or the other.
func Branches(backend compute.Backend, wide bool) {
	exec := graph.MustNewExec(backend, twice)
	if wide {
		fmt.Println(exec.MustCall1(float64(1))) // one of both
	} else {
		fmt.Println(exec.MustCall1(float32(1))) // one of both
	}
}

// Generic calls with one dtype for each instance.
func Generic[T float32 | float64](exec *graph.Exec, x, y T) {
	exec.MustCall1(x) // T
	exec.MustCall1(y) // T
}

// Unknown tensors may have any dtype.
func Unknown(exec *graph.Exec, x, y *tensors.Tensor) {
	exec.MustCall1(x) // any
	exec.MustCall1(y) // any
}
