// Package failing holds a test that fails: gomlxtest's own tests run it and
// compare what a person sees.
package failing

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/gomlxtest"
)

func TestCounterIsBakedIn(t *testing.T) {
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	require.NoError(t, err)
	step := float32(0)
	gomlxtest.ExpectDeterministic(t, func() *graph.Exec {
		return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			step++
			return graph.Mul(x, graph.Const(x.Graph(), []float32{step}))
		})
	}, shapes.Make(dtypes.Float32, 1))
	t.Log("the test went on")
}
