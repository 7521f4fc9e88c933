// Package write holds the cases of rule write: changes at trace time to what outlives the trace.
package write

import (
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/fnn"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/helper"
)

var (
	calls   int
	names   []string
	widths  = map[string]int{}
	atomics atomic.Int64
	plain   int64
	table   [4]int
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, stats *statistics) []*graph.Exec {
	count, total := 0, 0.0
	var shapes []string
	seen := map[string]bool{}
	order := []int{3, 1, 2}
	m := &network{widths: map[string]int{}}
	return []*graph.Exec{
		graph.MustNewExec(backend, globals),
		graph.MustNewExec(backend, m.forward),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			count++                                     // want `\bcount\b.*\(write\)$`
			total += 1.5                                // want `\btotal\b.*\(write\)$`
			shapes = append(shapes, x.Shape().String()) // want `\bshapes\b.*\(write\)$`
			seen[x.String()] = true                     // want `\bseen\b.*\(write\)$`
			delete(seen, "old")                         // want `\bseen\b.*\(write\)$`
			clear(seen)                                 // want `\bseen\b.*\(write\)$`
			order[0] = 7                                // want `\border\b.*\(write\)$`
			sort.Ints(order)                            // want `\border\b.*\(write\)$`
			copy(order, []int{1})                       // want `\border\b.*\(write\)$`
			stats.calls++                               // want `stats\.calls.*\(write\)$`
			stats.last.rank = x.Rank()                  // want `stats\.last\.rank.*\(write\)$`
			stats.add()                                 // its statement has the finding
			helper.Bump(&count)                         // want `helper\.Bump.*\(write\)$`
			helper.Put(seen, "new", true)               // want `helper\.Put.*\(write\)$`
			return x
		}),
	}
}

func globals(x *graph.Node) *graph.Node {
	calls++                    // want `\bcalls\b.*\(write\)$`
	calls = x.Rank()           // want `\bcalls\b.*\(write\)$`
	names = append(names, "x") // want `\bnames\b.*\(write\)$`
	widths["x"] = x.Rank()     // want `\bwidths\b.*\(write\)$`
	atomics.Add(1)             // want `\batomics\b.*\(write\)$`
	atomic.AddInt64(&plain, 1) // want `\bplain\b.*\(write\)$`
	table[1], _ = x.Rank(), 0  // want `\btable\b.*\(write\)$`
	pointer := &calls
	*pointer = 2 // want `\(write\)$`
	alias := widths
	alias["y"] = 1 // want `\(write\)$`
	return x
}

type statistics struct {
	calls int
	last  struct{ rank int }
}

func (s *statistics) add() {
	s.calls += 2 // want `s\.calls.*\(write\)$`
}

type network struct {
	layers int
	widths map[string]int
}

func (m *network) forward(x *graph.Node) *graph.Node {
	m.layers++               // want `m\.layers.*\(write\)$`
	m.widths["x"] = x.Rank() // want `m\.widths.*\(write\)$`
	return m.layer(x)
}

