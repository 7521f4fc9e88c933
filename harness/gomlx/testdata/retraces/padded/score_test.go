package retraces

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

type Scorer struct{ exec *graph.Exec }

func NewScorer(rec *harness.Recorder, backend compute.Backend) *Scorer {
	return &Scorer{gomlx.MustNewExec(rec, backend, mean)}
}

func mean(weights, count *graph.Node) *graph.Node {
	return graph.Div(graph.ReduceAllSum(weights), count)
}

func (s *Scorer) Score(document []float32) float32 {
	padded := make([]float32, 32)
	copy(padded, document)
	return s.exec.MustCall1(padded, float32(len(document))).Value().(float32)
}

func TestScore(t *testing.T) {
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	if err != nil {
		t.Fatal(err)
	}
	rec := tracecheck.Record(t)
	s := NewScorer(rec, backend)
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for _, length := range []int{5, 9, 5, 12, 9, 12, 5, 30} {
			s.Score(make([]float32, length))
		}
	})
}
