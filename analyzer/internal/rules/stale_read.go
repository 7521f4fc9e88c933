package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// staleRead is the rule about what a trace reads and keeps, though it changes.
func staleRead() *Rule {
	return &Rule{
		Name:     summary.StaleRead,
		Severity: Error,
		Title:    "a value frozen at trace time that changes later",
		Text: `What a traced function reads of variables around it becomes part of the graph: the cached graph goes on with
the old value, and a call with a new signature, which traces again, sees the new one. Found are a captured
variable that is assigned after the wrapper is made; a package variable likewise; a value of the present call
captured by a function whose wrapper is made once and kept, behind a nil check, a map's miss or sync.Once, so that
the values of all later calls are ignored; and the value that a model variable has on the host. The finding stands
at the read.

Left alone: variables that hold functions, wrappers, backends or scopes; what is assigned on every way before the
wrapper is made, or in init; hyperparameters; what the kept wrapper's key holds; what only reaches messages. A note:
what is read through a captured pointer.

Only what is sure to run after wrapping counts. An exported variable that another package assigns is not seen.`,
		Before: `scale := 2.0
exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
	return graph.MulScalar(x, scale)
})
exec.MustCall1(x)
scale = 3
exec.MustCall1(x) // still doubles`,
		After: `exec := graph.MustNewExec(backend, func(x, scale *graph.Node) *graph.Node {
	return graph.Mul(x, scale)
})
exec.MustCall1(x, 2.0)
exec.MustCall1(x, 3.0)`,
		Hint: func(h engine.Hints) string { return h.Read },
	}
}
