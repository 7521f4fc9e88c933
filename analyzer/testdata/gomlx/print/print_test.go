package print

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/graph/graphtest"
)

func TestShapes(t *testing.T) {
	exec := graph.MustNewExec(compute.MustNew(), func(x *graph.Node) *graph.Node {
		fmt.Printf("%s: %s, rank %d, %s\n", t.Name(), x.Shape(), x.Rank(), x.DType()) // a note: nothing but shapes, in a test
		return x
	})
	exec.MustCall1(float32(1))
}

func TestValues(t *testing.T) {
	exec := graph.MustNewExec(compute.MustNew(), func(x *graph.Node) *graph.Node {
		fmt.Println("x is", x) // want `fmt\.Println prints.*\(print\)$`
		return x
	})
	exec.MustCall1(float32(1))
}

func TestGraph(t *testing.T) {
	graphtest.RunTestGraphFn(t, "identity", func(g *graph.Graph) (inputs, outputs []*graph.Node) {
		x := graph.Const(g, float32(1))
		fmt.Println("x is", x.Shape()) // a note
		return []*graph.Node{x}, []*graph.Node{x}
	}, []any{float32(1)}, 0)
}
