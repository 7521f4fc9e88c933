package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// mapOrder is the rule about maps whose random order reaches the graph.
func mapOrder() *Rule {
	return &Rule{
		Name:     summary.MapOrder,
		Severity: Warning,
		Title:    "a map's random order that reaches the graph",
		Text: `The order of a range over a map differs from trace to trace. If the body appends symbolic values to a slice,
folds them into one, makes variables or draws random numbers, so does the graph: results are not reproducible, and
caches of compiled graphs miss. The finding stands at the range, also at one over keys or values that were
collected and not sorted.

Left alone: sorted keys; maps filled from maps; picking the entry that a condition looks for; sums of integers;
names collected for a message.`,
		Before: `for name, x := range inputs {
	sum = graph.Add(sum, layers.Dense(scope.In(name), x, true, 8))
}`,
		After: `for _, name := range slices.Sorted(maps.Keys(inputs)) {
	sum = graph.Add(sum, layers.Dense(scope.In(name), inputs[name], true, 8))
}`,
		Hint: func(engine.Hints) string { return "range over the sorted keys" },
	}
}
