package rules

import "github.com/tracelint/tracelint/analyzer/internal/summary"

// stateCreation is the rule about state that traces make.
func stateCreation() *Rule {
	return &Rule{
		Name:     summary.StateCreation,
		Severity: Warning,
		Title:    "state made by a trace",
		Text: `An engine of tf.function's kind traces a function a second time if its first call makes state, to have a trace
that makes none; state made in every trace fails from the second on. A layer makes its state when it is first used,
unless it was built before. In GoMLX a variable is found again by its name: one whose name or scope depends on what
changes from trace to trace, a counter, the clock or a random number, is a new one in each.

Left alone: state made in host code; layers that host code builds or uses; variables with constant names and names
made of loop indices and settings.`,
		Before: `func (m *Model) fun(c *function.Ctx, x function.Tensor) function.Tensor {
	if m.scale == nil {
		m.scale = c.Variable("scale", function.Fill(spec, 1))
	}
	return c.Mul(x, m.scale.Read(c))
}`,
		After: `func NewModel(rt *function.Runtime) *Model {
	return &Model{scale: rt.Host().Variable("scale", function.Fill(spec, 1))}
}

func (m *Model) fun(c *function.Ctx, x function.Tensor) function.Tensor {
	return c.Mul(x, m.scale.Read(c))
}`,
	}
}
