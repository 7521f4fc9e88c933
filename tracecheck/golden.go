package tracecheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelint/tracelint/harness"
)

// UpdateVariable is the environment variable that makes [Golden] rewrite its
// files, if it is 1.
const UpdateVariable = "TRACELINT_UPDATE"

// Golden compares what the recorder has seen so far with a budget: a list of
// what is traced and why, at a path such as `testdata/model.traces`. Run the
// tests with TRACELINT_UPDATE=1 to write it, review it, and check it in.
//
// The list has one block a function, with one line a signature. After the
// signature stands in what it differs from the most similar one above it, and
// below it each further trace of it. It does not depend on the order of the
// traces, the machine, or Go's version, so parameters are numbered. For the same
// reason function literals need a name, as in harness.Wrap(rec, "step", f) or with
// the adapter's gomlx.WithName("step").
func Golden(t testing.TB, rec *harness.Recorder, path string) {
	t.Helper()
	switch {
	case rec == nil:
		t.Fatalf("tracecheck.Golden: %s", noRecorder)
		return
	case path == "":
		t.Fatalf("tracecheck.Golden: the path is empty; give one such as testdata/model.traces")
		return
	}
	traces := rec.Traces()
	if n := rec.Dropped(); n > 0 {
		t.Errorf("tracecheck.Golden: the recorder's limit dropped %s: raise it with its method SetLimit", count(n, "trace"))
		return
	}
	if err := rec.Check(); err != nil {
		t.Errorf("%s", bounded("tracecheck.Golden: "+err.Error()))
		return
	}
	got, err := newBudget(rec, traces)
	if err != nil {
		t.Errorf("%s", bounded("tracecheck.Golden: "+err.Error()))
		return
	}
	if os.Getenv(UpdateVariable) == "1" {
		if err := write(path, got.text()); err != nil {
			t.Fatalf("tracecheck.Golden: %v", err)
		}
		return
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("budget %s does not exist; run the test with %s=1 to write it", filepath.ToSlash(path), UpdateVariable)
		return
	case err != nil:
		t.Fatalf("tracecheck.Golden: %v", err)
		return
	}
	want, have := strings.ReplaceAll(string(text), "\r\n", "\n"), got.text()
	if want == have {
		return
	}
	t.Errorf("%s", bounded(fmt.Sprintf("the traces are not those of the budget %s (-want +got):\n%s\n%s\nif they are right, run the test with %s=1 to rewrite it",
		filepath.ToSlash(path), diffLines(want, have), describeAll(rec, traces), UpdateVariable)))
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}
