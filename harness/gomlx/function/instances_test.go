package function_test

import (
	"testing"

	"github.com/tracelint/tracelint/harness/gomlx/function"
	"github.com/tracelint/tracelint/tracecheck"
)

type scale struct{ by float32 }

func (s *scale) step(c *function.Ctx, x function.Tensor) function.Tensor {
	return c.Mul(x, function.From(s.by))
}

// Instances share the name of their method, unless each has one of its own.
func TestInstancesAreCountedByName(t *testing.T) {
	s := newScenario(t)
	call := func(by float32, options ...function.FuncOption) {
		function.New(s.r, (&scale{by}).step, options...).Call(s.r.Host(), function.From(float32(1)))
	}
	tracecheck.ExpectTraces(t, s.rec, tracecheck.Counts{"(*scale).step": 2}, func() { call(1); call(2) })
	tracecheck.ExpectTraces(t, s.rec, tracecheck.Counts{"one": 1, "two": 1}, func() {
		call(1, function.WithName("one"))
		call(2, function.WithName("two"))
	})
}
