package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// listedPackage is what the driver reads of a package as "go list -json" describes it.
type listedPackage struct {
	ImportPath      string // with the test that it was recompiled for: "p [p.test]"
	Dir             string
	ForTest         string
	Export          string // file of export data, in the answer to -export alone
	Standard        bool
	DepOnly         bool
	Match           []string // patterns of the command line that name this package
	GoFiles         []string
	CgoFiles        []string // sources that cgo makes Go of
	CompiledGoFiles []string // GoFiles and what cgo made; empty if cgo failed here or in an import
	Imports         []string
	ImportMap       map[string]string
	Module          *listedModule
	Error           *listedError
	DepsErrors      []*listedError
}

type listedModule struct {
	Path, Version, GoVersion string
}

// listedError is what the go command says is wrong with a package.
type listedError struct {
	ImportStack []string // from the package that was named to the one with the error
	Pos, Err    string
}

const (
	graphFields  = "ImportPath,Dir,ForTest,Standard,DepOnly,Match,GoFiles,CgoFiles,CompiledGoFiles,Imports,ImportMap,Module,Error,DepsErrors"
	exportFields = "ImportPath,Export"
)

// listGraph describes the packages that the patterns name and all that they import, imports before importers. It has an
// error for each pattern that names none.
func (c Config) listGraph(patterns []string) ([]*listedPackage, []Error, error) {
	return c.list(append([]string{
		"-e", "-deps", "-compiled", fmt.Sprintf("-test=%t", c.Tests), "-json=" + graphFields, "--",
	}, patterns...))
}

// listExports tells where the export data of packages lies, building it where it is missing. Packages that cannot be built
// have none.
func (c Config) listExports(paths []string) (map[string]string, error) {
	files := make(map[string]string, len(paths))
	if len(paths) == 0 {
		return files, nil
	}
	listed, _, err := c.list(append([]string{"-e", "-export", "-json=" + exportFields, "--"}, paths...))
	if err != nil {
		return nil, err
	}
	for _, p := range listed {
		if p.Export != "" {
			files[p.ImportPath] = p.Export
		}
	}
	return files, nil
}

func (c Config) list(args []string) ([]*listedPackage, []Error, error) {
	// Profile-guided variants and version stamps would only cost time.
	command := []string{"list", "-pgo=off", "-buildvcs=false"}
	if c.Tags != "" { // an empty -tags would undo the one of GOFLAGS
		command = append(command, "-tags="+c.Tags)
	}
	out, warnings, err := goCommand(append(command, args...)...)
	if err != nil {
		return nil, nil, err
	}
	var listed []*listedPackage
	for decoder := json.NewDecoder(strings.NewReader(out)); decoder.More(); {
		p := new(listedPackage)
		if err := decoder.Decode(p); err != nil {
			return nil, nil, fmt.Errorf("reading the answer of go list: %w", err)
		}
		listed = append(listed, p)
	}
	return listed, unmatched(warnings), nil
}

// unmatched makes errors of the go command's warnings about patterns that name no package.
func unmatched(warnings string) []Error {
	var errs []Error
	for line := range strings.Lines(warnings) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, "matched no packages") {
			errs = append(errs, Error{Message: strings.TrimPrefix(line, "go: warning: ")})
		}
	}
	return errs
}

// targetArch is the architecture that decides the sizes of types.
func targetArch() (string, error) {
	arch, _, err := goCommand("env", "GOARCH")
	return strings.TrimSpace(arch), err
}

// goCommand runs the go command and returns its standard output and, if it succeeds, its warnings.
func goCommand(args ...string) (stdout, warnings string, err error) {
	var out, diagnostics strings.Builder
	command := exec.Command("go", args...)
	command.Stdout, command.Stderr = &out, &diagnostics
	err = command.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && diagnostics.Len() > 0 {
		return "", "", errors.New(shortPaths(strings.TrimSpace(diagnostics.String())))
	} else if err != nil {
		return "", "", fmt.Errorf("running go %s: %w", args[0], err)
	}
	return out.String(), diagnostics.String(), nil
}

// path is the package's import path without the test that it was recompiled for.
func (p *listedPackage) path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// sources lists the Go files to parse, cgo's output in place of what it was made from if there is any.
func (p *listedPackage) sources() []string {
	listed := p.CompiledGoFiles
	if len(listed) == 0 {
		listed = slices.Concat(p.GoFiles, p.CgoFiles)
	}
	var files []string
	for _, file := range listed {
		if strings.HasSuffix(file, ".s") {
			continue // the one kind that is no Go
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Dir, file)
		}
		files = append(files, file)
	}
	return files
}

// resolve translates an import as the source writes it to the package that it means here.
func (p *listedPackage) resolve(path string) string {
	if id, ok := p.ImportMap[path]; ok {
		return id
	}
	return path
}

// listErrors says what the go command finds wrong with the package, and with what it imports unless elsewhere holds that.
func (p *listedPackage) listErrors(elsewhere []*listedError) []Error {
	var reported []*listedError
	if p.Error != nil {
		reported = append(reported, p.Error)
	}
	for _, err := range p.DepsErrors {
		known := slices.ContainsFunc(elsewhere, func(other *listedError) bool { return reflect.DeepEqual(err, other) })
		// cgo fails for want of a compiler in the standard library first, and says nothing here.
		if !known || p.lacksCgo() && p.Error == nil {
			reported = append(reported, err)
		}
	}
	var errs []Error
	for _, err := range reported {
		message := strings.TrimSpace(shortPaths(err.Err))
		switch {
		case err.Pos != "":
		case len(err.ImportStack) > 1:
			message = fmt.Sprintf("package %s: %s", strings.Join(err.ImportStack, "\n\timports "), message)
		case !strings.Contains(message, p.path()): // the message of a bad #cgo line, for one, does not tell where it is
			message = fmt.Sprintf("%s: %s", p.path(), message)
		}
		errs = append(errs, Error{err.Pos, message})
	}
	return errs
}

// lacksCgo reports whether there is no output of cgo that should be.
func (p *listedPackage) lacksCgo() bool { return len(p.CgoFiles) > 0 && len(p.CompiledGoFiles) == 0 }
