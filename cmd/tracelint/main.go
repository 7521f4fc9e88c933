// Command tracelint finds what a traced function does once a trace instead of once a call, and what makes an engine
// trace again. It runs alone and as a tool of "go vet":
//
//	tracelint ./...
//	go vet -vettool=$(which tracelint) ./...
//	go vet -vettool=$(go tool -n tracelint) ./...
//
// The findings are the same. "tracelint help" lists flags and exit codes.
package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer"
)

// Exit codes, as those of the checkers of golang.org/x/tools.
const (
	exitClean    = 0
	exitError    = 1 // something could not be loaded or analysed
	exitUsage    = 2
	exitFindings = 3
)

func main() {
	args := os.Args[1:]
	c := command{analyzer: analyzer.Analyzer, stdout: os.Stdout, stderr: os.Stderr}
	if len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg") {
		os.Exit(c.vetUnit(args))
	}
	os.Exit(c.run(args))
}

// command is one invocation of tracelint.
type command struct {
	analyzer       *analysis.Analyzer
	stdout, stderr io.Writer
}

// subcommand is what "tracelint NAME" does instead of looking for hazards.
type subcommand struct {
	name, summary string
	run           func(c command, args []string) int
}

func subcommands() []subcommand {
	return []subcommand{
		{"help", "print this text", command.help},
		{"rules", "list the rules", command.rules},
		{"explain", "say of the rules that the arguments name what they find, why, and what to do", command.explain},
		{"report", "tell from logs of traces what was traced and why", command.traceReport},
	}
}

// run does what the arguments ask for and returns the exit code.
func (c command) run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "-V=full":
			return c.printBuildID()
		case "-flags":
			return c.printVetFlags()
		}
		for _, s := range subcommands() {
			if s.name == args[0] {
				return s.run(c, args[1:])
			}
		}
	}
	return c.lint(args)
}
