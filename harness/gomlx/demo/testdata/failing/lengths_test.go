// Package failing holds the failing test that README.md shows. It lies below testdata so that no pattern matches it.
package failing

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

func meanOfSquares(tokens *graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(tokens))
}

func TestSentences(t *testing.T) {
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	if err != nil {
		t.Fatal(err)
	}
	sentences := [][]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9, 10}}
	rec := tracecheck.Record(t)
	exec := gomlx.MustNewExec1(rec, backend, meanOfSquares) // *graph.ExecOneOutput itself, traced through rec
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for _, s := range sentences {
			exec.MustCall(s)
		}
	})
}
