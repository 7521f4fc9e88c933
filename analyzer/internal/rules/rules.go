// Package rules holds what tracelint reports: one file a rule, with its documentation and the message
// that it gives for what package flow found.
package rules

import (
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Severity says how bad a finding is.
type Severity int

// The severities, least first.
const (
	Note    Severity = iota // often intended
	Warning                 // happens once a trace, or costs traces
	Error                   // wrong results, a hang, a panic
)

var severityNames = []string{"note", "warning", "error"}

// String is the severity's name as flags and outputs spell it.
func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a severity's name.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames, name)
	return Severity(i), i >= 0
}

// Rule is one kind of finding.
type Rule struct {
	Name     string   // as in messages, categories and ignore comments
	Severity Severity // of a plain finding; those that are often intended are notes
	Title    string   // one line, lower case
	Text     string   // what is found, why it matters, what is left alone
	Before   string   // code that is flagged
	After    string   // the same without the hazard
	// Verdict completes a message after its subject: "prints once per trace, not once per call".
	Verdict string
	// Hint gives the way out from an engine's hints; nil if there is none.
	Hint func(engine.Hints) string
}

// All lists the rules by name. They are immutable.
func All() []*Rule {
	return []*Rule{
		abort(), cacheBound(), clock(), Directive(), environ(), freshKey(), ioRule(), leak(), mapOrder(), nestedWrap(),
		printRule(), raggedBatch(), random(), recursiveTrace(), rewrap(), shapeChurn(), staleRead(), stateCreation(),
		syncRule(), typeChurn(), write(),
	}
}

// Message says what was found: the subject, what becomes of it, why it may be meant, the way out, and
// the rule's name in parentheses.
func (r *Rule) Message(chain []summary.Step, what, note string, hints engine.Hints) string {
	text := summary.Describe(chain, what)
	if r.Verdict != "" {
		text += " " + r.Verdict
	}
	if note != "" {
		text += "; often intended, as " + note
	} else if r.Hint != nil {
		if hint := r.Hint(hints); hint != "" {
			text += "; " + hint
		}
	}
	return text + " (" + r.Name + ")"
}

// Names lists the rules' names.
func Names() []string {
	var names []string
	for _, r := range All() {
		names = append(names, r.Name)
	}
	return names
}
