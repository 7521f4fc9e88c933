package main

import (
	"fmt"
)

const usageHead = `tracelint finds what a traced function does once a trace instead of once a call, and what makes an engine trace again.

Usage:

	tracelint [flags] [packages]
	go vet -vettool=$(which tracelint) [flags] [packages]

Packages are named as for the go command; without any, it is the package in the current directory.

`

const usageTail = `
Exit codes: 0 nothing found, 1 something could not be loaded or analysed, 2 wrong usage, 3 findings.
With -json and -sarif findings do not change the exit code; with -baseline, only those count that it does not accept.
`

// help prints the whole usage.
func (c command) help(args []string) int {
	if len(args) > 0 {
		return c.usageError(fmt.Sprintf("help takes no arguments, not %s", args[0]))
	}
	fmt.Fprint(c.stdout, usageHead, "Subcommands:\n\n")
	for _, s := range subcommands() {
		fmt.Fprintf(c.stdout, "\ttracelint %s\t%s\n", s.name, s.summary)
	}
	fmt.Fprint(c.stdout, "\nFlags:\n\n")
	flags := c.flags(new(options))
	flags.SetOutput(c.stdout)
	flags.PrintDefaults()
	fmt.Fprint(c.stdout, usageTail)
	return exitClean
}

func (c command) usageError(message string) int {
	c.printError(message + "; \"tracelint help\" prints the usage")
	return exitUsage
}
