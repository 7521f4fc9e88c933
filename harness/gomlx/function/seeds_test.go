package function_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
	"github.com/tracelint/tracelint/tracecheck"
)

type body = func(*function.Ctx, function.Tensor) function.Tensor

// Model is the model of seeds S1 and S2.
type Model struct {
	Fun, Inference *function.Func[body]

	embedding *function.Embedding
	dense     *function.Dense
	print     func(c *function.Ctx, text string)
	// call is what fun calls: the wrapped inference, if it is nil.
	call    body
	printed []string
}

func newModel(r *function.Runtime, print func(*function.Ctx, string), options ...function.FuncOption) *Model {
	m := &Model{embedding: function.NewEmbedding(10, 15), dense: function.NewDense(10), print: print}
	m.Inference = function.New(r, m.inference, options...)
	m.Fun = function.New(r, m.fun, options...)
	return m
}

func (m *Model) inference(c *function.Ctx, x function.Tensor) function.Tensor {
	m.print(c, "call function: inference")
	return m.dense.Call(c, m.embedding.Call(c, x))
}

func (m *Model) fun(c *function.Ctx, x function.Tensor) function.Tensor {
	m.print(c, "call function: fun")
	if m.call != nil {
		return m.call(c, x)
	}
	return m.Inference.Call(c, x)
}

const line = "===================="

func TestS1(t *testing.T) {
	dialects := []struct {
		name    string
		options []function.RuntimeOption
		want    []string
	}{
		{"legacy keys", []function.RuntimeOption{function.WithLegacyKeys()}, []string{
			"call function: fun",
			"call function: inference",
			"call function: inference",
			line,
			"call function: inference",
		}},
		{"type-based keys", nil, []string{
			"call function: fun",
			"call function: inference",
			"call function: inference",
			line,
		}},
	}
	for _, dialect := range dialects {
		t.Run(dialect.name, func(t *testing.T) {
			var out strings.Builder
			r := newRuntime(t, harness.NewRecorder(), &out, dialect.options...)
			m := newModel(r, func(_ *function.Ctx, text string) { fmt.Fprintln(&out, text) })
			x := function.From([]int64{1, 2, 3})
			m.Fun.Call(r.Host(), x)
			fmt.Fprintln(&out, line)
			m.Inference.Call(r.Host(), x)
			require.Empty(t, cmp.Diff(strings.Join(dialect.want, "\n")+"\n", out.String()))
		})
	}
}

func TestS2(t *testing.T) {
	for _, options := range [][]function.RuntimeOption{nil, {function.WithLegacyKeys()}} {
		var out strings.Builder
		r := newRuntime(t, harness.NewRecorder(), &out, options...)
		m := newModel(r, func(c *function.Ctx, text string) { c.Print(text) })
		x := function.From([]int64{1, 2, 3})
		m.Fun.Call(r.Host(), x)
		fmt.Fprintln(&out, line)
		m.Inference.Call(r.Host(), x)
		require.Empty(t, cmp.Diff(strings.Join([]string{
			"call function: fun",
			"call function: inference",
			line,
			"call function: inference",
		}, "\n")+"\n", out.String()))
	}
}

