package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/tracelint/tracelint/analyzer"
)

// printBuildID answers the go command's -V=full. The last field decides whether results of earlier runs are reused, so
// it must change with all that findings depend on beside the code and the flags, which the go command knows itself.
func (c command) printBuildID() int {
	id := sha256.New()
	for _, add := range []func(hash.Hash) error{hashExecutable, hashConfigFiles} {
		if err := add(id); err != nil {
			c.printError(fmt.Sprintf("computing the build id: %v", err))
			return exitError
		}
	}
	// The go command reads the id only behind a version that contains "devel".
	fmt.Fprintf(c.stdout, "tracelint version devel buildID=%x\n", id.Sum(nil))
	return exitClean
}

func hashExecutable(id hash.Hash) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(id, file)
	return err
}

// hashConfigFiles adds the settings of the main modules: the go command asks in the user's directory. The paths count
// too, because a file may move from one module to another.
func hashConfigFiles(id hash.Hash) error {
	files, err := configFiles()
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := analyzer.ReadConfigFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(id, "%q %q\n", file, text)
	}
	return nil
}

// vetUnit analyses the package that "go vet" describes in the file that the last argument names. It returns only where
// flags are wrong or files are fixed.
func (c command) vetUnit(args []string) int {
	unit := readUnit(args[len(args)-1])
	if err := c.checkVetFlags(args[:len(args)-1]); err != nil {
		// The go command runs the tool for all dependencies, of which those of the standard library come first. Let the
		// packages alone complain that the user named.
		if unit.VetxOnly {
			return exitClean
		}
		c.printError(err.Error())
		return exitUsage
	}
	if unit.FixArchive != "" && os.Getenv(unitOfFix) == "" {
		return c.fixUnit(unit.FixArchive, args)
	}
	singlechecker.Main(speaking(c.analyzer, unit.VetxOnly))
	panic("unreachable")
}

// speaking has an analyzer tell when findings are missing, and fail too for a package that is analysed for its facts alone, of
// whose errors nobody would hear.
func speaking(a *analysis.Analyzer, onlyFacts bool) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		result, err := run(pass)
		if err != nil {
			err = fmt.Errorf("analysing %s: %w", pass.Pkg.Path(), err)
			if onlyFacts {
				fmt.Fprintf(os.Stderr, "tracelint: %v\n", err)
				os.Exit(exitError)
			}
			return nil, err
		}
		if warning := result.(*analyzer.Result).Warning(pass.Pkg.Path()); warning != "" {
			fmt.Fprintf(os.Stderr, "tracelint: %s\n", warning)
		}
		return result, nil
	}
	return a
}

// checkVetFlags reports what is wrong with the flags that the go command passed on.
func (c command) checkVetFlags(args []string) error {
	flags := c.flags(new(options))
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch file := flags.Lookup("config").Value.String(); file {
	case "", analyzer.NoConfigFile:
		return nil
	default:
		return fmt.Errorf("-config=%s is not for go vet, which would show old findings again after the file has changed: "+
			"keep the settings in %s beside go.mod, or run tracelint by itself", file, analyzer.ConfigFileName)
	}
}

// vetUnit is what the command reads of a package as the go command describes it.
type vetUnit struct {
	VetxOnly   bool   // the package is a dependency
	FixArchive string // where its fixed files are wanted; empty if none are
}

// readUnit reads a description. One that cannot be read is empty: whoever analyses the package says what is wrong with it.
func readUnit(file string) vetUnit {
	text, err := os.ReadFile(file)
	var unit vetUnit
	if err != nil || json.Unmarshal(text, &unit) != nil {
		return vetUnit{}
	}
	return unit
}

// vetFlag describes a flag to the go command.
type vetFlag struct {
	Name  string
	Bool  bool
	Usage string
}

// printVetFlags answers the go command's -flags: which flags of "go vet" it should pass on.
func (c command) printVetFlags() int {
	var known []vetFlag
	c.flags(new(options)).VisitAll(func(f *flag.Flag) {
		if hiddenFromVet(f.Name) {
			return
		}
		boolean, ok := f.Value.(interface{ IsBoolFlag() bool })
		known = append(known, vetFlag{f.Name, ok && boolean.IsBoolFlag(), f.Usage})
	})
	if err := json.NewEncoder(c.stdout).Encode(known); err != nil {
		c.printError(fmt.Sprintf("describing the flags: %v", err))
		return exitError
	}
	return exitClean
}
