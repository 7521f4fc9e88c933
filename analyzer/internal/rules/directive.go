package rules

import "github.com/tracelint/tracelint/analyzer/internal/summary"

// Directive is the rule about the comments by which findings are silenced and functions marked.
func Directive() *Rule {
	return &Rule{
		Name:     summary.Directive,
		Severity: Warning,
		Title:    "a tracelint comment that does nothing",
		Text: `A //tracelint: comment that is malformed, names an unknown rule, gives no reason, stands on nothing or
silences nothing does not do what its author meant. Write

	//tracelint:ignore RULE[,RULE] reason

on the line, the line above, or the declaration, and //tracelint:traced or //tracelint:host on a function.`,
		Before: `//tracelint:ignore print
fmt.Println("building", x.Shape())`,
		After: `//tracelint:ignore print shows each compilation on purpose
fmt.Println("building", x.Shape())`,
	}
}
