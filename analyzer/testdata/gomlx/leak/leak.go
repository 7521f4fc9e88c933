// Package leak holds the cases of rule leak: symbolic values kept beyond their trace. A store that leaks is one finding, of this
// rule, though it is a write too.
package leak

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/helper"
)

// Node is another name for the engine's.
type Node = graph.Node

var (
	last   *Node
	all    []*graph.Node
	byName = map[string]*graph.Node{}
	memory struct{ hidden *graph.Node }
	boxed  any
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, nodes chan *graph.Node, ds *decoder) []*graph.Exec {
	var leaked *graph.Node
	var batch dataset.GraphBatch
	_ = leaked
	return []*graph.Exec{
		graph.MustNewExec(backend, globals),
		graph.MustNewExec(backend, ds.step),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			leaked = graph.OnePlus(x)                            // want `\bleaked\b.*\(leak\)$`
			batch.Inputs = []*graph.Node{x}                      // want `batch\.Inputs.*\(leak\)$`
			batch = dataset.GraphBatch{Inputs: []*graph.Node{x}} // want `\bbatch\b.*\(leak\)$`
			nodes <- x                                           // want `\bnodes\b.*\(leak\)$` `\bnodes\b.*\(sync\)$`
			go consume(x)                                        // want `\bx\b.*\(leak\)$|consume.*\(leak\)$` `consume.*\(sync\)$|go .*\(sync\)$`
			return x
		}),
	}
}

func globals(x *graph.Node) *graph.Node {
	last = x             // want `\blast\b.*\(leak\)$`
	all = append(all, x) // want `\ball\b.*\(leak\)$`
	byName["x"] = x      // want `\bbyName\b.*\(leak\)$`
	memory.hidden = x    // want `memory\.hidden.*\(leak\)$`
	boxed = x            // want `\bboxed\b.*\(leak\)$`
	kept := &memory
	kept.hidden = x            // want `\(leak\)$`
	helper.Keep(x)             // want `helper\.Keep.*\(leak\)$`
	helper.Put(byName, "y", x) // want `helper\.Put.*\(leak\)$`
	return x
}

func consume(*graph.Node) {}

type decoder struct {
	cache []*graph.Node
	state *graph.Node
}

func (d *decoder) step(x *graph.Node) *graph.Node {
	if d.state != nil {
		x = graph.Add(x, d.state)
	}
	d.state = x                  // want `d\.state.*\(leak\)$`
	d.cache = append(d.cache, x) // want `d\.cache.*\(leak\)$`
	return x
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*model.Exec {
	store := model.NewStore()
	return []*model.Exec{
		model.MustNewExec(backend, store, locals),
		model.MustNewExec(backend, store, inGraph),
	}
}

type layer struct {
	x, mask *graph.Node
	inputs  map[string]*graph.Node
}

func locals(scope *model.Scope, x *graph.Node) *graph.Node {
	nodes := []*graph.Node{x}
	nodes = append(nodes, graph.OnePlus(x)) // a local slice
	named := map[string]*graph.Node{}
	named["x"] = x // a local map
	l := &layer{x: x, inputs: named}
	l.mask = nodes[1] // a struct made in this trace
	l.inputs["mask"] = l.mask
	l.set(x)
	batch := dataset.GraphBatch{}
	batch.Inputs = nodes // the engine's, made in this trace
	var kept *graph.Node
	remember := func(n *graph.Node) { kept = n } // a local of the traced function
	remember(batch.Inputs[0])
	helper.Put(named, "kept", kept)     // the callee stores in a local map
	values := helper.Hold(nil, x)       // the callee gives it back
	passed := make(map[*graph.Node]int) // a local map
	passed[x] = len(values)
	return graph.Add(l.mask, kept)
}

func (l *layer) set(mask *graph.Node) *graph.Node {
	l.mask = mask // whoever calls it knows how long the receiver lives
	return mask
}

type stateKey struct{}

func inGraph(scope *model.Scope, x *graph.Node) *graph.Node {
	scope.SetGraphParam(x.Graph(), "x", x) // keyed by graph
	x.Graph().AttachState(stateKey{}, x)   // the same
	x = x.WithAlias("x")                   // the graph's own
	v := scope.VariableWithValue("last", 0.0)
	v.SetNodeValue(graph.ReduceAllSum(x)) // the value goes to the variable at each call
	closure := graph.NewClosure(x.Graph(), func(g *graph.Graph) []*graph.Node {
		return []*graph.Node{graph.OnePlus(x)} // captured inside of the same trace
	})
	return closure.Call()[0]
}

// Collect is a root by its signature: it cannot know how long its receiver and its map live.
func (l *layer) Collect(into map[string]*graph.Node, x *graph.Node) *graph.Node {
	l.x = x       // whoever calls it knows
	into["x"] = x // the same
	return x
}

// Shape notes what does not pin the trace.
func Shape(backend compute.Backend) (string, graph.NodeId) {
	var shape string
	var id graph.NodeId
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		shape = x.Shape().String() // no symbolic value; as a write a note, since it is read after the call
		id = x.Id()                // the same
		return x
	})
	exec.MustCall1(float32(1))
	return shape, id
}
