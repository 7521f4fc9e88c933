package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tracelint/tracelint/internal/report"
)

const reportUsage = `Usage:

	tracelint report [-html FILE] [-perfetto FILE] DIR|FILE...

Report tells what was traced and why, from logs that were made with

	TRACELINT_TRACE=DIR go test -count=1 ./...

It prints a table. Exit codes: 0 all lines of the logs were used, 1 some were not, 2 wrong usage.

Flags:

`

// traceReport is the subcommand "report".
func (c command) traceReport(args []string) int {
	flags := flag.NewFlagSet("tracelint report", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed once, below
	html := flags.String("html", "", "write a page for a browser to `FILE`")
	perfetto := flags.String("perfetto", "", "write a timeline in the trace-event format, for ui.perfetto.dev, to `FILE`")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.stdout, reportUsage)
		flags.SetOutput(c.stdout)
		flags.PrintDefaults()
		return exitClean
	case err != nil:
		return c.usageError(err.Error())
	case flags.NArg() == 0:
		return c.usageError("report needs logs: the directory that TRACELINT_TRACE named, or files")
	}

	for _, path := range flags.Args() {
		if strings.HasPrefix(path, "-") {
			return c.usageError(fmt.Sprintf("flag %s stands after the logs: put flags first", path))
		}
	}

	loaded, err := c.loadTraces(flags.Args())
	if err == nil {
		err = errors.Join(
			loaded.WriteSummary(c.stdout),
			writeFile(*html, loaded.WriteHTML),
			writeFile(*perfetto, loaded.WritePerfetto),
		)
	}
	if err != nil {
		c.printError(err.Error())
		return exitError
	}
	for _, problem := range loaded.Problems {
		c.printError(problem)
	}
	if len(loaded.Problems) > 0 {
		return exitError
	}
	return exitClean
}

func (c command) loadTraces(paths []string) (*report.Report, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	options := report.Options{Dir: dir}
	if terminal, ok := c.stderr.(*os.File); ok {
		progress := report.NewProgress(terminal)
		defer progress.Done()
		options.Progress = progress.Show
	}
	return report.Load(paths, options)
}

// writeFile writes a file, none if its name is empty.
func writeFile(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
