package function_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
	"github.com/tracelint/tracelint/tracecheck"
)

// failingT is a testing.TB that keeps the errors.
type failingT struct {
	testing.TB
	errors []string
}

func (t *failingT) Helper() {}

func (t *failingT) Errorf(format string, args ...any) {
	t.errors = append(t.errors, fmt.Sprintf(format, args...))
}

// failure returns the message about a block that traces more than once.
func failure(t *testing.T, block func(r *function.Runtime)) string {
	t.Helper()
	fake, rec := &failingT{}, harness.NewRecorder()
	r := newRuntime(t, rec, io.Discard)
	tracecheck.ExpectTraces(fake, rec, 1, func() { block(r) })
	require.Len(t, fake.errors, 1)
	return fake.errors[0]
}

func advice(t *testing.T, block func(r *function.Runtime)) string {
	t.Helper()
	_, advice, _ := strings.Cut(failure(t, block), "\n  to trace less:\n")
	return advice
}

func negated(c *function.Ctx, x function.Tensor) function.Tensor { return c.Neg(x) }

// Advice names what this engine has for the case, and nothing that would not help.
func TestAdviceFitsTheOptions(t *testing.T) {
	sizes := func(options ...function.FuncOption) func(r *function.Runtime) {
		return func(r *function.Runtime) {
			f := function.New(r, negated, append(options, function.WithName("f"))...)
			for _, n := range []int{5, 7, 9} {
				f.Call(r.Host(), function.From(make([]float32, n)))
			}
		}
	}
	require.Equal(t, "    f: axis 0 of x had 3 sizes from 5 to 9: pad it to 16, the power of two that fits, or each size to its own power of two, "+
		"or let it become unknown with WithReduceRetracing, or leave it so with WithInputSignature", advice(t, sizes()))
	require.Equal(t, "    f: axis 0 of x had 1 size, then any: the trace for any serves all further ones; "+
		"for a single trace, leave it unknown from the first call on with WithInputSignature", advice(t, sizes(function.WithReduceRetracing())))

	fake, rec := &failingT{}, harness.NewRecorder()
	r := newRuntime(t, rec, io.Discard)
	tracecheck.ExpectTraces(fake, rec, 1, func() {
		sizes(function.WithInputSignature(function.SpecOf(dtypes.Float32, function.Unknown)))(r)
	})
	require.Empty(t, fake.errors)
}

func TestAdviceOnFlags(t *testing.T) {
	flags := func(r *function.Runtime) {
		f := function.New(r, func(c *function.Ctx, training bool) function.Tensor { return function.From(float32(1)) }, function.WithName("f"))
		f.Call(r.Host(), true)
		f.Call(r.Host(), false)
	}
	require.Contains(t, advice(t, flags), "f: training had values true, false: where Go code decides by it, make a function of each")
}

func TestFailuresOverLongArgumentsAreShort(t *testing.T) {
	got := failure(t, func(r *function.Runtime) {
		f := function.New(r, func(c *function.Ctx, prompt string) function.Tensor { return function.From(float32(1)) }, function.WithName("f"))
		for i := range 6 {
			f.Call(r.Host(), strings.Repeat("x", 200_000)+fmt.Sprint(i))
		}
	})
	require.LessOrEqual(t, len(got), 64<<10)
	require.LessOrEqual(t, strings.Count(got, "\n"), 200)
	require.Contains(t, got, " bytes)…")
}

type scaler struct{ factor float32 }

func (s *scaler) step(c *function.Ctx, x function.Tensor) function.Tensor {
	return c.Mul(x, function.From(s.factor))
}

// Instances share the name of their method, and so a count; a name each tells them apart. Advice does not merge them.
func TestInstancesShareACounterUnlessNamed(t *testing.T) {
	instances := func(r *function.Runtime, options func(n int) []function.FuncOption) {
		for n, factor := range []float32{1, 2} {
			function.New(r, (&scaler{factor}).step, options(n)...).Call(r.Host(), function.From(float32(1)))
		}
	}
	rec := tracecheck.Record(t)
	r := newRuntime(t, rec, io.Discard)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"(*scaler).step": 2}, func() {
		instances(r, func(int) []function.FuncOption { return nil })
	})
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"step 0": 1, "step 1": 1}, func() {
		instances(r, func(n int) []function.FuncOption {
			return []function.FuncOption{function.WithName(fmt.Sprint("step ", n))}
		})
	})
	require.Regexp(t, `^    \(\*scaler\)\.step: the wrapper is built anew at function/advice_test\.go:\d+: `+
		`build it once, outside of the loop or function, and keep it, or one for each model$`,
		advice(t, func(r *function.Runtime) { instances(r, func(int) []function.FuncOption { return nil }) }))
}
