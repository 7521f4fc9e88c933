package function_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// newRuntime returns a runtime whose prints go to out and whose traces go to rec.
func newRuntime(t testing.TB, rec *harness.Recorder, out io.Writer, options ...function.RuntimeOption) *function.Runtime {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	t.Cleanup(backend.Finalize)
	options = append([]function.RuntimeOption{function.WithOutput(out), function.WithRecorder(rec)}, options...)
	return function.NewRuntime(backend, options...)
}

type body = func(*function.Ctx, function.Tensor) function.Tensor

// Model is the model of seeds S1 and S2.
type Model struct {
	Fun, Inference *function.Func[body]

	embedding *function.Embedding
	dense     *function.Dense
	print     func(c *function.Ctx, text string)
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
