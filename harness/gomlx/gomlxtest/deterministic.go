// Package gomlxtest holds assertions for tests of functions that GoMLX traces. It
// is apart from package gomlx, since it links package testing, which a server
// should not.
package gomlxtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// deterministicTraces is how often ExpectDeterministic traces: two keys of a map
// come in the same order every second time, so that it misses one in 512.
const deterministicTraces = 10

// A Compiler is a wrapper that traces for shapes without being called: a
// *[graph.Exec], a *model.Exec or one of their kin.
type Compiler interface {
	Compile(arguments ...shapes.Shape) (*graph.Graph, error)
	Finalize()
}

// ExpectDeterministic traces a function 10 times for arguments of the shapes,
// each time in a new wrapper, and reports an error to t unless all graphs have
// the same ops with the same inputs and constants. What makes them differ is the
// order of a map or of goroutines, the clock, random numbers, or state that
// traces change.
//
//	gomlxtest.ExpectDeterministic(t, func() *graph.Exec { return graph.MustNewExec(backend, square) }, shapes.Make(dtypes.Float32, 3))
//
// For models, the function makes a new store too, unless the variables that a
// trace adds are meant to be there in the next. GoMLX keeps the values of small
// constants only (graph.MinConstValueSizeToKeep); larger ones are compared by
// their shapes.
func ExpectDeterministic[E Compiler](t testing.TB, newExec func() E, arguments ...shapes.Shape) {
	t.Helper()
	if newExec == nil {
		t.Fatalf("gomlxtest.ExpectDeterministic: the function that makes a wrapper is nil")
		return
	}
	var first []op
	for n := range deterministicTraces {
		ops, err := trace(newExec(), arguments)
		if err != nil {
			t.Fatalf("gomlxtest.ExpectDeterministic: trace %d: %v", n+1, err)
			return
		}
		if n == 0 {
			first = ops
			continue
		}
		if difference := compare(first, ops); difference != "" {
			t.Errorf("traces 1 and %d of %d built different graphs: %s", n+1, deterministicTraces, difference)
			return
		}
	}
}

// An op is a node of a graph that no longer exists.
type op struct {
	kind graph.NodeType
	text string
}

func trace(exec Compiler, arguments []shapes.Shape) ([]op, error) {
	defer exec.Finalize()
	g, err := exec.Compile(arguments...)
	if err != nil {
		return nil, err
	}
	var ops []op
	for _, node := range g.Nodes() {
		text, _, _ := strings.Cut(node.String(), " - mem: ")
		ops = append(ops, op{node.Type(), strings.TrimPrefix(text, "Node ")})
	}
	return ops, nil
}

// compare tells of the first op in which two graphs differ; empty if in none.
func compare(first, later []op) string {
	for i := range max(len(first), len(later)) {
		var a, b op
		if i < len(first) {
			a = first[i]
		}
		if i < len(later) {
			b = later[i]
		}
		if a == b {
			continue
		}
		cause := "the order of a map or of goroutines, or state that a trace changes; sort the keys, and keep state out of the body"
		if a.kind == b.kind && a.kind == graph.NodeTypeConstant {
			cause = "a constant from the clock, random numbers or a counter; pass it as an argument, or keep it in a variable"
		}
		return fmt.Sprintf("op %d of %d is the first that differs\n  - %s\n  + %s\n  likely cause: %s",
			i, max(len(first), len(later)), orNone(a.text), orNone(b.text), cause)
	}
	return ""
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
