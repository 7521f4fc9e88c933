package nogo

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// Exit codes of nogo.
const (
	exitError    = 1
	exitFindings = 3
)

// unit is what Bazel compiles at once: a package, a package with its test files, or external tests.
type unit struct {
	ImportPath      string // " [p.test]" follows the package's path if it is compiled for the tests of p
	CompiledGoFiles []string
	Dir             string
	Imports         []string // as ImportPath
	Export          string   // archive
	Standard        bool
	DepOnly         bool

	imports  []*unit
	done     chan struct{} // closed when it is analysed
	facts    string        // file; empty if there are none
	findings string        // a line each
	err      error
}

// path is the path that the unit is compiled with.
func (u *unit) path() string {
	path, _, _ := strings.Cut(u.ImportPath, " ")
	return path
}

// lint applies nogo to the current module as Bazel does: to each unit after those that it imports, with their archives
// and facts. Packages of other modules are analysed for their facts alone, those of the standard library not at all.
func lint(t *testing.T, nogo string) []vettest.Finding {
	t.Helper()
	dir := t.TempDir()
	units := load(t)
	running := make(chan struct{}, runtime.NumCPU())
	var all sync.WaitGroup
	for i, u := range units {
		all.Go(func() {
			defer close(u.done)
			for _, imported := range u.imports {
				<-imported.done
			}
			running <- struct{}{}
			defer func() { <-running }()
			u.err = u.analyze(nogo, filepath.Join(dir, fmt.Sprint(i)))
		})
	}
	all.Wait()

	var lines strings.Builder
	for _, u := range units {
		require.NoError(t, u.err, u.ImportPath)
		lines.WriteString(u.findings)
	}
	findings := vettest.FromText(t, lines.String())
	// What is found in a package is found again in the package with its tests.
	return slices.CompactFunc(findings, func(a, b vettest.Finding) bool { return cmp.Equal(a, b) })
}

// load lists the units of the current module and all that they import.
func load(t *testing.T) []*unit {
	t.Helper()
	text := output(t, "go", "list", "-export", "-compiled", "-test", "-deps",
		"-json=ImportPath,CompiledGoFiles,Dir,Imports,Export,Standard,DepOnly", "./...")
	known := make(map[string]*unit)
	var units []*unit
	for decoder := json.NewDecoder(strings.NewReader(text)); decoder.More(); {
		u := &unit{done: make(chan struct{})}
		require.NoError(t, decoder.Decode(u))
		for _, path := range u.Imports { // listed before their importers
			if imported, ok := known[path]; ok {
				u.imports = append(u.imports, imported)
			}
		}
		if u.Export != "" { // unlike unsafe, and as C is none at all
			known[u.ImportPath] = u
		}
		units = append(units, u)
	}
	return units
}

// analyze runs nogo over one unit with arguments such as Bazel's action gives, and nothing else to know from.
func (u *unit) analyze(nogo, dir string) error {
	if u.Standard || len(u.CompiledGoFiles) == 0 { // there are no files of a generated main package
		return nil
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	importcfg := filepath.Join(dir, "importcfg")
	if err := os.WriteFile(importcfg, []byte(strings.Join(u.packageFiles(), "\n")), 0o644); err != nil {
		return err
	}
	u.facts = filepath.Join(dir, "facts")
	args := []string{"-p", u.path(), "-importcfg", importcfg, "-x", u.facts, "-fix_dir", dir}
	for _, imported := range u.imports {
		if imported.facts != "" {
			args = append(args, "-fact", imported.path()+"="+imported.facts)
		}
	}
	if u.DepOnly {
		args = append(args, "-facts_only")
	}
	files, err := u.files()
	if err != nil {
		return err
	}

	var stderr strings.Builder
	command := exec.Command(nogo, append(args, files...)...)
	command.Env = []string{"GOARCH=" + runtime.GOARCH}
	command.Stderr = &stderr
	err = command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == exitFindings) {
		return fmt.Errorf("nogo: %w\n%s", err, &stderr)
	}
	if !u.DepOnly { // findings among the facts of other modules go unseen
		_, u.findings, _ = strings.Cut(stderr.String(), "\n") // a headline comes first
	}
	return nil
}

// packageFiles lists the archives of all that the unit imports, directly or not.
func (u *unit) packageFiles() []string {
	seen := make(map[*unit]bool)
	var lines []string
	var visit func(*unit)
	visit = func(u *unit) {
		for _, imported := range u.imports {
			if !seen[imported] {
				seen[imported] = true
				lines = append(lines, fmt.Sprintf("packagefile %s=%s", imported.path(), imported.Export))
				visit(imported)
			}
		}
	}
	visit(u)
	slices.Sort(lines)
	return lines
}

// files names the unit's files as the action does: relative to where it runs.
func (u *unit) files() ([]string, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, file := range u.CompiledGoFiles {
		if !filepath.IsAbs(file) { // what cgo generates is absolute
			file = filepath.Join(u.Dir, file)
		}
		if file, err = filepath.Rel(here, file); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
