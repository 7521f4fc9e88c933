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

type Scorer struct {
	backend compute.Backend
	rec     *harness.Recorder
}

func mean(weights *graph.Node) *graph.Node { return graph.ReduceAllMean(weights) }

func (s *Scorer) Score(document []float32) float32 {
	exec := gomlx.MustNewExec(s.rec, s.backend, mean)
	return exec.MustCall1(document).Value().(float32)
}

func TestScore(t *testing.T) {
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	if err != nil {
		t.Fatal(err)
	}
	rec := tracecheck.Record(t)
	s := &Scorer{backend, rec}
	tracecheck.ExpectTraces(t, rec, 1, func() {
		for _, length := range []int{5, 9, 5, 12, 9, 12, 5, 30} {
			s.Score(make([]float32, length))
		}
	})
}
