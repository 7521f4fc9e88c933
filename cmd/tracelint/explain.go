package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/rulepage"
)

// rules lists the rules in a table.
func (c command) rules(args []string) int {
	if len(args) > 0 {
		return c.usageError(fmt.Sprintf("rules takes no arguments, not %s", args[0]))
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, rule := range analyzer.Rules() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", rule.Name, rule.Severity, rule.Title)
	}
	if err := table.Flush(); err != nil {
		c.printError(fmt.Sprintf("writing the table: %v", err))
		return exitError
	}
	return exitClean
}

// explain prints the page of each rule that the arguments name.
func (c command) explain(args []string) int {
	if len(args) == 0 {
		return c.usageError("explain names no rule: give one of those that \"tracelint rules\" lists")
	}
	pages := make(map[string]string)
	for _, rule := range analyzer.Rules() {
		pages[rule.Name] = rulepage.Markdown(rule)
	}
	for _, name := range args {
		if err := analyzer.CheckRule(name); err != nil {
			return c.usageError(err.Error())
		}
	}
	for i, name := range args {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		fmt.Fprint(c.stdout, pages[name])
	}
	return exitClean
}