func (m *network) layer(x *graph.Node) *graph.Node {
	m.layers = 2 // want `m\.layers.*\(write\)$`
	return x
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*model.Exec {
	store := model.NewStore()
	s := &scorer{}
	return []*model.Exec{
		model.MustNewExec(backend, store, locals),
		model.MustNewExec(backend, store, owned),
		model.MustNewExec(backend, store, s.score),
		model.MustNewExec(backend, store, memoised),
	}
}

func locals(scope *model.Scope, x *graph.Node) *graph.Node {
	count := 0
	count++ // a local
	var nodes []*graph.Node
	nodes = append(nodes, x) // the same
	byName := map[string]*graph.Node{"x": x}
	byName["y"] = graph.OnePlus(x) // made here
	delete(byName, "x")            // the same
	dims := slices.Clone(x.Shape().Dimensions)
	dims[0] = 1                  // a copy made here
	slices.Sort(dims)            // the same
	copied := maps.Clone(widths) // made here
	copied["x"] = count
	helper.Bump(&count)               // the callee changes a local
	helper.Put(copied, "y", 2)        // the same
	add := func(n int) { count += n } // a local of the traced function
	add(2)
	array := table // a copy
	array[0] = 1
	one := statistics{}
	one.calls++ // made here
	one.last.rank = x.Rank()
	two := &statistics{}
	two.calls = len(nodes) + array[0] + copied["x"]
	several := []*statistics{two}
	for _, each := range several {
		each.calls++ // reached through what was made here
	}
	var counter atomic.Int64
	counter.Add(1) // a local
	return byName["y"]
}

func owned(scope *model.Scope, x *graph.Node) *graph.Node {
	scope.SetParam("width", 8)                            // the scope's own business
	scope.SetGraphParam(x.Graph(), "x", x)                // keyed by graph
	x = fnn.New(scope, x, 8).NumHiddenLayers(1, 8).Done() // the engine's builder
	b := newBuilder(x).withMask(x)                        // a builder made in this trace
	b.width++
	counter := scope.VariableWithValue("counter", 0)
	counter.SetNodeValue(graph.OnePlus(counter.NodeValue(x))) // state in the graph: the idiom
	c := &inception{}
	return c.block(c.block(b.done()))
}

// inception gives scopes their names, right because one is made for each trace.
type inception struct{ count int }

func (c *inception) block(x *graph.Node) *graph.Node {
	c.count++ // made in this trace
	return x
}

// builder is the usual builder around nodes.
type builder struct {
	x, mask *graph.Node
	width   int
}

func newBuilder(x *graph.Node) *builder { return &builder{x: x} }

func (b *builder) withMask(mask *graph.Node) *builder {
	b.mask = mask // the receiver is made in the trace
	return b
}

func (b *builder) done() *graph.Node {
	b.width = 1 // the same
	return graph.Mul(b.x, b.mask)
}

// Attention is a root by its signature: it cannot know how long its receiver lives.
func (b *builder) Attention(query *graph.Node) *graph.Node {
	b.x = query // whoever calls it knows
	b.width++   // the same
	return query
}

// Fill is a root by its signature: its map is the caller's.
func Fill(nodes map[string]*graph.Node, widths map[string]int, x *graph.Node) *graph.Node {
	nodes["x"] = x         // the caller decides
	widths["x"] = x.Rank() // the same
	return x
}

// scorer counts its compilations on purpose, to show them.
type scorer struct{ NumCompilations int }

func (s *scorer) score(scope *model.Scope, x *graph.Node) *graph.Node {
	s.NumCompilations++ // counts traces and says so
	return x
}

var (
	memoLock sync.Mutex
	memo     = map[string]int{}
	once     sync.Once
	built    []int
	shared   sync.Map
)

func memoised(scope *model.Scope, x *graph.Node) *graph.Node {
	key := x.Shape().String()
	memoLock.Lock()
	width, ok := memo[key]
	if !ok {
		width = len(key)
		memo[key] = width // a memo stored on a miss under a lock
	}
	memoLock.Unlock()
	once.Do(func() {
		built = []int{1, 2, 3} // a memo stored under Once
	})
	doubled, _ := shared.LoadOrStore(key, 2*width) // a memo in a sync.Map
	return graph.AddScalar(x, width+len(built)+doubled.(int))
}

// Inspect builds a wrapper, calls it, and reads what its function noted.
func Inspect(backend compute.Backend) (string, *model.Variable) {
	var shape string
	var weights *model.Variable
	exec := model.MustNewExec(backend, model.NewStore(), func(scope *model.Scope, x *graph.Node) *graph.Node {
		shape = x.Shape().String()                        // a note: read after the call
		weights = scope.VariableWithValue("weights", 1.0) // a note: read after the call
		return graph.Mul(x, weights.NodeValue(x))
	})
	exec.MustCall1(1.0)
	return shape, weights
}

// Host changes what it likes.
func Host(exec *graph.Exec) {
	calls++ // host code
	exec.SetNodeLogger(func(g *graph.Graph, _ []string, _ []*tensors.Tensor, _ []graph.NodeId) {
		calls++ // a host callback
	})
}

// Once is traced as often as it is called.
func Once(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(x *graph.Node) *graph.Node {
		calls++ // a note
		return x
	}, float32(1))
}
