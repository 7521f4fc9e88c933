// Package statecreation holds the cases of rule state-creation in GoMLX: variables that each trace adds.
package statecreation

import (
	"fmt"
	"math/rand"
	"sync/atomic"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/google/uuid"
)

var (
	layersMade int
	blocks     atomic.Int64
	weight     = shapes.Make(dtypes.Float32, 4)
)

type network struct {
	count int
	name  string
	depth int
	id    string
}

// Flagged wraps functions whose variables have other names in each trace.
func Flagged(backend compute.Backend, store *model.Store) []*model.Exec {
	m := &network{}
	captured := 0
	return []*model.Exec{
		model.MustNewExec(backend, store, counted),
		model.MustNewExec(backend, store, m.forward),
		model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			captured++                                                      // want `\(write\)$`
			return layers.Dense(scope.In("layer_%d", captured), x, true, 8) // want `Scope\)\.In is given a name with captured.*\(state-creation\)$`
		}),
		model.MustNewExec(backend, store, unique),
	}
}

func counted(scope *model.Scope, x *graph.Node) *graph.Node {
	layersMade++ // want `\(write\)$`
	name := fmt.Sprintf("w%d", layersMade)
	w := scope.VariableWithShape(name, weight)    // want `VariableWithShape is given a name with layersMade.*\(state-creation\)$`
	v := scope.VariableWithValue("v"+next(), 1.0) // want `VariableWithValue is given a name with next.*\(state-creation\)$`
	at := scope.At("block/%d", blocks.Add(1))     // want `At is given a name with blocks.*\(state-creation\)$`
	return graph.Mul(layers.Dense(at, x, true, 8), graph.Add(w.NodeValue(x), v.NodeValue(x)))
}

var names int

func next() string {
	names++ // want `\(write\)$`
	return fmt.Sprint(names)
}

func (m *network) forward(scope *model.Scope, x *graph.Node) *graph.Node {
	x = m.layer(scope, x)
	return m.layer(scope, x)
}

func (m *network) layer(scope *model.Scope, x *graph.Node) *graph.Node {
	m.count++                                                      // want `\(write\)$`
	return layers.Dense(scope.In("layer_%d", m.count), x, true, 8) // want `In is given a name with m\.count.*\(state-creation\)$`
}

func unique(scope *model.Scope, x *graph.Node) *graph.Node {
	scope = scope.In("%s", uuid.NewString())                     // want `In is given a name with uuid\.NewString.*\(state-creation\)$` `\(random\)$`
	started := time.Now().UnixNano()                             // want `\(clock\)$`
	scope = scope.In("run_%d", started)                          // want `In is given a name with time\.Now.*\(state-creation\)$`
	w := scope.VariableWithValue(fmt.Sprint("w", rand.Int()), 1) // want `VariableWithValue is given a name with rand\.Int.*\(state-creation\)$` `\(random\)$`
	return graph.Mul(x, w.NodeValue(x))
}

// Silent wraps functions whose variables are found again.
func Silent(backend compute.Backend, store *model.Store, prefix string, config []int) []*model.Exec {
	m := &network{name: "tower", depth: 3}
	run := time.Now().Unix()
	return []*model.Exec{
		model.MustNewExec(backend, store, m.named),
		model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			w := scope.VariableWithValue("w", 1.0) // a constant
			for i, width := range config {
				x = layers.Dense(scope.In("layer_%d", i), x, true, width)    // the loop's index
				x = layers.Dense(scope.In("wide_%d", width), x, true, width) // a setting
			}
			for i := 0; i < 3; i++ {
				x = layers.Dense(scope.In("more_%d", i), x, true, 8) // the same
			}
			scope = scope.In("%s", prefix) // captured, and no trace changes it
			scope = scope.In("%d", run)    // drawn once, on the host
			return graph.Mul(x, w.NodeValue(x))
		}),
		model.MustNewExec(backend, store, fresh),
	}
}

func (m *network) named(scope *model.Scope, x *graph.Node) *graph.Node {
	scope = scope.In("%s", m.name) // a setting
	for i := range m.depth {
		x = layers.Dense(scope.In("%s_%d", m.name, i), x, true, 8) // the same
	}
	number := 0
	step := func() *graph.Node {
		number++
		return layers.Dense(scope.In("step_%d", number), x, true, 8) // counted anew in each trace
	}
	x = graph.Add(step(), step())
	scope = scope.In("%s", m.scopeName()) // drawn once and kept
	scope = scope.In("rank_%d", x.Rank()) // of the shape
	return scope.VariableWithNodeValue("w", x).NodeValue(x)
}

func (m *network) scopeName() string {
	if m.id == "" {
		m.id = uuid.NewString() // want `\(random\)$` `\(write\)$`
	}
	return m.id
}

func fresh(scope *model.Scope, x *graph.Node) *graph.Node {
	m := &network{}
	x = m.fresh(scope, x) // the counter is this trace's
	return m.fresh(scope, x)
}

func (m *network) fresh(scope *model.Scope, x *graph.Node) *graph.Node {
	m.count++
	return layers.Dense(scope.In("fresh_%d", m.count), x, true, 8) // counted anew in each trace
}

// Host makes variables under new names, outside of traces.
func Host(scope *model.Scope) {
	layersMade++
	scope.VariableWithValue(fmt.Sprintf("w%d", layersMade), 1.0) // host code
}
