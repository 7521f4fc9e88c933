package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// recursiveTrace is the rule about a wrapper called by the function that it wraps.
func recursiveTrace() *Rule {
	return &Rule{
		Name:     summary.RecursiveTrace,
		Severity: Error,
		Title:    "a wrapper called by the function that it wraps",
		Text: `A wrapper whose own function calls it, directly or through others, traces itself: without end, or until it
waits for a lock that it holds itself. Wrappers are told apart per package.`,
		Before: `m.exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	return graph.ConstTensor(x.Graph(), m.exec.MustExec1(m.start))
})`,
		After: `step := func(x *graph.Node) *graph.Node { return graph.Square(x) }
m.exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return step(step(x)) })`,
		Verdict: "inside the function that it wraps: it traces without end or waits for itself",
		Hint:    func(h engine.Hints) string { return "call the plain function instead" },
	}
}
