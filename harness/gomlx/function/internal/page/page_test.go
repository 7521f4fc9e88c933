// Package page_test holds the code that docs/function.md shows.
package page_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
	"github.com/tracelint/tracelint/tracecheck"
)

type body = func(*function.Ctx, function.Tensor) function.Tensor

type Model struct {
	Fun, Inference *function.Func[body]
	embedding      *function.Embedding
	dense          *function.Dense
}

func NewModel(r *function.Runtime) *Model {
	m := &Model{embedding: function.NewEmbedding(10, 15), dense: function.NewDense(10)}
	m.Inference = function.New(r, m.inference) // one function per instance
	m.Fun = function.New(r, m.fun)
	return m
}

func (m *Model) inference(c *function.Ctx, x function.Tensor) function.Tensor {
	fmt.Println("call function: inference")
	return m.dense.Call(c, m.embedding.Call(c, x))
}

func (m *Model) fun(c *function.Ctx, x function.Tensor) function.Tensor {
	fmt.Println("call function: fun")
	return m.Inference.Call(c, x)
}

func newBackend() compute.Backend {
	backend, err := gobackend.New("")
	if err != nil {
		panic(err)
	}
	return backend
}

func Example() {
	r := function.NewRuntime(newBackend(), function.WithLegacyKeys())
	m := NewModel(r)
	m.Fun.Call(r.Host(), function.From([]int64{1, 2, 3}))
	fmt.Println("====================")
	m.Inference.Call(r.Host(), function.From([]int64{1, 2, 3}))
	// Output:
	// call function: fun
	// call function: inference
	// call function: inference
	// ====================
	// call function: inference
}

func TestCounts(t *testing.T) {
	rec := tracecheck.Record(t)
	r := function.NewRuntime(newBackend(), function.WithRecorder(rec))
	m := NewModel(r)
	m.embedding.Build(r.Host())
	m.dense.Build(r.Host(), 15)
	tracecheck.ExpectTraces(t, rec, tracecheck.Counts{"(*Model).fun": 1, "(*Model).inference": 1}, func() {
		m.Fun.Call(r.Host(), function.From([]int64{1, 2, 3}))
	})
}

type Custom struct{ dense *function.Dense }

func NewCustom() *Custom { return &Custom{dense: function.NewDense(32)} }

func (l *Custom) Call(c *function.Ctx, inputs function.Tensor) function.Tensor {
	fmt.Println()
	fmt.Println("Currently running eagerly", time.Now().Format(time.TimeOnly))
	return l.dense.Call(c, inputs)
}

func TestLayer(t *testing.T) {
	r := function.NewRuntime(newBackend(), function.WithOutput(io.Discard))
	x := function.Uniform(function.SpecOf(dtypes.Float32, 60, 28, 28), 1, 7)(r.Host())
	layer := NewCustom()
	f := function.New(r, layer.Call)
	f.Call(r.Host(), x) // float32[60, 28, 28]
	require.Equal(t, 2, f.TraceCount())
}

func TestLog(t *testing.T) {
	backend := newBackend()
	logger := slog.New(function.NewTextHandler(os.Stderr, slog.LevelDebug))
	r := function.NewRuntime(backend, function.WithLogger(logger))
	f := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor { return c.Mul(x, x) })
	require.Equal(t, "9", f.Call(r.Host(), function.From(int64(3))).String())
}
