// Package rulepage writes the documentation of rules, from the table next to their code.
package rulepage

import (
	"fmt"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
)

// directive is the rule about the comments themselves, which no comment silences.
const directive = "directive"

// Markdown is a rule's page: what it finds and why that matters, code before and after, how to accept a finding.
func Markdown(rule analyzer.Rule) string {
	var page strings.Builder
	fmt.Fprintf(&page, "# %s: %s\n\nSeverity: %s\n\n%s\n", rule.Name, rule.Title, rule.Severity, strings.TrimSpace(rule.Text))
	fmt.Fprintf(&page, "\n## Before\n\n%s\n## After\n\n%s", code(rule.Before), code(rule.After))
	if rule.Name == directive {
		return page.String()
	}
	fmt.Fprintf(&page, `
## Accepting a finding

On the line, the line above, or a declaration, with a reason:

%s
In %s, for packages or functions:

%s`, code(fmt.Sprintf("//tracelint:ignore %s the reason", rule.Name)), "`"+analyzer.ConfigFileName+"`",
		fenced("yaml", fmt.Sprintf("exempt:\n  - packages: [example.com/m/debug/...]\n    rules: [%s]\n    reason: the reason", rule.Name)))
	return page.String()
}

// Index is the page that leads to those of all rules.
func Index(list []analyzer.Rule) string {
	var page strings.Builder
	page.WriteString("# Rules\n\nThe same text as `tracelint explain RULE` prints. What each rule does not see is in [caveats](../caveats.md).\n\n" +
		"| rule | severity | finds |\n| --- | --- | --- |\n")
	for _, rule := range list {
		fmt.Fprintf(&page, "| [%s](%s.md) | %s | %s |\n", rule.Name, rule.Name, rule.Severity, rule.Title)
	}
	return page.String()
}

func code(text string) string { return fenced("go", text) }

func fenced(language, text string) string {
	return fmt.Sprintf("```%s\n%s\n```\n", language, strings.TrimSpace(text))
}
