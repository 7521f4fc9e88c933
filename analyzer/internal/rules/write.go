package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// write is the rule about a change of something that outlives the trace.
func write() *Rule {
	return &Rule{
		Name:     summary.Write,
		Severity: Warning,
		Title:    "a change of something that outlives the trace",
		Text: `An assignment, an increment, an append, a delete or an atomic add to a variable, field, map or slice that
outlives the trace happens once per trace: counters stop, lists miss entries. Traces of several signatures may
run at the same time (GoMLX since v0.27), so it is a data race as well.

Left alone: what the trace owns (its own variables, symbolic values, scopes, the engine's builders), memos
stored on a miss under a lock or Once. A note: a plain assignment to a local of the function that builds the
wrapper and reads it after the call, and in functions that only run-once helpers trace.`,
		Before: `calls := 0
exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	calls++
	return graph.Square(x)
})`,
		After: `calls := 0
exec := graph.MustNewExec(backend, graph.Square)
for _, x := range inputs {
	calls++
	exec.MustExec(x)
}`,
		Verdict: "happens once per trace, not once per call, and outlives the trace",
		Hint:    func(h engine.Hints) string { return h.State },
	}
}
