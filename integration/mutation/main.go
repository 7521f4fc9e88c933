// Command mutation measures what the tests of a package notice. It makes small
// changes to the package's code, one at a time, and runs the tests with each:
// a change that makes a test fail is killed, one that does not survives.
//
//	go run . [-n mutants] [-timeout duration] package [test-package ...]
//
// The package is named as the go command names it in the current directory; its
// own tests run first, then those of the test packages, until one fails. No file
// is changed: the go command reads each mutant through -overlay. A mutant that
// does not compile counts neither way, one whose tests run into the timeout is
// killed.
//
// The same code gives the same mutants in the same order, so a sample (-n) can
// be repeated.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	most := flag.Int("n", 0, "try at most `n` mutants, spread over the package (0: all)")
	timeout := flag.Duration("timeout", 2*time.Minute, "kill tests after this `duration`")
	skip := flag.String("skip", "", "skip tests that match this `pattern`, such as those that start processes")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutation [flags] package [test-package ...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := runner{tests: flag.Args(), timeout: *timeout, skip: *skip}
	if err := r.run(ctx, *most); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

// A runner runs tests against mutants of the first of its packages.
type runner struct {
	tests   []string
	timeout time.Duration
	skip    string
}

// An outcome is what became of a mutant.
type outcome int

const (
	killed outcome = iota
	survived
	invalid // it does not compile
)

func (r runner) run(ctx context.Context, most int) error {
	dir, files, err := sources(ctx, r.tests[0])
	if err != nil {
		return err
	}
	if out, err := r.test(ctx, ""); err != nil {
		return fmt.Errorf("the tests fail without any mutant:\n%s", out)
	}
	var mutants []mutant
	for _, file := range files {
		found, err := mutantsOf(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		mutants = append(mutants, found...)
	}
	mutants = spread(mutants, most)
	count := map[outcome]int{}
	for _, m := range mutants {
		result, err := r.try(ctx, m)
		if err != nil {
			return err
		}
		count[result]++
		if result == survived {
			fmt.Printf("%s:%d: survived: %s\n", filepath.Base(m.file), m.line, m.what)
		}
	}
	tried := count[killed] + count[survived]
	if tried == 0 {
		return fmt.Errorf("%s: no mutant compiles", r.tests[0])
	}
	fmt.Printf("%s: %d of %d mutants killed (%d %%), %d more do not compile\n",
		r.tests[0], count[killed], tried, 100*count[killed]/tried, count[invalid])
	return nil
}

// sources returns the folder and the names of a package's files, tests aside.
func sources(ctx context.Context, pkg string) (dir string, files []string, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", pkg).Output()
	if err != nil {
		return "", nil, fmt.Errorf("go list %s: %w", pkg, withStderr(err))
	}
	var listed struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return "", nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	return listed.Dir, listed.GoFiles, nil
}

// withStderr adds what a command wrote to its standard error.
func withStderr(err error) error {
	if exit, ok := err.(*exec.ExitError); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// try runs the tests against a mutant.
func (r runner) try(ctx context.Context, m mutant) (outcome, error) {
	temp, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	replacement := filepath.Join(temp, filepath.Base(m.file))
	if err := os.WriteFile(replacement, m.source(), 0o600); err != nil {
		return 0, err
	}
	overlay := filepath.Join(temp, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: replacement}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return 0, err
	}
	out, err := r.test(ctx, overlay)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err == nil:
		return survived, nil
	case strings.Contains(out, "[build failed]"):
		return invalid, nil
	default:
		return killed, nil
	}
}

// test runs the tests of each package until one fails. Vet is off: it would
// kill mutants for tests that do not.
func (r runner) test(ctx context.Context, overlay string) (output string, err error) {
	for _, pkg := range r.tests {
		args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout=" + r.timeout.String()}
		if overlay != "" {
			args = append(args, "-overlay="+overlay)
		}
		if r.skip != "" {
			args = append(args, "-skip="+r.skip)
		}
		out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
		if err != nil {
			return string(out), err
		}
	}
	return "", nil
}
