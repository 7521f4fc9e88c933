package abort

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/graph/graphtest"
	"github.com/stretchr/testify/require"
)

func TestTraced(t *testing.T) {
	exec := graph.MustNewExec(compute.MustNew(), func(x *graph.Node) *graph.Node {
		if x.Rank() != 0 {
			t.Fatalf("rank %d", x.Rank()) // want `Fatalf.*\(abort\)$`
		}
		if !x.DType().IsFloat() {
			t.FailNow() // want `FailNow.*\(abort\)$`
		}
		require.Equal(t, 0, x.Rank()) // want `require\.Equal.*\(abort\)$`
		return x
	})
	require.NotNil(t, exec.MustCall1(float32(1))) // host code
	if t.Failed() {
		t.Fatal("failed") // host code
	}
}

func TestGraphFn(t *testing.T) {
	graphtest.RunTestGraphFn(t, "identity", func(g *graph.Graph) (inputs, outputs []*graph.Node) {
		x := graph.Const(g, float32(1))
		if x.Rank() != 0 {
			t.Fatalf("rank %d", x.Rank()) // a note
		}
		require.NotNil(t, x) // a note
		return []*graph.Node{x}, []*graph.Node{x}
	}, []any{float32(1)}, 0)
}

// check is no root: a parameter is the test's.
func check(t *testing.T, x *graph.Node) *graph.Node {
	if x == nil {
		t.Fatal("nil") // nobody traces it
	}
	return x
}
