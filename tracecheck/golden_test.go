package tracecheck_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
	"github.com/tracelint/tracelint/tracecheck"
)

// written returns what Golden writes for the traces of a recorder.
func written(t *testing.T, rec *harness.Recorder) string {
	t.Helper()
	t.Setenv(tracecheck.UpdateVariable, "1")
	path := filepath.Join(t.TempDir(), "testdata", "budget.traces")
	tracecheck.Golden(t, rec, path)
	t.Setenv(tracecheck.UpdateVariable, "")
	tracecheck.Golden(t, rec, path)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	_, budget, found := strings.Cut(string(text), "\n\n")
	require.True(t, found)
	require.Regexp(t, `(?m)\A# What is traced, .*\n# .*TRACELINT_UPDATE=1.*\n\n`, string(text))
	return budget
}

func TestGoldenListsWhatIsTracedAndWhy(t *testing.T) {
	rec := record(t)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	for _, n := range []int{10, 9, 3} {
		exec.Call(shape(n, 8))
	}
	exec.Call(et.Make(et.Int64, 3, 8))
	exec.Clear()
	exec.Call(shape(9, 8))
	inference := harness.Function{Name: "inference"}
	a, b := rec.NewWrapper("a"), rec.NewWrapper("b")
	args := harness.Signature{
		{Name: "n", Kind: harness.Literal, Type: "int", Value: "1"},
		{Name: "graph", Kind: harness.Context, Value: "train"},
	}
	trace := func(w harness.Wrapper, args harness.Signature, cause *harness.Cause) {
		rec.Start(harness.Info{Function: inference, Wrapper: w, Args: args, Cause: cause}).End(harness.Returned())
	}
	trace(a, args, nil)
	trace(a, args, &harness.Cause{Kind: harness.CauseState, Detail: "variable w was made at model.go:12"})
	trace(b, args, nil)
	trace(b, args, nil)
	trace(b, harness.Signature{{Kind: harness.Literal, Type: "float64", Value: "1"}, args[1]}, nil)
	trace(b, nil, nil)
	want := lined(
		"inference",
		"  (1, graph train)",
		"  (1, graph train)  arg 0: type float64 -> int",
		"    again: same signature, another wrapper",
		"    again: same signature, same wrapper",
		"    again: second trace of a first call, because state was made",
		"  (?)",
		"",
		"square",
		"  (float32[3,8])",
		"  (float32[9,8])  arg 0: axis 0: 3 -> 9",
		"    again: same signature",
		"  (float32[10,8])  arg 0: axis 0: 9 -> 10",
		"  (int64[3,8])  arg 0: dtype float32 -> int64",
		"",
	)
	require.Empty(t, cmp.Diff(want, written(t, rec)))
}

func TestGoldenDoesNotDependOnTheOrder(t *testing.T) {
	concurrent := func() string {
		rec := record(t)
		f := harness.Wrap(rec, "", square)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() { et.NewExec(f).Call(shape(n % 4)) })
			all.Go(func() { et.NewExec(f).Call(et.Make(et.Int64, n%4)) })
		}
		all.Wait()
		return written(t, rec)
	}
	want := concurrent()
	require.Equal(t, 17, strings.Count(want, "\n"))
	for range 20 {
		require.Equal(t, want, concurrent())
	}
}

func TestGoldenFailures(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	exec := et.NewExec(harness.Wrap(rec, "", square))
	exec.Call(shape(3))
	path := filepath.Join(t.TempDir(), "x.traces")
	shown := filepath.ToSlash(path)

	tracecheck.Golden(fake, rec, path)
	t.Setenv(tracecheck.UpdateVariable, "1")
	tracecheck.Golden(fake, rec, path)
	t.Setenv(tracecheck.UpdateVariable, "")
	tracecheck.Golden(fake, rec, path)
	exec.Call(shape(4))
	tracecheck.Golden(fake, rec, path)
	require.Empty(t, cmp.Diff([]string{
		"budget " + shown + " does not exist; run the test with TRACELINT_UPDATE=1 to write it",
		lined(
			"the traces are not those of the budget "+shown+" (-want +got):",
			"    # What is traced, and in what each signature differs from the most similar one above it.",
			"    # Written by tracecheck.Golden; TRACELINT_UPDATE=1 go test rewrites it.",
			"    ",
			"    square",
			"      (float32[3])",
			"  +   (float32[4])  arg 0: axis 0: 3 -> 4",
			"  trace 1: square(x float32[3])",
			"      first trace",
			"      called at tracecheck/golden_test.go:LINE, took TIME",
			"  trace 2: square(x float32[4])",
			"      new signature: x: axis 0: 3 -> 4 (nearest: trace 1)",
			"      called at tracecheck/golden_test.go:LINE, took TIME",
			"  1 retrace cost TIME of TIME spent tracing",
			"  to trace less:",
			"    square: axis 0 of x had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, or make it dynamic if the engine's backend can",
			"if they are right, run the test with TRACELINT_UPDATE=1 to rewrite it",
		),
	}, fake.errors))
	require.Empty(t, fake.fatals)

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text)+"  (float32[4])  arg 0: axis 0: 3 -> 4\n", "\n", "\r\n")), 0o600))
	fake.errors = nil
	tracecheck.Golden(fake, rec, path)
	require.Empty(t, fake.errors, "line ends are git's to choose")
}

