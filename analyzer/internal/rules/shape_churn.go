package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// shapeChurn is the rule about dimensions that change from call to call.
func shapeChurn() *Rule {
	return &Rule{
		Name:     summary.ShapeChurn,
		Severity: Warning,
		Title:    "a wrapper called with new dimensions again and again",
		Text: `A wrapper traces once for each new signature, and dimensions are part of it. A slice that grows token by
token, a text's tokens, x[:n] for a counting n or a batch padded to its own longest text give a new one in
each turn of a loop: a trace and a compilation in place of a call, until the cache is full and calls fail.
The key is taken before the traced function runs: padding inside of it does not help.

Left alone: dimensions that are rounded to few sizes or padded to a constant, windows of constant length,
wrappers with dynamic axes or a cache whose size was set, and whatever cannot be followed.`,
		Before: `for len(tokens) < limit {
	logits := exec.MustCall1(tokens)
	tokens = append(tokens, next(logits))
}`,
		After: `buffer := make([]int32, limit)
n := copy(buffer, tokens)
for ; n < limit; n++ {
	logits := exec.MustCall1(buffer, int32(n))
	buffer[n] = next(logits)
}`,
		Hint: func(h engine.Hints) string { return h.Shape },
	}
}
