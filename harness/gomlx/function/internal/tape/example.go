package tape

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// An Example holds the sizes of all inputs of a tape in one call. An input whose
// sizes nobody knows has none.
type Example [][]int

// Sizes that stand for unknown dimensions: large enough and without common
// factors, so that no operation takes them for broadcast or equal by chance.
const (
	standIn = 7
	shift   = 4
)

// complete returns the examples with what it takes for each dimension to have a
// size, and each unknown one two of them.
func complete(inputs []Shape, examples []Example) []Example {
	if len(examples) == 0 {
		examples = []Example{make(Example, len(inputs))}
	}
	first := slices.Clone(examples[0])
	for i, in := range inputs {
		if first[i] == nil {
			first[i] = in.sizes(func(axis int) int { return standIn + axis })
		}
	}
	examples = append([]Example{first}, examples[1:]...)
	if vary(inputs, examples) {
		return examples
	}
	other := make(Example, len(inputs))
	for i, in := range inputs {
		other[i] = in.sizes(func(axis int) int { return first[i][axis] + shift })
	}
	return append(examples, other)
}

// sizes returns the dimensions with sizes in the place of unknown ones.
func (s Shape) sizes(unknown func(axis int) int) []int {
	sizes := slices.Clone(s.Dims)
	for axis, size := range sizes {
		if size == Unknown {
			sizes[axis] = unknown(axis)
		}
	}
	return sizes
}

// vary reports whether each unknown dimension has several sizes in the examples.
func vary(inputs []Shape, examples []Example) bool {
	for i, in := range inputs {
		for axis, size := range in.Dims {
			first := examples[0][i][axis]
			if size == Unknown && !slices.ContainsFunc(examples, func(e Example) bool { return e[i][axis] != first }) {
				return false
			}
		}
	}
	return true
}

// exampleOf returns the sizes of nodes.
func exampleOf(nodes []*graph.Node) Example {
	example := make(Example, len(nodes))
	for i, n := range nodes {
		example[i] = slices.Clone(n.Shape().Dimensions)
	}
	return example
}
