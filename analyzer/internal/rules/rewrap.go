package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// rewrap is the rule about a wrapper built where its cache is lost.
func rewrap() *Rule {
	return &Rule{
		Name:     summary.Rewrap,
		Severity: Warning,
		Title:    "a wrapper built where its cache is lost",
		Text: `A wrapper keeps the traces of its function. One that is built for each turn of a loop, each request or each
call of a method traces its function every time. The finding stands at the constructor.

Left alone: wrappers that are kept, returned or passed on, or built behind a nil check; functions that capture
something that the turn changes; benchmark loops. A note: in test files, and in methods that nothing shows to
be called often.`,
		Before: `for _, x := range inputs {
	exec := graph.MustNewExec(backend, square)
	results = append(results, exec.MustExec1(x))
}`,
		After: `exec := graph.MustNewExec(backend, square)
for _, x := range inputs {
	results = append(results, exec.MustExec1(x))
}`,
		Verdict: "",
		Hint:    func(h engine.Hints) string { return "build it once and keep it" },
	}
}
