package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
)

// options are the flags that are not the analyzer's own.
type options struct {
	json, sarif, github    bool // forms of output; none for text
	fix, diff              bool
	context                int
	tags                   string
	baseline               string
	writeBaseline, version bool
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
	flags.BoolVar(&opts.sarif, "sarif", false, "print findings as SARIF 2.1.0")
	flags.BoolVar(&opts.github, "github", false, "print findings as annotations of a GitHub workflow")
	flags.StringVar(&opts.baseline, "baseline", "", "`file` of findings that are accepted for now: show only others")
	flags.BoolVar(&opts.writeBaseline, "write-baseline", false, "with -baseline, write all findings to its file instead of printing them")
	flags.BoolVar(&opts.version, "version", false, "print the version and exit")
	return flags
}

// hiddenFromVet tells of a flag that "go vet" must not pass on: it implements some itself, and others are for what only
// one process knows, all findings.
func hiddenFromVet(name string) bool {
	switch name {
	case "fix", "tags", "version", "sarif", "github", "baseline", "write-baseline":
		return true
	}
	return false
}

// conflict says what is wrong with flags that are right one by one; config is the value of the analyzer's -config.
func (o options) conflict(config string) string {
	var forms []string
	for _, form := range []struct {
		name  string
		given bool
	}{
		{"-fix", o.fix}, {"-json", o.json}, {"-sarif", o.sarif}, {"-github", o.github}, {"-write-baseline", o.writeBaseline},
	} {
		if form.given {
			forms = append(forms, form.name)
		}
	}
	switch {
	case o.diff && !o.fix:
		return "-diff shows what -fix would change: give both"
	case len(forms) > 1:
		return strings.Join(forms, " and ") + " exclude each other: each has findings go another way"
	case o.writeBaseline && o.baseline == "":
		return "-write-baseline knows no file: give one with -baseline=FILE"
	case o.fix && o.baseline != "":
		return "-fix heeds no baseline: leave -baseline out"
	case o.fix && config != "" && config != analyzer.NoConfigFile:
		return fmt.Sprintf("-fix works through go vet, which takes no -config=FILE: keep the settings in %s beside go.mod",
			analyzer.ConfigFileName)
	}
	return ""
}
