package gomlxtest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/gomlxtest"
)

// recordingT is a testing.TB that keeps what it is told.
type recordingT struct {
	testing.TB
	errors, fatals []string
}

func (t *recordingT) Helper() {}

func (t *recordingT) Errorf(format string, args ...any) {
	t.errors = append(t.errors, fmt.Sprintf(format, args...))
}

func (t *recordingT) Fatalf(format string, args ...any) {
	t.fatals = append(t.fatals, fmt.Sprintf(format, args...))
}

func newBackend(t testing.TB) compute.Backend {
	t.Helper()
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	require.NoError(t, err)
	return backend
}

func square(x *graph.Node) *graph.Node { return graph.Mul(x, x) }

// scaled multiplies its argument by the variable "w" of the store.
func scaled(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Mul(x, scope.VariableWithValue("w", float32(2)).NodeValue(x))
}

// affine makes its variables in a graph of their own.
func affine(scope *model.Scope, x *graph.Node) *graph.Node {
	weight := scope.VariableWithShape("weight", shapes.Make(dtypes.Float32)).NodeValue(x)
	bias := scope.VariableWithShape("bias", shapes.Make(dtypes.Float32)).NodeValue(x)
	return graph.Add(graph.Mul(x, weight), bias)
}

var vector = shapes.Make(dtypes.Float32, 3)

// traced returns what ExpectDeterministic reports of a function.
func traced(t *testing.T, fn func(x *graph.Node) *graph.Node) []string {
	t.Helper()
	fake, backend := &recordingT{}, newBackend(t)
	gomlxtest.ExpectDeterministic(fake, func() *graph.Exec { return graph.MustNewExec(backend, fn) }, vector)
	require.Empty(t, fake.fatals)
	return fake.errors
}

func TestDeterministicFunctionsPass(t *testing.T) {
	require.Empty(t, traced(t, square))
	weights := map[string]float64{"a": 1, "b": 2, "c": 3}
	require.Empty(t, traced(t, func(x *graph.Node) *graph.Node {
		for _, name := range slices.Sorted(func(yield func(string) bool) {
			for name := range weights {
				if !yield(name) {
					return
				}
			}
		}) {
			x = graph.MulScalar(x, weights[name])
		}
		return x
	}))
	backend := newBackend(t)
	gomlxtest.ExpectDeterministic(t, func() *model.Exec { return model.MustNewExec(backend, model.NewStore(), scaled) }, vector)
	gomlxtest.ExpectDeterministic(t, func() *model.Exec { return model.MustNewExec(backend, model.NewStore(), affine) }, vector)
}

func TestOrderOfMapIsFound(t *testing.T) {
	weights := map[string]float64{}
	for i := range 20 {
		weights[fmt.Sprint(i)] = float64(i)
	}
	got := traced(t, func(x *graph.Node) *graph.Node {
		for _, weight := range weights {
			if weight > 10 {
				x = graph.Neg(x)
			} else {
				x = graph.Exp(x)
			}
		}
		return x
	})
	require.Len(t, got, 1)
	lines := strings.Split(got[0], "\n")
	require.Len(t, lines, 4)
	require.Regexp(t, `^traces 1 and \d+ of 10 built different graphs: op \d+ of 21 is the first that differs$`, lines[0])
	require.Regexp(t, `^  - #\d+ (Neg|Exp)\(`, lines[1])
	require.Regexp(t, `^  \+ #\d+ (Neg|Exp)\(`, lines[2])
	require.Equal(t, "  likely cause: the order of a map or of goroutines, or state that a trace changes; "+
		"sort the keys, and keep state out of the body", lines[3])
}

func TestClockAndRandomNumbersAreFound(t *testing.T) {
	start := time.Now()
	for name, value := range map[string]func() float64{
		"clock":  func() float64 { return float64(time.Since(start).Nanoseconds()) },
		"random": rand.Float64,
	} {
		t.Run(name, func(t *testing.T) {
			got := traced(t, func(x *graph.Node) *graph.Node {
				return graph.Mul(x, graph.Const(x.Graph(), []float32{float32(value())}))
			})
			require.Len(t, got, 1)
			require.Regexp(t, `(?s)^traces 1 and 2 of 10 built different graphs: op 1 of \d+ is the first that differs
  - #1 Constant\(.*\) -> .*
  \+ #1 Constant\(.*\) -> .*
  likely cause: a constant from the clock, random numbers or a counter; pass it as an argument, or keep it in a variable$`, got[0])
		})
	}
}

func TestStateIsFound(t *testing.T) {
	n := 0
	got := traced(t, func(x *graph.Node) *graph.Node {
		n++
		for range n {
			x = graph.Neg(x)
		}
		return x
	})
	require.Equal(t, []string{lined(
		"traces 1 and 2 of 10 built different graphs: op 2 of 3 is the first that differs",
		"  - none",
		"  + #2 Neg(x=[#1]) -> [(Float32)[3]]",
		"  likely cause: the order of a map or of goroutines, or state that a trace changes; sort the keys, and keep state out of the body",
	)}, got)
}

func lined(text ...string) string { return strings.Join(text, "\n") }

func TestExpectDeterministicBadInput(t *testing.T) {
	fake, backend := &recordingT{}, newBackend(t)
	gomlxtest.ExpectDeterministic[*graph.Exec](fake, nil)
	gomlxtest.ExpectDeterministic(fake, func() *graph.Exec {
		return graph.MustNewExec(backend, func(*graph.Node) *graph.Node { panic(errors.New("no such layer")) })
	}, vector)
	require.Empty(t, fake.errors)
	require.Len(t, fake.fatals, 2)
	require.Equal(t, "gomlxtest.ExpectDeterministic: the function that makes a wrapper is nil", fake.fatals[0])
	require.Contains(t, fake.fatals[1], "gomlxtest.ExpectDeterministic: trace 1: ")
	require.Contains(t, fake.fatals[1], "no such layer")
}
