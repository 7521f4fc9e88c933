package tape

import (
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
// some, the builder keeps a second scratch graph in which they have other
// sizes: what differs between the two depends on them, so it is unknown too.
type Builder struct {
	tape   Tape
	probes []probe
	shapes []Shape
}

// A probe is a scratch graph and the nodes of the values in it. A node is nil
// where an operation does not work with the sizes of the probe.
type probe struct {
	graph *graph.Graph
	nodes []*graph.Node
}

// An Input describes an input of a tape.
type Input struct {
	Shape
	// Sizes are the dimensions of the value that the trace was asked for, if
	// any. They stand in for the unknown ones in the first scratch graph, which
	// thereby sees shapes that fit together.
	Sizes []int
}

// Sizes that stand for unknown dimensions: large enough and without common
// factors, so that no operation takes them for broadcast or equal by chance.
const (
	standIn     = 7
	secondShift = 4
)

// NewBuilder returns a builder of a tape with the inputs, whose IDs are their indices.
func NewBuilder(backend compute.Backend, name string, inputs []Input) *Builder {
	probes := 1
	if slices.ContainsFunc(inputs, func(in Input) bool { return in.HasUnknown() }) {
		probes = 2
	}
	b := &Builder{probes: make([]probe, probes)}
	for i := range b.probes {
		b.probes[i].graph = graph.NewGraph(backend, fmt.Sprintf("trace of %s (%d)", name, i+1))
	}
	for _, in := range inputs {
		b.AddInput(in)
	}
	return b
}

// AddInput adds an input to the tape.
func (b *Builder) AddInput(in Input) ID {
	id := ID(b.tape.values)
	for i := range b.probes {
		p := &b.probes[i]
		shape := shapes.Make(in.DType, in.sizes(i)...)
		p.nodes = append(p.nodes, graph.Parameter(p.graph, fmt.Sprintf("input%d", id), shape))
	}
	b.shapes = append(b.shapes, in.Shape)
	b.tape.inputs = append(b.tape.inputs, id)
	b.tape.values++
	return id
}

// sizes returns the dimensions in the scratch graph i.
func (in Input) sizes(i int) []int {
	sizes := slices.Clone(in.Dims)
	for axis, size := range sizes {
		if size != Unknown {
			continue
		}
		sizes[axis] = standIn + axis
		if in.Sizes != nil {
			sizes[axis] = in.Sizes[axis]
		}
		sizes[axis] += i * secondShift
	}
	return sizes
}

// Append runs an operation on values of the tape and records it.
func (b *Builder) Append(name string, emit Emit, in ...ID) ([]ID, error) {
	op := operation{name: name, emit: emit, in: in, out: ID(b.tape.values)}
	unknown := slices.ContainsFunc(in, func(id ID) bool { return b.shapes[id].HasUnknown() })
	first, err := b.run(op, &b.probes[0])
	if err != nil && unknown {
		return nil, fmt.Errorf("%w (unknown dimensions have made-up sizes here, unless a call told them)", err)
	}
	if err != nil {
		return nil, err
	}
	op.outputs = len(first)
	var second []*graph.Node
	if len(b.probes) > 1 {
		// The sizes of the second graph are made up. An operation that does not
		// work with them says only that it depends on them.
		if second, err = b.run(op, &b.probes[1]); err != nil || len(second) != len(first) {
			second = make([]*graph.Node, len(first))
		}
	}
	out := make([]ID, len(first))
	for i, node := range first {
		out[i] = op.out + ID(i)
		b.probes[0].nodes = append(b.probes[0].nodes, node)
		var other *graph.Node
		if len(b.probes) > 1 {
			other = second[i]
			b.probes[1].nodes = append(b.probes[1].nodes, other)
		}
		b.shapes = append(b.shapes, compare(node, other, unknown))
	}
	b.tape.values += len(first)
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

// compare returns the shape of a value with the nodes in the first and, where
// there is one, in the second scratch graph.
func compare(node, other *graph.Node, unknownOperand bool) Shape {
	s := Shape{DType: node.DType(), Dims: slices.Clone(node.Shape().Dimensions)}
	for axis := range s.Dims {
		switch {
		case other == nil:
			if unknownOperand {
				s.Dims[axis] = Unknown
			}
		case other.Rank() != node.Rank() || other.Shape().Dimensions[axis] != s.Dims[axis]:
			s.Dims[axis] = Unknown
		}
	}
	return s
}

// Inline replays another tape on values of this one and returns the ID that
// each of its values has here.
func (b *Builder) Inline(t *Tape, inputs []ID) ([]ID, error) {
	if len(inputs) != len(t.inputs) {
		return nil, fmt.Errorf("a tape with %d inputs got %d", len(t.inputs), len(inputs))
	}
	ids := make([]ID, t.values)
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
		if len(out) != op.outputs {
			return nil, impure(op, len(out))
		}
		copy(ids[op.out:], out)
	}
	return ids, nil
}

// Shape returns what is known of a value.
func (b *Builder) Shape(id ID) Shape { return b.shapes[id] }

// Finish drops the scratch graphs and returns the tape. The builder cannot be
// used any more.
func (b *Builder) Finish() *Tape {
	for _, p := range b.probes {
		p.graph.Finalize()
	}
	b.probes = nil
	return &b.tape
}
