package rewrap

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

func BenchmarkTwice(b *testing.B) {
	backend := compute.MustNew()
	for i := 0; i < b.N; i++ {
		graph.MustNewExec(backend, twice).MustCall1(float32(1)) // measures just that
	}
	for b.Loop() {
		graph.MustExecOnce(backend, twice, float32(1)) // the same
	}
}

func TestTwice(t *testing.T) {
	backend := compute.MustNew()
	for _, input := range []float32{1, 2} {
		exec := graph.MustNewExec(backend, twice) // a note: a test
		exec.MustCall1(input)
	}
}
