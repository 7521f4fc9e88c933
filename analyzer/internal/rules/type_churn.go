package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// typeChurn is the rule about dtypes that come one after the other.
func typeChurn() *Rule {
	return &Rule{
		Name:     summary.TypeChurn,
		Severity: Warning,
		Title:    "a wrapper called with a further dtype",
		Text: `A wrapper traces once for each new signature, and dtypes are part of it: float32(1) and 1 (an int64) are two
traces of the same function. The finding stands at each call that adds a dtype inside one function, or inside
a loop a rank.

Left alone: test files, and functions that choose by dtype, rank or type.`,
		Before: `for _, x := range inputs {
	exec.MustCall1(x)          // float32
	exec.MustCall1(int32(len(inputs)))
}`,
		After: `for _, x := range inputs {
	exec.MustCall1(x)
	exec.MustCall1(float32(len(inputs)))
}`,
		Hint: func(engine.Hints) string { return "bring it to one form before the call" },
	}
}
