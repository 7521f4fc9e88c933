package tape

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// A Mismatch says that a tape does not serve some sizes of its inputs: an
// operation has an output whose size depends on them, and the examples that the
// tape was made from did not show it. A tape made with these sizes as a further
// example knows.
type Mismatch struct {
	Op           string
	Output, Axis int
	// Want is the size that the tape takes for known, Got the one with the sizes.
	Want, Got int
	Sizes     Example
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("op %q: axis %d of output %d was taken to be %d, and is %d for inputs of the sizes %v", m.Op, m.Axis, m.Output, m.Want, m.Got, m.Sizes)
}

// check returns an error if the outputs of an operation are not what the tape
// takes them to be with the inputs. Nodes that are nil do not count.
func (t *Tape) check(op operation, inputs, out []*graph.Node) error {
	if len(out) != op.outputs {
		return &OpError{op.name, fmt.Errorf("it gave %d outputs while tracing and %d now: their number must not depend on anything but the number of operands", op.outputs, len(out))}
	}
	for i, node := range out {
		if node == nil {
			continue
		}
		want, got := t.shapes[op.out+ID(i)], node.Shape()
		if got.DType != want.DType || got.Rank() != len(want.Dims) {
			return &OpError{op.name, fmt.Errorf("output %d has dtype %s and rank %d, and had %s and %d while tracing: neither may depend on sizes",
				i, strings.ToLower(got.DType.String()), got.Rank(), strings.ToLower(want.DType.String()), len(want.Dims))}
		}
		for axis, size := range want.Dims {
			if size != Unknown && size != got.Dimensions[axis] {
				return &Mismatch{op.name, i, axis, size, got.Dimensions[axis], exampleOf(inputs)}
			}
		}
	}
	return nil
}
