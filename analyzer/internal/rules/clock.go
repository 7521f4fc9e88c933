package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// clock is the rule about the time, frozen into a graph.
func clock() *Rule {
	return &Rule{
		Name:     summary.Clock,
		Severity: Warning,
		Title:    "the time, frozen into a graph",
		Text: `A traced function that reads the clock reads it once per trace: each execution of the graph sees the time of
the recording.

Left alone: a time that reaches nothing but a log, a print or time.Since, as measurements of the tracing
itself do. A note: in functions that only run-once helpers trace.`,
		Before: `func step(x *graph.Node) *graph.Node {
	return graph.AddScalar(x, float64(time.Now().Unix()))
}`,
		After: `func step(x, now *graph.Node) *graph.Node {
	return graph.Add(x, now)
}`,
		Verdict: "reads the clock once per trace, and the time is frozen into the graph",
		Hint:    func(h engine.Hints) string { return "pass the time as an argument" },
	}
}
