package app

import (
	"testing"

	"example.com/engine/taperecord"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestGenerate(t *testing.T) {
	rec := tracecheck.Record(t)
	m := NewModel(2)
	taperecord.Attach(rec, m.scores, "score")
	tracecheck.ExpectTraces(t, rec, 1, func() {
		if _, err := m.Generate([]float64{1, 2}, 5); err != nil {
			t.Fatal(err)
		}
	})
}
