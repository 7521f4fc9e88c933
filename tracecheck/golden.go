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
	got, err := newBudget(rec, traces)
	if err != nil {
		t.Errorf("tracecheck.Golden: %v", err)
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
	want := strings.ReplaceAll(string(text), "\r\n", "\n")
	if want == got.text() {
		return
	}
	t.Errorf("the traces are not those of the budget %s (-want +got):\n%s\n%s\nif they are right, run the test with %s=1 to rewrite it",
		filepath.ToSlash(path), diffLines(want, got.text()), describeAll(rec, traces), UpdateVariable)
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// diffShown bounds the number of lines of a diff.
const diffShown = 60

// diffLines returns the lines of two texts, those of one alone marked.
func diffLines(want, got string) string {
	a, b := strings.Split(strings.TrimSuffix(want, "\n"), "\n"), strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	// common[i][j] is the number of lines that a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, "    "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, fmt.Sprintf("  - %s", a[i]))
			i++
		default:
			lines = append(lines, fmt.Sprintf("  + %s", b[j]))
			j++
		}
	}
	if more := len(lines) - diffShown; more > 0 {
		lines = append(lines[:diffShown], "    and "+count(more, "more line"))
	}
	return strings.Join(lines, "\n")
}
