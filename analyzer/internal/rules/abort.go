package rules

import (
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// abort is the rule about a trace left in a way that the engine cannot catch.
func abort() *Rule {
	return &Rule{
		Name:     summary.Abort,
		Severity: Error,
		Title:    "a trace left in a way that the engine cannot catch",
		Text: `GoMLX turns a panic with an error into an error of the call. A panic with anything else, log.Panicf, and
runtime.Goexit (which t.Fatal and testify's require use) escape: with GoMLX v0.28 the next call with that
signature hangs for ever, and so does Finalize.

Left alone: panic(nil), values of interface type such as panic(recover()), what a recover in the same function
catches, and log.Fatal and os.Exit, which end the process. A note: in functions run by graphtest's helpers.`,
		Before: `func layer(x *graph.Node) *graph.Node {
	if x.Rank() != 2 {
		panic("want rank 2")
	}
	return graph.Square(x)
}`,
		After: `func layer(x *graph.Node) *graph.Node {
	if x.Rank() != 2 {
		panic(errors.New("want rank 2"))
	}
	return graph.Square(x)
}`,
		Verdict: "leaves the trace in a way that the engine cannot catch: later calls with the signature may hang",
		Hint:    func(h engine.Hints) string { return "panic with an error instead" },
	}
}
