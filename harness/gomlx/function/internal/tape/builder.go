package tape

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// A Builder writes a tape. It runs each operation at once in a scratch graph,
// which is never compiled, to learn the shapes of the outputs.
//
// An unknown dimension has no counterpart in a graph. As long as there are
// some, the builder keeps further scratch graphs in which they have other
// sizes: what differs between them depends on them, so it is unknown too. What
// does not differ is taken for known; [Tape.Replay] checks that for each graph.
type Builder struct {
	tape   Tape
	probes []probe
}

// A probe is a scratch graph and the nodes of the values in it. A node is nil
// where an operation does not work with the sizes of the probe.
type probe struct {
	graph *graph.Graph
	nodes []*graph.Node
}

// NewBuilder returns a builder of a tape with the inputs, whose IDs are their
// indices. The first example, if there is one, says for which sizes the trace is
// asked: operations that do not work with them fail. The others are sizes that
// must not be mistaken for it.
func NewBuilder(backend compute.Backend, name string, inputs []Shape, examples ...Example) *Builder {
	b := &Builder{tape: Tape{examples: complete(inputs, examples)}}
	for i := range b.tape.examples {
		b.probes = append(b.probes, probe{graph: graph.NewGraph(backend, fmt.Sprintf("trace of %s (%d)", name, i+1))})
	}
	for i, in := range inputs {
		b.addInput(in, func(probe int) []int { return b.tape.examples[probe][i] })
	}
	return b
}

// AddInput adds an input without unknown dimensions to the tape.
func (b *Builder) AddInput(in Shape) ID {
	return b.addInput(in, func(int) []int { return in.Dims })
}

func (b *Builder) addInput(in Shape, sizes func(probe int) []int) ID {
	id := ID(len(b.tape.shapes))
	for i := range b.probes {
		p := &b.probes[i]
		p.nodes = append(p.nodes, graph.Parameter(p.graph, fmt.Sprintf("input%d", id), shapes.Make(in.DType, sizes(i)...)))
	}
	b.tape.shapes = append(b.tape.shapes, in)
	b.tape.inputs = append(b.tape.inputs, id)
	return id
}

// Append runs an operation on values of the tape and records it.
func (b *Builder) Append(name string, emit Emit, in ...ID) ([]ID, error) {
	op := operation{name: name, emit: emit, in: in, out: ID(len(b.tape.shapes))}
	unknown := slices.ContainsFunc(in, func(id ID) bool { return b.tape.shapes[id].HasUnknown() })
	first, err := b.run(op, &b.probes[0])
	if err != nil && unknown {
		return nil, fmt.Errorf("%w (unknown dimensions have made-up sizes here, unless a call told them)", err)
	}
	if err != nil {
		return nil, err
	}
	op.outputs = len(first)
	runs := [][]*graph.Node{first}
	for i := range b.probes[1:] {
		runs = append(runs, b.try(op, &b.probes[i+1]))
	}
	out := make([]ID, op.outputs)
	for i := range out {
		out[i] = op.out + ID(i)
		shape := shapeOf(first[i])
		for j, nodes := range runs {
			b.probes[j].nodes = append(b.probes[j].nodes, nodes[i])
			shape.compare(nodes[i], unknown)
		}
		b.tape.shapes = append(b.tape.shapes, shape)
	}
	b.tape.ops = append(b.tape.ops, op)
	return out, nil
}

func (b *Builder) run(op operation, p *probe) ([]*graph.Node, error) {
	in := make([]*graph.Node, len(op.in))
	for i, id := range op.in {
		if in[i] = p.nodes[id]; in[i] == nil {
			return nil, &OpError{op.name, fmt.Errorf("operand %d does not exist with these sizes", i)}
		}
	}
	return Run(op.name, op.emit, p.graph, in)
}

