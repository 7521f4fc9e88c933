package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"io"
	"os"
)

// printBuildID answers the go command's -V=full. The last field decides whether results of earlier runs are reused, so
// it must change with all that findings depend on beside the code and the flags, which the go command knows itself.
func (c command) printBuildID() int {
	id := sha256.New()
	if err := hashExecutable(id); err != nil {
		c.printError(fmt.Sprintf("computing the build id: %v", err))
		return exitError
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

// vetFlag describes a flag to the go command.
type vetFlag struct {
	Name  string
	Bool  bool
	Usage string
}

// printVetFlags answers the go command's -flags: which flags of "go vet" it should pass on. It knows -fix and -tags
// itself.
func (c command) printVetFlags() int {
	var known []vetFlag
	c.flags(new(options)).VisitAll(func(f *flag.Flag) {
		switch f.Name {
		case "fix", "tags", "version":
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
