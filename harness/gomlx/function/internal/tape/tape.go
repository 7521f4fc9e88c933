// Package tape records operations on symbolic values so that they can be
// replayed into a graph, any number of times and into any graph.
//
// A trace writes a tape ([Builder]). Compiling replays it into a graph of
// concrete shapes ([Tape.Replay]); calling one traced function inside another
// replays the tape of the one into that of the other ([Builder.Inline]). An
// operation is a Go function on graph nodes, which runs at each replay: it must
// be pure.
package tape

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Unknown is the size of a dimension that a tape does not know.
const Unknown = -1

// An ID numbers the values of a tape: its inputs and the outputs of its operations.
type ID int

// Emit adds the nodes of one operation to a graph and returns its outputs.
type Emit func(g *graph.Graph, in []*graph.Node) []*graph.Node

// Shape is what a tape knows of a value. Unknown sizes are [Unknown].
type Shape struct {
	DType dtypes.DType
	Dims  []int
}

// HasUnknown reports whether a dimension is unknown.
func (s Shape) HasUnknown() bool {
	for _, d := range s.Dims {
		if d == Unknown {
			return true
		}
	}
	return false
}

// A Tape is a recorded sequence of operations. It does not change once its
// [Builder] is finished.
type Tape struct {
	inputs []ID
	ops    []operation
	// shapes are those of all values. The dimensions known in them were read, or
	// may have been, by whoever wrote the tape.
	shapes   []Shape
	examples []Example
}

type operation struct {
	name string
	emit Emit
	in   []ID
	// The outputs are numbered from out on.
	out     ID
	outputs int
}

// Inputs returns the number of inputs.
func (t *Tape) Inputs() int { return len(t.inputs) }

// Examples returns the sizes of the inputs that the shapes of the tape were
// learnt from.
func (t *Tape) Examples() []Example { return t.examples }

// Knows reports whether a call with these sizes is one of the examples.
func (t *Tape) Knows(sizes Example) bool {
	return slices.ContainsFunc(t.examples, func(e Example) bool {
		return slices.EqualFunc(e, sizes[:len(e)], slices.Equal[[]int])
	})
}

// Replay runs all operations on the nodes given for the inputs and returns the
// node of each value. An operation that fails is named in the error. It is a
// [Mismatch] if a dimension that the tape takes for known has another size.
func (t *Tape) Replay(g *graph.Graph, inputs []*graph.Node) ([]*graph.Node, error) {
	if len(inputs) != len(t.inputs) {
		return nil, fmt.Errorf("a tape with %d inputs got %d", len(t.inputs), len(inputs))
	}
	nodes := make([]*graph.Node, len(t.shapes))
	for i, id := range t.inputs {
		nodes[id] = inputs[i]
	}
	for _, op := range t.ops {
		in := make([]*graph.Node, len(op.in))
		for i, id := range op.in {
			in[i] = nodes[id]
		}
		out, err := Run(op.name, op.emit, g, in)
		if err != nil {
			return nil, err
		}
		if err := t.check(op, inputs, out); err != nil {
			return nil, err
		}
		copy(nodes[op.out:], out)
	}
	return nodes, nil
}

// An OpError says which operation failed, and why.
type OpError struct {
	Op  string
	Err error
}

func (e *OpError) Error() string { return fmt.Sprintf("op %q: %v", e.Op, e.Err) }

// Unwrap returns why the operation failed.
func (e *OpError) Unwrap() error { return e.Err }

// Run runs an operation on nodes of a graph. It turns errors that the graph
// panics with into returned ones, an [OpError] in any case; other panics pass.
func Run(name string, emit Emit, g *graph.Graph, in []*graph.Node) (out []*graph.Node, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			cause, ok := failure.(error)
			if !ok {
				panic(failure)
			}
			err = &OpError{name, cause}
		}
	}()
	out = emit(g, in)
	for i, node := range out {
		if node == nil {
			return nil, &OpError{name, fmt.Errorf("output %d is nil", i)}
		}
		if node.Graph() != g {
			return nil, &OpError{name, fmt.Errorf("output %d belongs to another graph: an op may use its operands only", i)}
		}
	}
	return out, nil
}
