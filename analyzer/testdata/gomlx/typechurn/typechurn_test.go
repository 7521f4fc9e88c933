package typechurn

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

func TestTwice(t *testing.T) {
	exec := graph.MustNewExec(compute.MustNew(), twice)
	exec.MustCall1(float32(1)) // tests try dtypes
	exec.MustCall1(int64(1))   // tests try dtypes
}
