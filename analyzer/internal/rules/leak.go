package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// leak is the rule about a symbolic value kept beyond its trace.
func leak() *Rule {
	return &Rule{
		Name:     summary.Leak,
		Severity: Error,
		Title:    "a symbolic value kept beyond its trace",
		Text: `A symbolic value stands for a tensor only while its function is traced. Kept in a variable, field, map, channel
or goroutine, it fails when it is used later; a memo of one works for the first shape and fails for the
second. It also pins its graph's memory.

Left alone: what the trace itself owns, such as local slices and maps, fresh structs and scopes.`,
		Before: `var last *graph.Node

func layer(x *graph.Node) *graph.Node {
	last = graph.Square(x)
	return last
}`,
		After: `func layer(x *graph.Node) (y, last *graph.Node) {
	last = graph.Square(x)
	return last, last
}`,
		Verdict: "keeps it beyond its trace, where using it fails",
		Hint:    func(h engine.Hints) string { return "return it, or keep a concrete tensor" },
	}
}
