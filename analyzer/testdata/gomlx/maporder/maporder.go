// Package maporder holds the cases of rule map-order: a map's random order that reaches the graph.
package maporder

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/middle"
)

var (
	widths  = map[string]int{"a": 8, "b": 16}
	factors = map[string]float64{"a": 0.5, "b": 2}
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, store *model.Store) []*model.Exec {
	return []*model.Exec{
		model.MustNewExec(backend, store, accumulates),
		model.MustNewExec(backend, store, sequences),
		model.MustNewExec(backend, store, collected),
	}
}

func accumulates(scope *model.Scope, x *graph.Node) *graph.Node {
	inputs := map[string]*graph.Node{"x": x, "y": graph.Neg(x)}
	var nodes []*graph.Node
	for _, node := range inputs { // want `^the random order of inputs reaches the graph through nodes; range over the sorted keys \(map-order\)$`
		nodes = append(nodes, node)
	}
	sum := graph.ZerosLike(x)
	for _, node := range inputs { // want `through sum.*\(map-order\)$`
		sum = graph.Add(sum, node)
	}
	for name := range widths { // want `through x.*\(map-order\)$`
		x = graph.MulScalar(x, widths[name])
	}
	ordered := make([]*graph.Node, len(inputs))
	i := 0
	for _, node := range inputs { // want `through ordered\[i\].*\(map-order\)$`
		ordered[i] = node
		i++
	}
	var last *graph.Node
	for _, node := range inputs { // want `through last.*\(map-order\)$`
		last = node
	}
	total := 0.0
	for _, factor := range factors { // want `through total.*\(map-order\)$`
		total += factor
	}
	b := &builder{}
	for name, node := range inputs { // want `through b\.nodes.*\(map-order\)$`
		if strings.HasPrefix(name, "x") {
			b.nodes = append(b.nodes, node)
		}
	}
	nodes = append(nodes, ordered...)
	nodes = append(nodes, b.nodes...)
	return graph.MulScalar(graph.Concatenate(append(nodes, sum, last, x), 0), total)
}

type builder struct{ nodes []*graph.Node }

func sequences(scope *model.Scope, x *graph.Node) *graph.Node {
	out := map[string]*graph.Node{}
	for name, width := range widths { // want `by layers\.Dense in its body.*\(map-order\)$`
		out[name] = layers.Dense(scope.In("%s", name), x, true, width)
	}
	for name := range widths { // want `by \(\*model\.Scope\)\.VariableWithValue in its body.*\(map-order\)$`
		scope.In("%s", name).VariableWithValue("w", 1.0)
	}
	for name := range widths { // want `by \(\*model\.Scope\)\.RandomUniform in its body.*\(map-order\)$`
		out[name] = scope.RandomUniform(x.Graph(), x.Shape())
	}
	for name := range widths { // want `by dense: layers\.Dense in its body.*\(map-order\)$`
		out[name] = dense(scope.In("%s", name), x)
	}
	for name := range widths { // want `by middle\.Weight: .*VariableWithValue in its body.*\(map-order\)$`
		middle.Weight(scope, name)
	}
	return graph.Add(out["a"], out["b"])
}

func dense(scope *model.Scope, x *graph.Node) *graph.Node { return layers.Dense(scope, x, true, 8) }

func collected(scope *model.Scope, x *graph.Node) *graph.Node {
	for name := range maps.Keys(widths) { // want `random order of maps\.Keys\(widths\) reaches the graph through x.*\(map-order\)$`
		x = layers.Dense(scope.In("%s", name), x, true, widths[name])
	}
	names := slices.Collect(maps.Keys(widths))
	for _, name := range names { // want `random order of names reaches the graph through x.*\(map-order\)$`
		x = graph.MulScalar(x, widths[name])
	}
	var appended []string
	for name := range widths {
		appended = append(appended, name)
	}
	for _, name := range appended { // want `random order of appended reaches the graph through x.*\(map-order\)$`
		x = graph.AddScalar(x, widths[name])
	}
	return x
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend, store *model.Store) []*model.Exec {
	return []*model.Exec{
		model.MustNewExec(backend, store, sorted),
		model.MustNewExec(backend, store, orderFree),
	}
}

func sorted(scope *model.Scope, x *graph.Node) *graph.Node {
	for _, name := range slices.Sorted(maps.Keys(widths)) { // sorted
		x = layers.Dense(scope.In("%s", name), x, true, widths[name])
	}
	names := slices.Collect(maps.Keys(widths)) // sorted below
	slices.Sort(names)
	for _, name := range names { // sorted
		x = graph.MulScalar(x, widths[name])
	}
	var appended []string
	for name := range widths { // names alone
		appended = append(appended, name)
	}
	sort.Strings(appended)
	for _, name := range appended { // sorted
		x = graph.AddScalar(x, widths[name])
	}
	inputs := map[string]*graph.Node{"x": x}
	var nodes []*graph.Node
	for _, node := range inputs { // sorted below
		nodes = append(nodes, node)
	}
	slices.SortFunc(nodes, func(a, b *graph.Node) int { return int(a.Id() - b.Id()) })
	for i, node := range nodes { // a slice
		nodes[i] = graph.Neg(node)
	}
	return graph.Concatenate(nodes, 0)
}

func orderFree(scope *model.Scope, x *graph.Node) *graph.Node {
	inputs := map[string]*graph.Node{"x": x, "y": graph.Neg(x)}
	squares := map[string]*graph.Node{}
	for name, node := range inputs { // from map to map
		squares[name] = graph.Square(node)
	}
	index := map[string]int{"x": 0, "y": 1}
	ordered := make([]*graph.Node, len(inputs))
	for name, node := range inputs { // each key has a place of its own
		ordered[index[name]] = node
	}
	total, most := 0, 0
	for _, width := range widths { // a sum and a maximum of integers
		total += width
		most = max(most, width)
	}
	var found *graph.Node
	for name, node := range inputs { // the one that is looked for
		if name == "y" {
			found = node
		}
	}
	var g *graph.Graph
	for _, node := range inputs { // the same graph in any of them
		g = node.Graph()
		break
	}
	for name, node := range inputs { // a message's names
		if node.Rank() > 8 {
			var names []string
			for known := range inputs { // the same
				names = append(names, known)
			}
			panic(fmt.Errorf("%s is none of %v", name, names))
		}
	}
	for name := range inputs { // changes nothing but the map
		if name == "z" {
			delete(inputs, name)
		}
	}
	for range inputs { // the same in each turn
		x = graph.OnePlus(x)
	}
	for _, node := range inputs { // local to the turn
		doubled := graph.MulScalar(node, 2.0)
		doubled = graph.Neg(doubled)
		doubled.SetLogged("doubled")
	}
	for name := range widths { // settings, read
		if model.GetParamOr(scope, name, false) {
			total++
		}
	}
	y := graph.AddScalar(graph.Add(found, ordered[0]), total+most)
	return graph.Add(graph.Add(y, graph.Const(g, 1.0)), graph.Add(x, squares["x"]))
}

// Host accumulates outside of traces.
func Host(scope *model.Scope) []*model.Variable {
	var variables []*model.Variable
	for name := range widths { // host code
		variables = append(variables, scope.In("%s", name).VariableWithValue("w", 1.0))
	}
	return variables
}
