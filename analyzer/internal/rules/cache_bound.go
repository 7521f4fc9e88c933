package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// cacheBound is the rule about more signatures than a cache holds.
func cacheBound() *Rule {
	return &Rule{
		Name:     summary.CacheBound,
		Severity: Error,
		Title:    "more signatures than the cache of a wrapper holds",
		Text: `The cache of a wrapper is bounded, and nothing is evicted from it: in GoMLX the call with the 33rd signature
fails, unless SetMaxCache says otherwise. The finding stands at a call that a counted loop repeats with more
signatures than fit.`,
		Before: `for n := 1; n <= 40; n++ {
	exec.MustCall1(x[:n])
}`,
		After: `exec.SetMaxCache(40)
for n := 1; n <= 40; n++ {
	exec.MustCall1(x[:n])
}`,
		Hint: func(engine.Hints) string { return "pad to fewer sizes, or set the size of the cache" },
	}
}
