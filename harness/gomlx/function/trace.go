package function

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A trace is one run of a function's body, and the tape that it writes.
type trace struct {
	fn     *core
	key    string
	parent *trace
	depth  int
	// createsState says whether this trace may make state: the first one of a
	// first call may. forbids says which one this is otherwise.
	createsState bool
	forbids      string
	finished     atomic.Bool

	tape   *tape.Builder
	names  map[string]int
	slots  []*slot
	reads  []*slot // in the order of their inputs
	prints []printed
	made   []*Variable // the state made in this trace
}

// open makes a trace the innermost one; the function returned closes it.
func (tr *trace) open() (closeTrace func()) {
	active := &tr.fn.rt.active
	before := active.Swap(tr)
	return func() {
		tr.finished.Store(true)
		active.Store(before)
		// Tensors that outlive the trace keep it; they need not keep these.
		tr.parent, tr.names = nil, nil
	}
}

// name returns a name that no other value of the trace has.
func (tr *trace) name(base string) string {
	n := tr.names[base]
	tr.names[base]++
	if n == 0 {
		return base
	}
	return fmt.Sprintf("%s_%d", base, n)
}

// tensor returns a symbolic tensor for a value of the tape.
func (tr *trace) tensor(id tape.ID, name string) Tensor {
	shape := tr.tape.Shape(id)
	return Tensor{&value{trace: tr, id: id, name: name, spec: &Spec{DType: shape.DType, Dims: shape.Dims}}}
}

// append records an op.
func (tr *trace) append(name string, op tape.Emit, x []Tensor) ([]Tensor, error) {
	in := make([]tape.ID, len(x))
	for i, t := range x {
		id, err := tr.operand(t)
		if err != nil {
			return nil, newOpError(name, i, err)
		}
		in[i] = id
	}
	ids, err := tr.tape.Append(name, op, in...)
	if err != nil {
		return nil, err
	}
	unique := tr.name(name)
	out := make([]Tensor, len(ids))
	for i, id := range ids {
		out[i] = tr.tensor(id, fmt.Sprintf("%s:%d", unique, i))
	}
	return out, nil
}

func newOpError(name string, operand int, err error) error {
	return &tape.OpError{Op: name, Err: fmt.Errorf("operand %d: %w", operand, err)}
}

// operand returns the ID of a tensor in this trace. A concrete one becomes a
// constant.
func (tr *trace) operand(t Tensor) (tape.ID, error) {
	switch {
	case t.v == nil:
		return 0, newError(ErrSignature, "it is the zero Tensor")
	case t.v.trace == tr:
		return t.v.id, nil
	case t.v.concrete != nil:
		return tr.constant(t.v.concrete)
	}
	return 0, outOfScope(t, tr)
}

// constant records a constant. A graph keeps one node for each tensor, however
// often it is used.
func (tr *trace) constant(t *tensors.Tensor) (tape.ID, error) {
	ids, err := tr.tape.Append("const", func(g *graph.Graph, _ []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.ConstCachedTensor(g, t)}
	})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// inProgress returns an error if a trace of the function with the key is open
// around this context, or too many traces are.
func (c *Ctx) inProgress(fn *core, key string) error {
	for tr := c.around; tr != nil; tr = tr.parent {
		if tr.fn == fn && tr.key == key {
			return newError(ErrRecursion, "%q calls itself with the same signature while it is traced: no trace of it would end; let an argument that is no tensor end the recursion", fn.name)
		}
	}
	if c.around != nil && c.around.depth >= maxDepth {
		return newError(ErrRecursion, "%q: more than %d traces are open one inside the other: a recursion must end at trace time", fn.name, maxDepth)
	}
	return nil
}

// maxDepth bounds how deep traces may nest.
const maxDepth = 100

// A slot is a variable that a trace uses.
type slot struct {
	variable *state
	// args are the indices among the variable arguments that are this variable.
	args []int
	// captured says that the body has it from elsewhere than its arguments.
	captured bool
	// current is the value where the body is now: None until it reads or assigns.
	current  Tensor
	assigned bool
}

// slot returns the slot of a variable, which the body uses through a handle.
func (tr *trace) slot(v *Variable) *slot {
	s := tr.slotOf(v.state)
	if v.trace == nil {
		s.captured = true
	}
	return s
}

func (tr *trace) slotOf(variable *state) *slot {
	i := slices.IndexFunc(tr.slots, func(s *slot) bool { return s.variable == variable })
	if i < 0 {
		tr.slots = append(tr.slots, &slot{variable: variable})
		i = len(tr.slots) - 1
	}
	return tr.slots[i]
}
