package function

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A Concrete is one trace of a function: for one signature, which may leave
// dimensions unknown. It is compiled once for each combination of sizes that it
// runs with.
type Concrete struct {
	fn        *core
	signature harness.Signature
	record    int // the ID of the trace in the recorder

	// What arguments it serves, beside the exact key.
	ranked   string
	specs    []Spec
	pointers []identity
	captured captures // those that kept other traces from serving it

	tape  *tape.Tape
	slots []*slot
	reads []*slot // the inputs of the tape after the tensors
	// template are the body's results, with tensors of the finished trace.
	template    []reflect.Value
	results     []tape.ID
	prints      []printed
	assigned    []*slot
	assignedIDs []tape.ID

	// outputs are the values that the compiled graph returns: results, operands
	// of prints, assigned values.
	outputs []tape.ID
	exec    *graph.Exec
}

// Signature returns what the trace was made for.
func (c *Concrete) Signature() harness.Signature { return c.signature }

// String returns function and signature: `f(x float32[?])`.
func (c *Concrete) String() string { return c.fn.name + "(" + c.signature.String() + ")" }

func (c *Concrete) unknowns() int {
	n := 0
	for _, spec := range c.specs {
		n += spec.unknowns()
	}
	return n
}

// matches reports whether the trace serves arguments whose key led to it.
func (c *Concrete) matches(a *arguments) bool {
	return c.samePointers(a) && c.sameCaptures(a)
}

func (c *Concrete) samePointers(a *arguments) bool {
	for i, p := range c.pointers {
		if !p.is(a.pointers[i]) {
			return false
		}
	}
	return true
}

func (c *Concrete) sameCaptures(a *arguments) bool {
	if len(a.variables) == 0 {
		return true
	}
	// A variable that the body captured must be the same arguments as then.
	for _, s := range c.slots {
		if s.captured && !slices.Equal(s.args, a.indicesOf(s.variable)) {
			return false
		}
	}
	return true
}

// indicesOf returns which variable arguments are the variable.
func (a *arguments) indicesOf(s *state) []int {
	var indices []int
	for i, v := range a.variables {
		if v.state == s {
			indices = append(indices, i)
		}
	}
	return indices
}

// prepare sets up what compiles the trace.
func (c *Concrete) prepare() (err error) {
	c.outputs = append(c.outputs, c.results...)
	for _, p := range c.prints {
		c.outputs = append(c.outputs, p.operands...)
	}
	c.outputs = append(c.outputs, c.assignedIDs...)
	c.exec, err = graph.NewExecCanonical(c.fn.rt.backend, c.build, c.tape.Inputs(), max(1, len(c.outputs)), true, true, true)
	if err != nil {
		return err
	}
	c.exec.WithName(c.fn.name).SetMaxCache(-1)
	return nil
}

// build replays the trace into a graph. Panics that are no errors would make
// later calls of the Exec wait for ever, so they become errors.
func (c *Concrete) build(g *graph.Graph, inputs []*graph.Node) []*graph.Node {
	defer func() {
		failure := recover()
		if failure == nil {
			return
		}
		if _, ok := failure.(error); !ok {
			failure = fmt.Errorf("an op panicked with %v", failure)
		}
		panic(failure)
	}()
	nodes, err := c.tape.Replay(g, inputs)
	check(err)
	out := make([]*graph.Node, len(c.outputs))
	for i, id := range c.outputs {
		out[i] = nodes[id]
	}
	if len(out) == 0 {
		out = []*graph.Node{graph.ScalarZero(g, dtypes.Bool)} // a graph has an output
	}
	c.fn.compilations.Add(1)
	return out
}

// bound returns the variable that a slot stands for in a call.
func (s *slot) bound(variables []*Variable) *state {
	if len(s.args) > 0 {
		return variables[s.args[0]].state
	}
	return s.variable
}

// execute runs the trace and returns the body's results.
func (c *Concrete) execute(a *arguments) ([]reflect.Value, error) {
	out, err := c.runGraph(a)
	if err != nil {
		return nil, err
	}
	if err := c.print(out[len(c.results) : len(out)-len(c.assigned)]); err != nil {
		return nil, err
	}
	if len(c.results) == 1 && len(c.template) == 1 && c.fn.results[0].kind == tensorCodec {
		return []reflect.Value{reflect.ValueOf(FromTensor(out[0]))}, nil
	}
	return c.fill(a, fromTensors(out[:len(c.results)]))
}

// runGraph executes the graph under the locks of the variables that it assigns.
func (c *Concrete) runGraph(a *arguments) ([]*tensors.Tensor, error) {
	// Without outputs there is nothing to run. But where sizes are unknown, what
	// the body said about them holds only once the graph is built.
	if len(c.outputs) == 0 && c.unknowns() == 0 {
		return nil, nil
	}
	var assigned []*state
	if len(c.assigned) > 0 {
		for _, s := range c.assigned {
			assigned = append(assigned, s.bound(a.variables))
		}
		defer lockAll(assigned)()
	}
	in := a.inputs[:0]
	for _, t := range a.tensors {
		concrete, err := a.ctx.concrete(t)
		if err != nil {
			return nil, err
		}
		in = append(in, concrete)
	}
	for _, s := range c.reads {
		in = append(in, s.bound(a.variables).value.Load())
	}
	a.inputs = in
	out, err := c.exec.Call(in...)
	if err != nil {
		return nil, opError(err)
	}
	for i, s := range assigned {
		s.value.Store(out[len(out)-len(assigned)+i])
	}
	return out[:len(c.outputs)], nil
}

// fill puts tensors in the place of those in the body's results.
func (c *Concrete) fill(a *arguments, out []Tensor) ([]reflect.Value, error) {
	replace := replacement{args: a, tensors: out}
	results := make([]reflect.Value, len(c.template))
	for i, codec := range c.fn.results {
		v, err := replace.value(codec, c.template[i])
		if err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
		results[i] = v
	}
	return results, nil
}

// inline adds the trace to another one, which calls the function.
func (c *Concrete) inline(tr *trace, a *arguments) ([]reflect.Value, error) {
	inputs := make([]tape.ID, 0, len(a.tensors)+len(c.reads))
	for _, t := range a.tensors {
		id, err := tr.operand(t)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, id)
	}
	for _, s := range c.reads {
		id, err := tr.operand(tr.read(tr.slotFor(s, a)))
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, id)
	}
	ids, err := tr.tape.Inline(c.tape, inputs)
	if err != nil {
		return nil, err
	}
	for i, s := range c.assigned {
		outer := tr.slotFor(s, a)
		outer.assigned = true
		outer.current = tr.tensor(ids[c.assignedIDs[i]], tr.name(s.variable.name)+":0")
	}
	for _, p := range c.prints {
		tr.prints = append(tr.prints, p.renumbered(ids))
	}
	out := make([]Tensor, len(c.results))
	unique := tr.name(c.fn.name)
	for i, id := range c.results {
		out[i] = tr.tensor(ids[id], fmt.Sprintf("%s:%d", unique, i))
	}
	return c.fill(a, out)
}

// slotFor returns the slot of this trace for that of an inner one.
func (tr *trace) slotFor(inner *slot, a *arguments) *slot {
	if len(inner.args) > 0 {
		return tr.slot(a.variables[inner.args[0]])
	}
	return tr.slot(&Variable{state: inner.variable})
}
