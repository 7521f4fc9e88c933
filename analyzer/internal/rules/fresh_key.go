package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// freshKey is the rule about keys that are new objects each time.
func freshKey() *Rule {
	return &Rule{
		Name:     summary.FreshKey,
		Severity: Warning,
		Title:    "a cache key made anew at each call",
		Text: `Some parts of a key are compared by identity: the spec of a training batch, the objects that a function of
package function is called with. A pointer to a new object is a new key each time, though the object is equal:
each batch or call traces, and the cache fills up.

Left alone: objects that are made once and kept, and calls that run once.`,
		Before: `func (ds *Words) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for ds.next() {
			yield(train.Batch{Inputs: ds.inputs(), Spec: &Spec{Width: ds.width}}, nil)
		}
	}
}`,
		After: `func (ds *Words) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for ds.next() {
			yield(train.Batch{Inputs: ds.inputs(), Spec: ds.spec}, nil)
		}
	}
}`,
		Hint: func(engine.Hints) string { return "make it once and keep it, or use a value such as a string" },
	}
}
