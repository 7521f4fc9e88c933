package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/driver"
)

// lint analyses the packages that the arguments name.
func (c command) lint(args []string) int {
	var opts options
	flags := c.flags(&opts)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return c.help(nil)
	case err != nil:
		return c.usageError(err.Error())
	case opts.version:
		return c.printVersion()
	}
	patterns := flags.Args()
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "-") {
			return c.usageError(fmt.Sprintf("flag %s stands after the packages: put flags first", pattern))
		}
	}
	config := flags.Lookup("config").Value.String() // the analyzer's own flag
	if message := opts.conflict(config); message != "" {
		return c.usageError(message)
	}
	if err := checkConfigFiles(config); err != nil {
		c.printError(err.Error())
		return exitUsage
	}
	if opts.fix {
		return c.fix(args[:len(args)-len(patterns)], patterns)
	}

	accepted, err := openBaseline(opts)
	if err != nil {
		c.printError(fmt.Sprintf("baseline: %v", err))
		return exitUsage
	}
	tests := flags.Lookup("tests").Value.String() == "true" // the analyzer's own flag
	result, err := driver.Run(driver.Config{Tags: opts.tags, Tests: tests, Outline: analyzer.TooLarge}, c.analyzer, patterns...)
	if err != nil {
		c.printError(err.Error())
		return exitError
	}
	if len(args) > 0 && isNoPackage(result, args[0]) {
		return c.usageError(args[0] + " is neither a subcommand nor a package")
	}
	if opts.writeBaseline {
		return c.writeBaseline(result, opts.baseline)
	}
	if opts.baseline != "" {
		c.subtract(result, accepted, opts.baseline)
	}
	return c.report(result, opts)
}

// isNoPackage tells that the first argument looks like a subcommand and names no package, so that it is not left to the
// go command to call it missing from the standard library.
func isNoPackage(result *driver.Result, argument string) bool {
	return slices.ContainsFunc(result.Errors, func(err driver.Error) bool {
		return strings.HasPrefix(err.Message, "package "+argument+" is not in std")
	})
}

// fix has the go command apply the fixes: it merges those of several packages, keeps away from generated and foreign
// files and removes imports that are no longer used.
func (c command) fix(flags, patterns []string) int {
	self, err := os.Executable()
	if err != nil {
		c.printError(fmt.Sprintf("finding the tool to give to go vet: %v", err))
		return exitError
	}
	vet := exec.Command("go", slices.Concat([]string{"vet", "-vettool=" + self}, flags, patterns)...)
	vet.Stdout, vet.Stderr = c.stdout, c.stderr
	err = vet.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	} else if err != nil {
		c.printError(fmt.Sprintf("running go vet: %v", err))
		return exitError
	}
	return exitClean
}

func (c command) printError(message string) {
	fmt.Fprintf(c.stderr, "tracelint: %s\n", clip.PrintableLines(message))
}
