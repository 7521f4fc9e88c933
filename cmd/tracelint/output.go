package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/driver"
	"github.com/tracelint/tracelint/internal/finding"
	"github.com/tracelint/tracelint/internal/plainfile"
)

// report prints errors and findings and returns the exit code.
func (c command) report(result *driver.Result, opts options) int {
	for _, err := range result.Errors {
		if err.Position == "" {
			c.printError(err.Message)
		} else {
			fmt.Fprintln(c.stderr, clip.PrintableLines(err.Error()))
		}
	}
	for _, warning := range warnings(result) {
		c.printError(warning)
	}
	if err := c.print(result, opts); err != nil {
		c.printError(fmt.Sprintf("writing the findings: %v", err))
		return exitError
	}
	found := slices.ContainsFunc(result.Packages, func(p driver.Package) bool { return len(p.Diagnostics) > 0 })
	switch {
	case len(result.Errors) > 0:
		return exitError
	case found && !opts.json && !opts.sarif: // whoever reads those looks inside
		return exitFindings
	default:
		return exitClean
	}
}

// warnings says once of each package why findings may be missing there.
func warnings(result *driver.Result) []string {
	var out []string
	for _, p := range slices.Concat(result.Packages, result.Imported) {
		if warning := p.Result.(*analyzer.Result).Warning(p.Path); warning != "" {
			out = append(out, warning)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c command) print(result *driver.Result, opts options) error {
	switch {
	case opts.json:
		return result.PrintJSON(c.stdout, c.analyzer.Name)
	case !opts.sarif && !opts.github:
		return result.PrintText(c.stdout, opts.context)
	}
	root, err := checkoutRoot()
	if err != nil {
		return err
	}
	if opts.github {
		return finding.WriteAnnotations(c.stdout, finding.All(result), root)
	}
	log := finding.Log{Version: moduleVersion(), Root: root, Findings: finding.All(result)}
	for _, err := range result.Errors {
		log.Errors = append(log.Errors, err.Error())
	}
	return log.WriteSARIF(c.stdout)
}

// checkoutRoot is the directory that other programs take the names of files relative to: the one that a GitHub workflow
// checked out, if the current directory lies in it, else the current directory.
func checkoutRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if root := os.Getenv("GITHUB_WORKSPACE"); root != "" {
		if relative, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(relative) {
			return root, nil
		}
	}
	return dir, nil
}

// moduleVersion is the version that tracelint was built as, empty if that is not known.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Version
}

// maxBaseline is how large a baseline may be, in bytes.
const maxBaseline = 64 << 20

// insideTree refuses a file to which links lead that lie in the checkout and point out of it.
func insideTree(file string) error {
	root, err := checkoutRoot()
	if err != nil {
		return err
	}
	return plainfile.Inside(root, file)
}

// openBaseline reads the file of the flag -baseline, if there is one, or sees that it can be written, if it is to be.
func openBaseline(opts options) (finding.Baseline, error) {
	if opts.baseline == "" {
		return nil, nil
	}
	if err := insideTree(opts.baseline); err != nil {
		return nil, err
	}
	if opts.writeBaseline {
		return nil, plainfile.Writable(opts.baseline)
	}
	text, err := plainfile.Read(opts.baseline, maxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; -write-baseline writes it", err)
	} else if err != nil {
		return nil, err
	}
	return finding.ParseBaseline(opts.baseline, string(text))
}

// subtract takes what the baseline accepts out of the result, and tells of entries that can go.
func (c command) subtract(result *driver.Result, accepted finding.Baseline, file string) {
	left := 0
	for i := range result.Packages {
		p := &result.Packages[i]
		fresh := accepted.Subtract(p.Path, p.Result.(*analyzer.Result).Findings)
		p.Result = &analyzer.Result{Findings: fresh}
		p.Diagnostics = nil
		for _, f := range fresh {
			p.Diagnostics = append(p.Diagnostics, f.Diagnostic)
		}
		left += accepted.Left(p.Path)
	}
	if left > 0 {
		c.printError(fmt.Sprintf("%s accepts %s not there any more: write it anew with -write-baseline", file,
			plural(left, "finding that is", "findings that are")))
	}
}

// writeBaseline accepts all findings, unless there may be more in what could not be analysed.
func (c command) writeBaseline(result *driver.Result, file string) int {
	if len(result.Errors) > 0 {
		code := c.report(&driver.Result{Errors: result.Errors}, options{})
		c.printError(fmt.Sprintf("%s is left as it is: findings of what could not be analysed would be missing", file))
		return code
	}
	found := finding.All(result)
	err := insideTree(file)
	if err == nil {
		err = plainfile.Write(file, []byte(finding.NewBaseline(found).String()))
	}
	if err != nil {
		c.printError(fmt.Sprintf("writing the baseline: %v", err))
		return exitError
	}
	c.printError(fmt.Sprintf("%s accepts %s", file, plural(len(found), "finding", "findings")))
	return exitClean
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