// The counts that the survey predicts for variations of S1 (part A-bis): what
// the bodies print in each call, for both dialects.
func TestS1Variations(t *testing.T) {
	const fun, inf = "call function: fun", "call function: inference"
	vector := function.From([]int64{1, 2, 3})
	both := func(x function.Tensor) func(*Model, *function.Ctx) [][]string {
		return func(m *Model, host *function.Ctx) [][]string {
			return m.calls(
				func() { m.Fun.Call(host, x) },
				func() { m.Inference.Call(host, x) })
		}
	}
	signature := function.WithInputSignature(function.SpecOf(dtypes.Int64, function.Unknown))
	variations := []struct {
		name         string
		options      []function.FuncOption
		prepare      func(*Model, *function.Ctx)
		calls        func(*Model, *function.Ctx) [][]string
		legacy       [][]string
		types        [][]string
		countsLegacy [2]int // of fun and inference in the end
		countsTypes  [2]int
	}{
		{
			name:         "as asked",
			calls:        both(vector),
			legacy:       [][]string{{fun, inf, inf}, {inf}},
			types:        [][]string{{fun, inf, inf}, nil},
			countsLegacy: [2]int{1, 3}, countsTypes: [2]int{1, 2},
		}, {
			name: "and once more",
			calls: func(m *Model, host *function.Ctx) [][]string {
				return append(both(vector)(m, host), both(vector)(m, host)...)
			},
			legacy:       [][]string{{fun, inf, inf}, {inf}, nil, nil},
			types:        [][]string{{fun, inf, inf}, nil, nil, nil},
			countsLegacy: [2]int{1, 3}, countsTypes: [2]int{1, 2},
		}, {
			name: "other order",
			calls: func(m *Model, host *function.Ctx) [][]string {
				return m.calls(
					func() { m.Inference.Call(host, vector) },
					func() { m.Fun.Call(host, vector) })
			},
			legacy:       [][]string{{inf, inf}, {fun, inf}},
			types:        [][]string{{inf, inf}, {fun}},
			countsLegacy: [2]int{1, 3}, countsTypes: [2]int{1, 2},
		}, {
			name: "layers built before",
			prepare: func(m *Model, host *function.Ctx) {
				m.embedding.Build(host)
				m.dense.Build(host, 15)
			},
			calls:        both(vector),
			legacy:       [][]string{{fun, inf}, {inf}},
			types:        [][]string{{fun, inf}, nil},
			countsLegacy: [2]int{1, 2}, countsTypes: [2]int{1, 1},
		}, {
			name:         "rank-0 argument",
			calls:        both(function.From(int64(1))),
			legacy:       [][]string{{fun, inf, inf}, nil},
			types:        [][]string{{fun, inf, inf}, nil},
			countsLegacy: [2]int{1, 2}, countsTypes: [2]int{1, 2},
		}, {
			name: "then another length",
			calls: func(m *Model, host *function.Ctx) [][]string {
				return append(both(vector)(m, host), m.calls(func() { m.Inference.Call(host, function.From([]int64{1, 2})) })...)
			},
			legacy:       [][]string{{fun, inf, inf}, {inf}, {inf}},
			types:        [][]string{{fun, inf, inf}, nil, {inf}},
			countsLegacy: [2]int{1, 4}, countsTypes: [2]int{1, 3},
		}, {
			// The body of the inner one runs as a part of the outer one: twice, as
			// that one makes the state now.
			name:    "only the outer one wrapped",
			prepare: func(m *Model, _ *function.Ctx) { m.call = m.inference },
			calls: func(m *Model, host *function.Ctx) [][]string {
				return m.calls(func() { m.Fun.Call(host, vector) }, func() { m.Fun.Call(host, vector) })
			},
			legacy:       [][]string{{fun, inf, fun, inf}, nil},
			types:        [][]string{{fun, inf, fun, inf}, nil},
			countsLegacy: [2]int{2, 0}, countsTypes: [2]int{2, 0},
		}, {
			name:         "an input signature",
			options:      []function.FuncOption{signature},
			calls:        both(vector),
			legacy:       [][]string{{fun, inf, inf}, nil},
			types:        [][]string{{fun, inf, inf}, nil},
			countsLegacy: [2]int{1, 2}, countsTypes: [2]int{1, 2},
		},
	}
	for _, v := range variations {
		for _, dialect := range []struct {
			name    string
			options []function.RuntimeOption
			want    [][]string
			counts  [2]int
		}{
			{"legacy keys", []function.RuntimeOption{function.WithLegacyKeys()}, v.legacy, v.countsLegacy},
			{"type-based keys", nil, v.types, v.countsTypes},
		} {
			t.Run(v.name+"/"+dialect.name, func(t *testing.T) {
				r := newRuntime(t, harness.NewRecorder(), io.Discard, dialect.options...)
				m := newModel(r, nil, v.options...)
				m.print = func(_ *function.Ctx, text string) { m.printed = append(m.printed, text) }
				if v.prepare != nil {
					v.prepare(m, r.Host())
				}
				require.Equal(t, dialect.want, v.calls(m, r.Host()))
				require.Equal(t, dialect.counts, [2]int{m.Fun.TraceCount(), m.Inference.TraceCount()})
			})
		}
	}
}

// calls makes calls and returns what the bodies printed in each.
func (m *Model) calls(calls ...func()) [][]string {
	var printed [][]string
	for _, call := range calls {
		m.printed = nil
		call()
		printed = append(printed, m.printed)
	}
	return printed
}

// TestS1Causes shows the seed's answer: why there are three graphs of inference.
func TestS1Causes(t *testing.T) {
	rec := tracecheck.Record(t)
	r := newRuntime(t, rec, io.Discard, function.WithLegacyKeys())
	m := newModel(r, func(*function.Ctx, string) {})
	x := function.From([]int64{1, 2, 3})
	m.Fun.Call(r.Host(), x)
	m.Inference.Call(r.Host(), x)

	traces := rec.Traces()
	require.Len(t, traces, 4)
	require.Equal(t, []int{0, 1, 1, 0}, []int{traces[0].Parent, traces[1].Parent, traces[2].Parent, traces[3].Parent})
	for _, trace := range traces {
		require.Regexp(t, `^function/seeds_test.go:\d+$`, trace.Site.String())
	}
	require.Equal(t, "first trace", traces[0].Cause.String())
	require.Equal(t, "first trace", traces[1].Cause.String())
	require.Regexp(t, `^second trace of a first call, because state was made: `+
		`variable "embedding/table" was made at function/seeds_test.go:\d+, `+
		`variable "dense/kernel" was made at function/seeds_test.go:\d+, `+
		`variable "dense/bias" was made at function/seeds_test.go:\d+$`, traces[2].Cause.String())
	require.Equal(t, "new signature: x: symbolic -> concrete (nearest: trace 2, of the same wrapper)", traces[3].Cause.String())
}

// fakeTB records what a check reports.
type fakeTB struct {
	testing.TB
	messages []string
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Errorf(format string, args ...any) {
	f.messages = append(f.messages, fmt.Sprintf(format, args...))
}

func TestExpectTracesOnS1(t *testing.T) {
	call := func(tb testing.TB, want tracecheck.Counts) {
		rec := harness.NewRecorder()
		r := newRuntime(t, rec, io.Discard)
		m := newModel(r, func(*function.Ctx, string) {})
		tracecheck.ExpectTraces(tb, rec, want, func() {
			m.Fun.Call(r.Host(), function.From([]int64{1, 2, 3}))
			m.Inference.Call(r.Host(), function.From([]int64{4, 5, 6}))
		})
	}
	call(t, tracecheck.Counts{"(*Model).fun": 1, "(*Model).inference": 2})

	failing := &fakeTB{TB: t}
	call(failing, tracecheck.Counts{"(*Model).fun": 1, "(*Model).inference": 1})
	require.Len(t, failing.messages, 1)
	require.Contains(t, failing.messages[0], `second trace of a first call, because state was made: variable "embedding/table" was made at function/seeds_test.go:`)
}
