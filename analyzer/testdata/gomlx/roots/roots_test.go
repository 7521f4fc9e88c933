package roots

import (
	"fmt"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/graph/graphtest"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/modeltest"
)

func TestHelpers(t *testing.T) {
	graphtest.RunTestGraphFn(t, "graph", func(g *graph.Graph) (inputs, outputs []*graph.Node) {
		fmt.Println("graph")         // a note: traced once, as often as the test runs
		time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
		x := graph.Const(g, 1)
		return []*graph.Node{x}, []*graph.Node{x}
	}, []any{1}, 0)
	modeltest.RunTestGraphFn(t, "model", func(scope *model.Scope, g *graph.Graph) (inputs, outputs []*graph.Node) {
		fmt.Println("model")         // a note: the same
		time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
		x := graph.Const(g, 1)
		return []*graph.Node{x}, []*graph.Node{x}
	}, []any{1}, 0)
}

// build is no root: a parameter is the test's.
func build(t *testing.T, x *graph.Node) *graph.Node {
	fmt.Println("build") // host code, for all that its signature says
	return x
}
