package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// raggedBatch is the rule about a last batch that is smaller.
func raggedBatch() *Rule {
	return &Rule{
		Name:     summary.RaggedBatch,
		Severity: Warning,
		Title:    "training batches whose last one is smaller",
		Text: `The last batch of an epoch is smaller if the examples are no multiple of the batch size, and its dimensions
are a signature of their own: the whole training step is traced and compiled once more for it, and its
examples weigh more than others.

Left alone: evaluation, where each example must count once.`,
		Before: `trainDS := data.Shuffle().BatchSize(64, false)`,
		After:  `trainDS := data.Shuffle().BatchSize(64, true)`,
		Hint:   func(engine.Hints) string { return "drop it: pass true" },
	}
}
