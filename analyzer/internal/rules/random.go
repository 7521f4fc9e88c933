package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// random is the rule about host randomness, frozen into a graph.
func random() *Rule {
	return &Rule{
		Name:     summary.Random,
		Severity: Warning,
		Title:    "host randomness, frozen into a graph",
		Text: `A random number that a traced function draws on the host is a constant of the graph: every execution gets the
same one. So is GoMLX's RNGState and its like, which draw a new state when the graph is built.

Left alone: a generator seeded by a constant in the same function; one that is a parameter is its caller's.
A note: in functions that only run-once helpers trace.`,
		Before: `func noisy(x *graph.Node) *graph.Node {
	return graph.AddScalar(x, rand.Float64())
}`,
		After: `func noisy(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Add(x, scope.RandomNormal(x.Graph(), x.Shape()))
}`,
		Verdict: "is drawn once per trace and frozen into the graph",
		Hint:    func(h engine.Hints) string { return h.Random },
	}
}
