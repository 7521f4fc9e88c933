package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// nestedWrap is the rule about a wrapper built or called inside a traced function.
func nestedWrap() *Rule {
	return &Rule{
		Name:     summary.NestedWrap,
		Severity: Warning,
		Title:    "a wrapper built or called inside a traced function",
		Text: `A wrapper that is built or called while another function is traced does not become part of its graph: it is
traced on its own, runs at once, and its result is frozen as a constant. To share code, call the plain
function.

A note, not shown by default: a run-once helper on constants only, which is how constants are folded.`,
		Before: `func (m *Model) Fun(x *graph.Node) *graph.Node {
	y := m.inferenceExec.MustExec1(m.example)
	return graph.Mul(x, graph.ConstTensor(x.Graph(), y))
}`,
		After: `func (m *Model) Fun(x, example *graph.Node) *graph.Node {
	return graph.Mul(x, m.inference(example))
}`,
		Verdict: "inside a traced function: it is traced on its own, or runs at trace time and its result is frozen",
		Hint:    func(h engine.Hints) string { return "call the plain function instead" },
	}
}