func TestGoldenBadInput(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	tracecheck.Golden(fake, nil, "x")
	tracecheck.Golden(fake, rec, "")
	tracecheck.Golden(fake, rec, t.TempDir())
	harness.Wrap(rec, "", func(x *et.Node) *et.Node { return x })(nil)
	tracecheck.Golden(fake, rec, "x")
	require.Len(t, fake.fatals, 3)
	require.Equal(t, "tracecheck.Golden: the recorder is nil; make one with tracecheck.Record", fake.fatals[0])
	require.Equal(t, "tracecheck.Golden: the path is empty; give one such as testdata/model.traces", fake.fatals[1])
	require.Contains(t, fake.fatals[2], "is a directory")
	require.Equal(t, []string{"tracecheck.Golden: function literal TestGoldenBadInput.func1 has no lasting name: " +
		`give it one, as in harness.Wrap(rec, "step", f) or with gomlx.WithName("step")`}, fake.errors)
}

func TestLongDiffsAreCut(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	path := filepath.Join(t.TempDir(), "x.traces")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	exec := et.NewExec(harness.Wrap(rec, "", square))
	for n := range 200 {
		exec.Call(shape(n))
	}
	tracecheck.Golden(fake, rec, path)
	require.Contains(t, fake.errors[0], "\n    and 140 more lines\n")
}

// A budget is bounded as failures are, and still tells all signatures apart.
func TestGoldenOfManySignatures(t *testing.T) {
	of := func(last int) *harness.Recorder {
		rec := record(t)
		for n := range 10_000 {
			trace(rec, "f", harness.Wrapper{}, tensor("float32", n))
		}
		trace(rec, "f", harness.Wrapper{}, tensor("float32", last))
		return rec
	}
	path := filepath.Join(t.TempDir(), "x.traces")
	t.Setenv(tracecheck.UpdateVariable, "1")
	rec := of(20_000)
	start := time.Now()
	tracecheck.Golden(t, rec, path)
	requireFast(t, start)
	t.Setenv(tracecheck.UpdateVariable, "")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	requireBounded(t, string(text))
	require.Regexp(t, `  \(float32\[3\]\)  arg 0: axis 0: 2 -> 3\n`, string(text))
	require.Regexp(t, `\n\nand 9807 more lines, of the sum [0-9a-f]{16}\n$`, string(text))

	tracecheck.Golden(t, rec, path)
	fake := &recordingT{}
	rec = of(20_001)
	start = time.Now()
	tracecheck.Golden(fake, rec, path)
	requireFast(t, start)
	require.Len(t, fake.errors, 1)
	requireBounded(t, fake.errors[0])
	require.Regexp(t, `(?m)^    \.\.\. 187 equal lines \.\.\.$`, fake.errors[0])
	require.Regexp(t, `(?m)^  - and 9807 more lines, of the sum [0-9a-f]{16}\n  \+ and 9807 more lines, of the sum [0-9a-f]{16}$`, fake.errors[0])
}

