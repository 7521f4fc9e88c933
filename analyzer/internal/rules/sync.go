package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// syncRule is the rule about goroutines, channels and waits while tracing.
func syncRule() *Rule {
	return &Rule{
		Name:     summary.Sync,
		Severity: Warning,
		Title:    "goroutines, channels and waits while tracing",
		Text: `A goroutine, channel operation, wait or sleep in a traced function happens once per trace. A graph is built by
one goroutine: nodes added from another are a data race.

Left alone: mutexes, Once, OnceValue and sync.Map, which are the cure for traces that run at the same time.`,
		Before: `func layer(x *graph.Node) *graph.Node {
	go warmUp()
	return graph.Square(x)
}`,
		After: `func newLayer(backend compute.Backend) *graph.Exec {
	go warmUp()
	return graph.MustNewExec(backend, graph.Square)
}`,
		Verdict: "happens once per trace, while the graph is built",
		Hint:    func(h engine.Hints) string { return "do it outside of the traced function" },
	}
}
