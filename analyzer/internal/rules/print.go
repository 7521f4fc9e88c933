package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// printRule is the rule about output that appears once per trace.
func printRule() *Rule {
	return &Rule{
		Name:     summary.Print,
		Severity: Warning,
		Title:    "output that appears once per trace",
		Text: `Output to stdout, stderr or a logger in a traced function appears when the function is recorded, not when
the graph runs: once for each new signature. What it shows of a symbolic value is its description, never a
number. Output through a parameter is its caller's: the finding comes where a caller passes os.Stdout or a
logger.

Left alone: output to memory, behind a verbosity check (klog.V, Enabled), and on the way to a panic or exit.
A note, not shown by default: inside sync.Once, nothing but shapes in a test file, and in functions that
only run-once helpers trace.`,
		Before: `exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	fmt.Println("x =", x)
	return graph.Square(x)
})`,
		After: `exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	x.SetLogged("x")
	return graph.Square(x)
})`,
		Verdict: "prints once per trace, not once per call",
		Hint:    func(h engine.Hints) string { return h.Print },
	}
}