func TestGoldenOfLongSignatures(t *testing.T) {
	for name, test := range map[string]struct {
		args, changed int
		want          string
	}{
		"longer than a line":              {300, 150, `float32\[0\], .*…\(\d+ bytes\)….*, float32\[299\]\)  sum [0-9a-f]{16}`},
		"longer than what a recorder has": {1000, 999, `float32\[0\], .*…\(\d+ bytes\)….* more\)}\)  sum [0-9a-f]{16}  sum [0-9a-f]{16}`},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(size int) *harness.Recorder {
				rec := record(t)
				args := make([]harness.Arg, test.args)
				for i := range args {
					args[i] = tensor("float32", i)
				}
				args[test.changed].Dims[0] = size
				trace(rec, "f", harness.Wrapper{}, args...)
				return rec
			}
			path := filepath.Join(t.TempDir(), "x.traces")
			t.Setenv(tracecheck.UpdateVariable, "1")
			tracecheck.Golden(t, of(1), path)
			t.Setenv(tracecheck.UpdateVariable, "")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			requireBounded(t, string(text))
			require.Regexp(t, `\n  \(`+test.want+`\n$`, string(text))
			tracecheck.Golden(t, of(1), path)
			fake := &recordingT{}
			tracecheck.Golden(fake, of(2), path)
			require.Len(t, fake.errors, 1)
		})
	}
}

// What prints alike may be different to the engine.
func TestGoldenComparesKeys(t *testing.T) {
	rec := record(t)
	for _, key := range []string{"a", "b", "a"} {
		trace(rec, "f", harness.Wrapper{}, harness.Arg{Kind: harness.Literal, Type: "mode", Value: "mode", Key: key})
	}
	require.Equal(t, lined(
		"f",
		"  (mode)",
		"    again: same signature",
		"  (mode)  arg 0: mode -> another mode",
		"",
	), written(t, rec))
}

type mode int

func (mode) String() string { return "mode" }

func TestGoldenTellsValuesApartThatPrintAlike(t *testing.T) {
	of := func(m mode) *harness.Recorder {
		rec := record(t)
		harness.Wrap(rec, "f", func(mode) {})(m)
		return rec
	}
	path := filepath.Join(t.TempDir(), "x.traces")
	t.Setenv(tracecheck.UpdateVariable, "1")
	tracecheck.Golden(t, of(1), path)
	t.Setenv(tracecheck.UpdateVariable, "")
	tracecheck.Golden(t, of(1), path)
	fake := &recordingT{}
	tracecheck.Golden(fake, of(2), path)
	require.Len(t, fake.errors, 1)
	require.Contains(t, fake.errors[0], "\n  -   (mode (tracecheck_test.mode(1)))\n  +   (mode (tracecheck_test.mode(2)))\n")
}

// An unknown signature is not that of a function without arguments, and what is omitted is part of a signature.
func TestGoldenOfUnknownAndOmittedArguments(t *testing.T) {
	rec := record(t)
	trace(rec, "f", harness.Wrapper{}) // unknown: nil
	rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Args: harness.Signature{}}).End(harness.Returned())
	trace(rec, "f", harness.Wrapper{}, harness.Arg{Kind: harness.Structure, Elems: []harness.Arg{tensor("float32", 3)}, Omitted: 1, Key: "a"})
	require.Regexp(t, `^f
  \(\)
  \(\?\)
  \({float32\[3\].*1 more.*}\)  sum [0-9a-f]{16}  arg 0: .*
$`, written(t, rec))
}

// Contexts are no parameters, and have no number.
func TestGoldenNumbersParameters(t *testing.T) {
	rec := record(t)
	for _, n := range []int{3, 4} {
		trace(rec, "f", harness.Wrapper{}, harness.Arg{Name: "graph", Kind: harness.Context, Value: "train"}, tensor("int64"), tensor("float32", n))
	}
	require.Equal(t, lined(
		"f",
		"  (graph train, int64[], float32[3])",
		"  (graph train, int64[], float32[4])  arg 1: axis 0: 3 -> 4",
		"",
	), written(t, rec))
}

func TestGoldenOfARecorderThatForgot(t *testing.T) {
	fake := &recordingT{}
	rec := record(fake)
	rec.SetLimit(2)
	path := filepath.Join(t.TempDir(), "x.traces")
	for n := range 3 {
		trace(rec, "f", harness.Wrapper{}, tensor("float32", n))
	}
	tracecheck.Golden(fake, rec, path)
	rec.Reset()
	rec.AddCheck(func() error { return errors.New("the logger was replaced") })
	tracecheck.Golden(fake, rec, path)
	require.Equal(t, []string{
		"tracecheck.Golden: the recorder's limit dropped 1 trace: raise it with its method SetLimit",
		"tracecheck.Golden: the logger was replaced",
	}, fake.errors)
}
