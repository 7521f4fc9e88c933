package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelint/tracelint/analyzer"
)

// What TestMain builds and finds for all tests.
var (
	binary     string // tracelint as users have it, without the race detector that the tests may run under
	repository string // root directory of this module
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tracelint")
	if err != nil {
		log.Fatal(err)
	}
	binary = filepath.Join(dir, "tracelint")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		log.Fatalf("go build: %v\n%s", err, out)
	}
	repository, err = filepath.Abs("../..")
	if err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// run runs a command within the test's process, with an analyzer that no flags of earlier runs have changed.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errs strings.Builder
	fresh, err := analyzer.New(analyzer.Config{})
	if err != nil {
		panic(err)
	}
	code = command{analyzer: fresh, stdout: &out, stderr: &errs}.run(args)
	return out.String(), errs.String(), code
}
