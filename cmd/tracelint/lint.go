package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/driver"
)

// options are the flags that are not the analyzer's own.
type options struct {
	json, fix, diff, version bool
	context                  int
	tags                     string
}

// flags makes the set of all flags: the analyzer's and, stored in opts, the command's.
func (c command) flags(opts *options) *flag.FlagSet {
	flags := flag.NewFlagSet("tracelint", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed once, by the caller
	c.analyzer.Flags.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, f.Name, f.Usage) })
	flags.BoolVar(&opts.json, "json", false, "print findings as JSON, in the form of \"go vet -json\"")
	flags.IntVar(&opts.context, "c", -1, "show the source of each finding with `N` lines of context")
	flags.BoolVar(&opts.fix, "fix", false, "apply the first suggested fix of each finding instead of printing it")
	flags.BoolVar(&opts.diff, "diff", false, "with -fix, print the changes instead of making them")
	flags.StringVar(&opts.tags, "tags", "", "comma-separated `list` of build tags")
	flags.BoolVar(&opts.version, "version", false, "print the version and exit")
	return flags
}

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
	switch {
	case opts.diff && !opts.fix:
		return c.usageError("-diff shows what -fix would change: give both")
	case opts.fix && opts.json:
		return c.usageError("-fix and -json exclude each other: -json shows fixes without applying them")
	case opts.fix && config != "" && config != analyzer.NoConfigFile:
		return c.usageError("-fix works through go vet, which takes no -config=FILE: keep the settings in " + analyzer.ConfigFileName + " beside go.mod")
	}
	if err := checkConfigFiles(config); err != nil {
		c.printError(err.Error())
		return exitError
	}
	if opts.fix {
		return c.fix(flags, patterns)
	}

	tests := flags.Lookup("tests").Value.String() == "true" // the analyzer's own flag
	result, err := driver.Run(driver.Config{Tags: opts.tags, Tests: tests}, c.analyzer, patterns...)
	if err != nil {
		c.printError(err.Error())
		return exitError
	}
	if len(args) > 0 && isNoPackage(result, args[0]) {
		return c.usageError(args[0] + " is neither a subcommand nor a package")
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

// report prints errors and findings and returns the exit code.
func (c command) report(result *driver.Result, opts options) int {
	for _, err := range result.Errors {
		if err.Position == "" {
			c.printError(err.Message)
		} else {
			fmt.Fprintln(c.stderr, err)
		}
	}
	var err error
	if opts.json {
		err = result.PrintJSON(c.stdout, c.analyzer.Name)
	} else {
		err = result.PrintText(c.stdout, opts.context)
	}
	if err != nil {
		c.printError(fmt.Sprintf("writing the findings: %v", err))
	}
	found := slices.ContainsFunc(result.Packages, func(p driver.Package) bool { return len(p.Diagnostics) > 0 })
	switch {
	case err != nil || len(result.Errors) > 0:
		return exitError
	case found && !opts.json:
		return exitFindings
	default:
		return exitClean
	}
}

// fix has the go command apply the fixes: it merges those of several packages, keeps away from generated and foreign
// files and removes imports that are no longer used.
func (c command) fix(flags *flag.FlagSet, patterns []string) int {
	self, err := os.Executable()
	if err != nil {
		c.printError(fmt.Sprintf("finding the tool to give to go vet: %v", err))
		return exitError
	}
	args := []string{"vet", "-vettool=" + self}
	flags.Visit(func(f *flag.Flag) { args = append(args, fmt.Sprintf("-%s=%s", f.Name, f.Value)) })
	vet := exec.Command("go", append(append(args, "--"), patterns...)...)
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
	fmt.Fprintf(c.stderr, "tracelint: %s\n", message)
}
