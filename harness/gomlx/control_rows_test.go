package gomlx_test

import (
	"testing"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestControlFlowRows(t *testing.T) {
	t.Run("W1 While of 5 turns, called twice", func(t *testing.T) {
		rec := tracecheck.Record(t)
		condition := harness.Wrap(rec, "condition", func(g *graph.Graph) []*graph.Node {
			turn := graph.Parameter(g, "turn", shapes.Scalar[int32]())
			return []*graph.Node{graph.LessThan(turn, graph.Const(g, int32(5)))}
		})
		body := harness.Wrap(rec, "body", func(g *graph.Graph) []*graph.Node {
			turn := graph.Parameter(g, "turn", shapes.Scalar[int32]())
			return []*graph.Node{graph.AddScalar(turn, 1)}
		})
		loop := func(turn *graph.Node) *graph.Node {
			g := turn.Graph()
			return graph.While(graph.NewClosure(g, condition), graph.NewClosure(g, body), turn)[0]
		}
		exec := graph.MustNewExec(newBackend(t), harness.Wrap(rec, "loop", loop))
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"loop": 1, "condition": 1, "body": 1}, func() {
			require.Equal(t, int32(5), exec.MustCall1(int32(0)).Value())
			require.Equal(t, int32(5), exec.MustCall1(int32(0)).Value())
		})
		require.Equal(t, []string{"first", "first", "first"}, causes(rec))
	})
	t.Run("W2 If traces both branches once", func(t *testing.T) {
		rec := tracecheck.Record(t)
		branch := func(name string, value float32) func(g *graph.Graph) []*graph.Node {
			return harness.Wrap(rec, name, func(g *graph.Graph) []*graph.Node {
				return []*graph.Node{graph.Const(g, value)}
			})
		}
		yes, no := branch("yes", 1), branch("no", -1)
		exec := gomlx.MustNewExec(rec, newBackend(t), func(condition *graph.Node) *graph.Node {
			g := condition.Graph()
			return graph.If(condition, graph.NewClosure(g, yes), graph.NewClosure(g, no))[0]
		})
		tracecheck.ExpectTraces(t, rec, 3, func() {
			require.Equal(t, float32(1), exec.MustCall1(true).Value())
			require.Equal(t, float32(-1), exec.MustCall1(false).Value())
		})
		require.Equal(t, []string{"first", "first", "first"}, causes(rec))
	})
	t.Run("cg custom gradient, with Gradient", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backward := harness.Wrap(rec, "backward", func(_, adjoint *graph.Node) *graph.Node { return graph.MulScalar(adjoint, 10) })
		exec := gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			y := graph.ReduceAllSum(graph.IdentityWithCustomGradient(x, backward))
			return graph.Gradient(y, x)[0]
		})
		tracecheck.ExpectTraces(t, rec, 2, func() {
			require.Equal(t, []float32{10, 10}, exec.MustCall1(ones(2)).Value())
			require.Equal(t, []float32{10, 10}, exec.MustCall1(ones(2)).Value())
		})
		require.Equal(t, []string{"first", "first"}, causes(rec))
	})
	t.Run("cg custom gradient, without Gradient", func(t *testing.T) {
		rec := tracecheck.Record(t)
		backward := harness.Wrap(rec, "backward", func(_, adjoint *graph.Node) *graph.Node { return adjoint })
		exec := gomlx.MustNewExec(rec, newBackend(t), func(x *graph.Node) *graph.Node {
			return graph.ReduceAllSum(graph.IdentityWithCustomGradient(x, backward))
		})
		tracecheck.ExpectTraces(t, rec, 1, func() {
			exec.MustCall1(ones(2))
			exec.MustCall1(ones(2))
		})
		require.Equal(t, []string{"first"}, causes(rec))
	})
}