// try runs an operation with sizes for which nobody asked. If it does not work
// with them, in whatever way, that says only that it depends on them.
func (b *Builder) try(op operation, p *probe) (out []*graph.Node) {
	failed := make([]*graph.Node, op.outputs)
	defer func() {
		if recover() != nil {
			out = failed
		}
	}()
	out, err := b.run(op, p)
	if err != nil || len(out) != op.outputs {
		return failed
	}
	return out
}

func shapeOf(n *graph.Node) Shape {
	return Shape{DType: n.DType(), Dims: slices.Clone(n.Shape().Dimensions)}
}

// compare makes the dimensions unknown in which the node differs, all of them
// for a node that does not exist and depends on unknown ones.
func (s Shape) compare(n *graph.Node, unknownOperand bool) {
	for axis, size := range s.Dims {
		switch {
		case n == nil && !unknownOperand:
		case n == nil || n.Rank() != len(s.Dims) || n.Shape().Dimensions[axis] != size:
			s.Dims[axis] = Unknown
		}
	}
}

// Inline replays another tape on values of this one and returns the ID that
// each of its values has here. If the other tape does not serve the sizes of
// one of the scratch graphs, the error is a [Mismatch], and this tape is as it was.
func (b *Builder) Inline(t *Tape, inputs []ID) ([]ID, error) {
	if len(inputs) != len(t.inputs) {
		return nil, fmt.Errorf("a tape with %d inputs got %d", len(t.inputs), len(inputs))
	}
	values, ops := len(b.tape.shapes), len(b.tape.ops)
	ids, err := b.inline(t, inputs)
	if err != nil {
		b.tape.shapes, b.tape.ops = b.tape.shapes[:values], b.tape.ops[:ops]
		for i := range b.probes {
			b.probes[i].nodes = b.probes[i].nodes[:values]
		}
	}
	return ids, err
}

func (b *Builder) inline(t *Tape, inputs []ID) ([]ID, error) {
	ids := make([]ID, len(t.shapes))
	for i, id := range t.inputs {
		ids[id] = inputs[i]
	}
	for _, op := range t.ops {
		in := make([]ID, len(op.in))
		for i, id := range op.in {
			in[i] = ids[id]
		}
		out, err := b.Append(op.name, op.emit, in...)
		if err != nil {
			return nil, err
		}
		for i := range b.probes {
			if err := b.probes[i].check(t, op, inputs, out); err != nil && (i == 0 || errors.As(err, new(*Mismatch))) {
				return nil, err
			}
		}
		for i, id := range out {
			b.tape.shapes[id].know(t.shapes[op.out+ID(i)])
		}
		copy(ids[op.out:], out)
	}
	return ids, nil
}

// know takes over the dimensions that another tape takes for known.
func (s Shape) know(other Shape) {
	for axis, size := range other.Dims {
		if size != Unknown {
			s.Dims[axis] = size
		}
	}
}

// check checks the outputs of an operation of another tape with these inputs.
func (p *probe) check(t *Tape, op operation, inputs, out []ID) error {
	in := p.of(inputs)
	if slices.Contains(in, nil) {
		return nil
	}
	return t.check(op, in, p.of(out))
}

// of returns the nodes of values.
func (p *probe) of(ids []ID) []*graph.Node {
	nodes := make([]*graph.Node, len(ids))
	for i, id := range ids {
		nodes[i] = p.nodes[id]
	}
	return nodes
}

// Examples returns the sizes that values have in the scratch graphs: a tape that
// is inlined with these values should be made for them.
func (b *Builder) Examples(ids []ID) []Example {
	var examples []Example
	for i := range b.probes {
		if nodes := b.probes[i].of(ids); !slices.Contains(nodes, nil) {
			examples = append(examples, exampleOf(nodes))
		}
	}
	return examples
}

// Shape returns what is known of a value.
func (b *Builder) Shape(id ID) Shape { return b.tape.shapes[id] }

// Finish drops the scratch graphs and returns the tape. The builder cannot be
// used any more.
func (b *Builder) Finish() *Tape {
	for _, p := range b.probes {
		p.graph.Finalize()
	}
	b.probes = nil
	return &b.tape
}
