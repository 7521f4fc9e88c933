package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// environ is the rule about the environment read while tracing.
func environ() *Rule {
	return &Rule{
		Name:     summary.Environ,
		Severity: Warning,
		Title:    "the environment read while tracing",
		Text: `Environment variables, the host's name, the working directory and the user are read once per trace and frozen
into the graph: a later change has no effect until the signature changes.

Left alone: flags and arguments, which are constant once parsed. A note: in functions that only run-once
helpers trace.`,
		Before: `func layer(x *graph.Node) *graph.Node {
	if os.Getenv("FAST") != "" {
		return fast(x)
	}
	return slow(x)
}`,
		After: `func newLayer(fastPath bool) func(x *graph.Node) *graph.Node {
	if fastPath {
		return fast
	}
	return slow
}`,
		Verdict: "is read once per trace and frozen into the graph",
		Hint:    func(h engine.Hints) string { return "read it before the wrapper is built" },
	}
}
