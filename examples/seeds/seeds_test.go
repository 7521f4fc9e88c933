// Package seeds_test counts the traces of both versions of the model.
package seeds_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/examples/seeds/after"
	"github.com/tracelint/tracelint/examples/seeds/before"
	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
	"github.com/tracelint/tracelint/tracecheck"
)

const (
	fun       = "(*Model).fun"
	inference = "(*Model).inference"
)

func newRuntime(t *testing.T, options ...function.RuntimeOption) *function.Runtime {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	return function.NewRuntime(backend, options...)
}

// The first call traces inference twice, since its layers are built in it. Calling inference from host code is a third
// trace where keys tell concrete arguments from symbolic ones, as those of TensorFlow 1.x did.
func TestBefore(t *testing.T) {
	for _, test := range []struct {
		name        string
		options     []function.RuntimeOption
		fromOutside int
	}{
		{"keys of today", nil, 0},
		{"legacy keys", []function.RuntimeOption{function.WithLegacyKeys()}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := tracecheck.Record(t)
			r := newRuntime(t, append(test.options, function.WithRecorder(rec))...)
			m, tokens := before.New(r), function.From([]int64{1, 2, 3})
			tracecheck.ExpectTraces(t, rec, tracecheck.Counts{fun: 1, inference: 2}, func() { m.Fun.Call(r.Host(), tokens) })
			require.Equal(t, harness.CauseState, rec.Traces()[2].Cause.Kind)
			tracecheck.ExpectTraces(t, rec, test.fromOutside, func() { m.Inference.Call(r.Host(), tokens) })
			tracecheck.ExpectNoTraces(t, rec, func() { m.Fun.Call(r.Host(), tokens) })
		})
	}
}

func TestAfter(t *testing.T) {
	for _, options := range [][]function.RuntimeOption{nil, {function.WithLegacyKeys()}} {
		rec := tracecheck.Record(t)
		r := newRuntime(t, append(options, function.WithRecorder(rec))...)
		m, tokens := after.New(r), function.From([]int64{1, 2, 3})
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{fun: 1}, func() { m.Fun.Call(r.Host(), tokens) })
		tracecheck.ExpectTraces(t, rec, tracecheck.Counts{inference: 1}, func() { m.Inference.Call(r.Host(), tokens) })
		tracecheck.ExpectNoTraces(t, rec, func() {
			m.Fun.Call(r.Host(), function.From([]int64{4, 5, 6}))
			m.Inference.Call(r.Host(), function.From([]int64{4, 5, 6}))
		})
	}
}

// The prints of the graph appear once an execution, and the second call is no different from the first.
func TestAfterPrints(t *testing.T) {
	var out bytes.Buffer
	r := newRuntime(t, function.WithOutput(&out))
	m, tokens := after.New(r), function.From([]int64{1, 2, 3})
	for range 2 {
		m.Fun.Call(r.Host(), tokens)
		m.Inference.Call(r.Host(), tokens)
	}
	once := "call function: fun\ncall function: inference\ncall function: inference\n"
	require.Empty(t, cmp.Diff(strings.Repeat(once, 2), out.String()))
}

// Both versions compute the same.
func TestSameScores(t *testing.T) {
	r, repaired := newRuntime(t), newRuntime(t)
	want := before.New(r).Fun.Call(r.Host(), function.From([]int64{1, 2, 3}))
	got := after.New(repaired).Fun.Call(repaired.Host(), function.From([]int64{1, 2, 3}))
	require.Equal(t, []int{3, 10}, want.Spec().Dims)
	require.Empty(t, cmp.Diff(want.Value(), got.Value()))
}

// What people see who call the model as it was, under today's keys.
func Example() {
	backend, err := gobackend.New("")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := function.NewRuntime(backend)
	m, tokens := before.New(r), function.From([]int64{1, 2, 3})
	m.Fun.Call(r.Host(), tokens)
	fmt.Println("====================")
	m.Inference.Call(r.Host(), tokens)
	// Output:
	// call function: fun
	// call function: inference
	// call function: inference
	// ====================
}
