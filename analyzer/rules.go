package analyzer

import (
	"github.com/tracelint/tracelint/analyzer/internal/config"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
)

// Severity says how bad a finding is.
type Severity = rules.Severity

// The severities, least first.
const (
	Note    = rules.Note    // often intended
	Warning = rules.Warning // happens once a trace, or costs traces
	Error   = rules.Error   // wrong results, a hang, a panic
)

// Rule is one kind of finding.
type Rule struct {
	Name     string   // the category of its diagnostics, as flags and ignore comments spell it
	Severity Severity // of a plain finding; those that are often intended are notes
	Title    string   // one line, lower case
	Text     string   // what is found, why it matters, what is left alone; paragraphs between empty lines
	Before   string   // Go code that is flagged
	After    string   // the same without the hazard
	URL      string   // the rule's page
}

// Rules lists the rules by name.
func Rules() []Rule {
	var list []Rule
	for _, r := range rules.All() {
		list = append(list, Rule{r.Name, r.Severity, r.Title, r.Text, r.Before, r.After, pageURL(r.Name)})
	}
	return list
}

// pageURL is where a rule's page lies.
func pageURL(rule string) string { return url + rule + ".md" }

// CheckRule reports that a name is no rule's, with the rule that may be meant.
func CheckRule(name string) error { return config.CheckRule(name) }
