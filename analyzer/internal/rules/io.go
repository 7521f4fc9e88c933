package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// ioRule is the rule about files, network, processes and databases used while tracing.
func ioRule() *Rule {
	return &Rule{
		Name:     summary.IO,
		Severity: Warning,
		Title:    "files, network, processes and databases used while tracing",
		Text: `A traced function that reads a file, calls a server, runs a process or queries a database does so once per
trace. What it reads is frozen into the graph, what it writes is written once.

Left alone: reads and writes of memory. A note: in functions that only run-once helpers trace.`,
		Before: `exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	weights := decode(must(os.ReadFile("weights.bin")))
	return graph.Mul(x, graph.Const(x.Graph(), weights))
})
y := exec.MustCall1(x)`,
		After: `weights := decode(must(os.ReadFile("weights.bin")))
exec := graph.MustNewExec(backend, func(x, w *graph.Node) *graph.Node { return graph.Mul(x, w) })
y := exec.MustCall1(x, weights)`,
		Verdict: "happens once per trace, not once per call, and what it reads is frozen into the graph",
		Hint:    func(h engine.Hints) string { return "do it outside of the traced function" },
	}
}
