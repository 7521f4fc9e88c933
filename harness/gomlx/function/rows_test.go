package function_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// goBackend is shared, because a tensor belongs to the backend that used it first.
var goBackend = sync.OnceValues(func() (compute.Backend, error) { return gobackend.New("") })

// newRuntime returns a runtime whose prints go to out and whose traces go to rec.
func newRuntime(t testing.TB, rec *harness.Recorder, out io.Writer, options ...function.RuntimeOption) *function.Runtime {
	t.Helper()
	backend, err := goBackend()
	require.NoError(t, err)
	options = append([]function.RuntimeOption{
		function.WithOutput(out), function.WithRecorder(rec), function.WithLogger(slog.New(slog.DiscardHandler)),
	}, options...)
	return function.NewRuntime(backend, options...)
}

// A row is a scenario of TensorFlow's whose trace counts are known. The ids are
// those of the survey of TensorFlow's tests that docs/function.md names.
type row struct {
	id string
	// adapted says what differs from the scenario in TensorFlow, and why.
	adapted string
	run     func(s *scenario)
}

// A scenario is what a row runs in.
type scenario struct {
	*testing.T
	r   *function.Runtime
	rec *harness.Recorder
	// log has the runtime's warnings, out its prints and those of the bodies.
	log, out *strings.Builder
}

func runRows(t *testing.T, rows []row) {
	for _, row := range rows {
		t.Run(row.id, func(t *testing.T) { row.run(newScenario(t)) })
	}
}

func newScenario(t *testing.T, options ...function.RuntimeOption) *scenario {
	s := &scenario{T: t, rec: harness.NewRecorder(), log: &strings.Builder{}, out: &strings.Builder{}}
	logger := slog.New(function.NewTextHandler(s.log, slog.LevelWarn))
	s.r = newRuntime(t, s.rec, s.out, append([]function.RuntimeOption{function.WithLogger(logger)}, options...)...)
	return s
}

// A counted is a function whose traces are counted.
type counted interface{ TraceCount() int }

// counts makes the calls and requires that the function keeps the number of
// traces that want gives after each.
func (s *scenario) counts(f counted, want []int, calls ...func()) {
	s.Helper()
	var got []int
	for _, call := range calls {
		call()
		got = append(got, f.TraceCount())
	}
	require.Equal(s, want, got)
}

// causes requires the causes of all traces of the scenario, in order. That the
// nearest trace belongs to the same function goes without saying.
func (s *scenario) causes(want ...string) {
	s.Helper()
	require.Empty(s, cmp.Diff(want, causes(s.rec.Traces())))
}

func causes(traces []harness.Trace) []string {
	var causes []string
	for _, trace := range traces {
		causes = append(causes, strings.ReplaceAll(trace.Cause.String(), ", of the same wrapper", ""))
	}
	return causes
}

// bodies returns how often the body of a function ran.
func (s *scenario) bodies(name string) int {
	n := 0
	for _, trace := range s.rec.Traces() {
		if trace.Function.Name == name {
			n++
		}
	}
	return n
}

// failing returns a call that must fail with the kind of error.
func (s *scenario) failing(kind error, call func()) func() {
	return func() {
		s.Helper()
		require.ErrorIs(s, function.Try(call), kind)
	}
}

// with returns a call of a function of one parameter in host code.
func with[A any](s *scenario, f *function.Func[func(*function.Ctx, A) function.Tensor], arg A) func() {
	return func() { f.Call(s.r.Host(), arg) }
}

// with2 returns a call of a function of two parameters in host code.
func with2[A, B any](s *scenario, f *function.Func[func(*function.Ctx, A, B) function.Tensor], a A, b B) func() {
	return func() { f.Call(s.r.Host(), a, b) }
}

// concrete returns a call that asks a function for a trace.
func concrete(s *scenario, f interface {
	Concrete(...any) (*function.Concrete, error)
}, args ...any) func() {
	return func() {
		_, err := f.Concrete(args...)
		require.NoError(s, err)
	}
}

// zeros returns a tensor of zeros.
func zeros(dtype dtypes.DType, dims ...int) function.Tensor {
	return function.FromTensor(tensors.FromShape(shapes.Make(dtype, dims...)))
}

func f32(dims ...int) function.Tensor { return zeros(dtypes.Float32, dims...) }

// double returns x + x, or for truth values x or x.
func double(c *function.Ctx, x function.Tensor) function.Tensor {
	return c.Op("double", func(_ *graph.Graph, n []*graph.Node) *graph.Node {
		if n[0].DType() == dtypes.Bool {
			return graph.LogicalOr(n[0], n[0])
		}
		return graph.Add(n[0], n[0])
	}, x)
}

func identity(_ *function.Ctx, x function.Tensor) function.Tensor { return x }

// constant returns a tensor whatever its argument is.
func constant[A any](c *function.Ctx, _ A) function.Tensor { return function.From(float32(0)) }

func printf(out io.Writer, format string, args ...any) { fmt.Fprintf(out, format, args...) }

// The rows that reproduce TensorFlow's count as it stands, those with a reason
// to differ, and those without a meaning here, which docs/function.md explains.
const (
	asItStands = "03 07 09 10 12 13 14 17 18 22 26 28 29 32 39 40 41 43 45 47 51 53 60 61 66 68 69 71 79 82 83 85 86 87 88 89 91 93 94 96 99 101"
	adapted    = "01 02 04 05 15 16 21 23 24 25 27 30 31 35 50 52 55 62 78 80 84 90 97 102"
)

func TestRowsAreComplete(t *testing.T) {
	var plain, changed []string
	for _, row := range allRows() {
		id := strings.TrimPrefix(row.id, "TF-")
		if row.adapted == "" {
			plain = append(plain, id)
		} else {
			changed = append(changed, id)
		}
	}
	slices.Sort(plain)
	slices.Sort(changed)
	require.Equal(t, sortedWords(asItStands), plain)
	require.Equal(t, sortedWords(adapted), changed)
}

func allRows() []row {
	return slices.Concat(rowsA1(), rowsA2(), rowsA3(), rowsA4(), rowsA5(), rowsA6(), rowsA7(), rowsA8(), rowsA9())
}

func sortedWords(text string) []string {
	words := strings.Fields(text)
	slices.Sort(words)
	return words
}

// The page for people lists the rows as the tests have them.
func TestDocumentationListsTheRows(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "function.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), "\n"+asItStands+"\n")
	for _, row := range allRows() {
		if row.adapted != "" {
			require.Contains(t, string(page), "| "+row.id+" | "+row.adapted+" |\n")
		}
	}
}
