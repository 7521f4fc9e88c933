// Package mixed mixes the cases as real code does: what is owned by whom, and which path leads where.
package mixed

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

type config struct {
	name  string
	opts  map[string]int
	list  []int
	inner *config
	count atomic.Int32
	nodes map[graph.GraphId]*graph.Node
}

func same(c *config) *config     { return c }
func fresh() *config             { return &config{opts: map[string]int{}} }
func (c *config) self() *config  { return c }
func (c *config) clone() *config { return &config{name: c.name} }

// Paths reach what is captured, and what is not, through calls, copies, slices and pointers.
func Paths(backend compute.Backend, c *config) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		same(c).name = "a"   // want `\(write\)$`
		c.self().name = "b"  // want `\(write\)$`
		fresh().name = "c"   // made here
		c.clone().name = "d" // a copy made here
		made := *fresh()
		made.opts["x"] = 1     // the map of what was made here
		c.inner.opts["a"]++    // want `c\.inner\.opts.*\(write\)$`
		c.count.Add(1)         // want `c\.count.*\(write\)$`
		slices.Reverse(c.list) // want `c\.list.*\(write\)$`
		sorted := slices.Sorted(slices.Values(c.list))
		sorted[0] = 3 // a slice made here
		var array [3]int
		part := array[:]
		part[0] = 1 // a local array
		element := &array[1]
		*element = 2 // the same
		for i := range c.list {
			c.list[i] = 0 // want `c\.list.*\(write\)$`
		}
		for key := range c.opts {
			c.opts[key] = 1 // want `c\.opts.*\(write\)$`
		}
		func() {
			c.name = "z" // want `c\.name.*\(write\)$`
		}()
		return x
	})
}

// Pointer shares a number with its caller.
func Pointer(backend compute.Backend) (*graph.Exec, *int) {
	n := new(int)
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		*n += 1 // want `\bn\b.*\(write\)$`
		return x
	}), n
}

// Memo is made at the first trace, under a lock.
func Memo(backend compute.Backend) *graph.Exec {
	var cache map[string]int
	var lock sync.Mutex
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		lock.Lock()
		defer lock.Unlock()
		if cache == nil {
			cache = map[string]int{} // stored on a miss, under the lock
		}
		if _, ok := cache["x"]; !ok {
			cache["x"] = 1 // the same
		}
		return graph.AddScalar(x, cache["x"])
	})
}

// Stores keep nodes in what outlives the trace, or not.
func Stores(backend compute.Backend, c *config, out *[]*graph.Node) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		c.nodes[x.Graph().GraphId()] = x // want `c\.nodes.*\(leak\)$`
		*out = append(*out, x)           // want `\bout\b.*\(leak\)$`
		local := struct{ nodes []*graph.Node }{[]*graph.Node{x}}
		pointer := &local
		pointer.nodes[0] = graph.OnePlus(x) // a local struct
		return pointer.nodes[0]
	})
}

type layer struct {
	weights *graph.Node
	calls   int
}

func newLayer() *layer { return &layer{} }

// apply is called on layers of the trace only.
func (l *layer) apply(x *graph.Node) *graph.Node {
	l.calls++ // made in the trace, see Layers
	l.weights = x
	return x
}

// Layers makes its layers in the trace.
func Layers(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		first := newLayer()
		for _, l := range []*layer{first, newLayer()} {
			x = l.apply(x) // reached through a slice
		}
		byName := map[string]*layer{"first": first}
		return byName["first"].apply(x) // reached through a map
	})
}

type shared layer

func (l *shared) apply(x *graph.Node) *graph.Node {
	l.calls++     // want `l\.calls.*\(write\)$`
	l.weights = x // want `l\.weights.*\(leak\)$`
	return x
}

// Shared has made its layer before.
func Shared(backend compute.Backend) *graph.Exec {
	l := &shared{}
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return l.apply(x) })
}

// transformer keeps the scope of the trace in a field, as GoMLX's own does.
type transformer struct{ Scope *model.Scope }

func (m *transformer) logits(scope *model.Scope, x *graph.Node) *graph.Node {
	m.Scope = m.Scope.ResetVisited() // a scope, fresh for each trace
	return x
}

// Transformer wraps it.
func Transformer(backend compute.Backend, store *model.Store) *model.Exec {
	m := &transformer{Scope: store.RootScope()}
	return model.MustNewExec(backend, store, m.logits)
}

// Tee writes nowhere.
func Tee(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		both := io.MultiWriter(io.Discard, io.Discard)
		if _, err := io.WriteString(both, x.String()); err != nil { // a local writer
			panic(err)
		}
		return x
	})
}
