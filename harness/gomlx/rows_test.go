package gomlx_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
	"github.com/tracelint/tracelint/tracecheck"
)

// The row tests measure what GoMLX does, one subtest for each row of the project's table of trace counts: G for
// graph.Exec, W for control flow, C for model.Exec, T for train.Trainer.

func TestMain(m *testing.M) {
	if err := os.Setenv(compute.ConfigEnvVar, gobackend.BackendName); err != nil {
		panic(err)
	}
	if name, ok := os.LookupEnv(processVariable); ok {
		runProcess(name)
		return
	}
	os.Exit(m.Run())
}

func newBackend(t testing.TB) compute.Backend {
	t.Helper()
	backend, err := compute.New()
	require.NoError(t, err)
	return backend
}

// square is the function of most rows.
func square(x *graph.Node) *graph.Node {
	return graph.Mul(x, x)
}

// newSquare returns a wrapper of square and the recorder that counts its traces.
func newSquare(t testing.TB) (*harness.Recorder, *graph.Exec) {
	t.Helper()
	rec := tracecheck.Record(t)
	exec, err := gomlx.NewExec(rec, newBackend(t), square)
	require.NoError(t, err)
	return rec, exec
}

// causes returns why each trace so far happened, in their order: the kind of the
// cause, whose the earlier trace is that it was compared with, the differences from
// that, and what the adapter knows of it or what is unclear.
func causes(rec *harness.Recorder) []string {
	kinds := map[harness.CauseKind]string{
		harness.CauseUnknown:       "unknown",
		harness.CauseFirst:         "first",
		harness.CauseState:         "state made",
		harness.CauseNewSignature:  "new signature",
		harness.CauseSameSignature: "same signature",
		harness.CauseFailure:       "after a failure",
	}
	wrappers := map[harness.WrapperMatch]string{
		harness.WrapperUnknown: "",
		harness.WrapperSame:    ", same wrapper",
		harness.WrapperOther:   ", other wrapper",
	}
	var all []string
	for _, trace := range rec.Traces() {
		text := kinds[trace.Cause.Kind] + wrappers[trace.Cause.Wrapper]
		for _, d := range trace.Cause.Differences {
			text += "; " + d.String()
		}
		if trace.Cause.Detail != "" {
			text += ": " + trace.Cause.Detail
		}
		all = append(all, text)
	}
	return all
}

// again is what is said of a further trace of a signature where the wrapper is
// unknown.
const again = "same signature: by another wrapper, by a further call in one trace, or after the cache lost it"

// grown returns the causes of traces of one wrapper for 1 to n values along an
// axis.
func grown(axis string, n int) []string {
	all := []string{"first"}
	for i := 1; i < n; i++ {
		all = append(all, fmt.Sprintf("new signature, same wrapper; %s: %d -> %d", axis, i, i+1))
	}
	return all
}

// causesOf returns the causes of one function's traces.
func causesOf(rec *harness.Recorder, function string) []string {
	var all []string
	for i, trace := range rec.Traces() {
		if trace.Function.Name == function {
			all = append(all, causes(rec)[i])
		}
	}
	return all
}

// ones returns n ones: arguments that differ in length alone.
func ones(n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = 1
	}
	return values
}

// depths returns for each trace how many others it ran inside of.
func depths(rec *harness.Recorder) []int {
	byID := map[int]int{0: -1}
	var all []int
	for _, trace := range rec.Traces() {
		byID[trace.ID] = byID[trace.Parent] + 1
		all = append(all, byID[trace.ID])
	}
	return all
}
