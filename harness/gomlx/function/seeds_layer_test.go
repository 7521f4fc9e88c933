package function_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// Custom is the layer of seeds S3 and S4: it makes a dense layer in its
// constructor, which is built when it is first used.
type Custom struct {
	dense *function.Dense
	out   io.Writer
	now   func() time.Time
}

func newCustom(out io.Writer, now func() time.Time) *Custom {
	return &Custom{dense: function.NewDense(32), out: out, now: now}
}

func (l *Custom) Call(c *function.Ctx, inputs function.Tensor) function.Tensor {
	fmt.Fprintln(l.out)
	fmt.Fprintln(l.out, "Currently running eagerly", l.now().Format(time.TimeOnly))
	return l.dense.Call(c, inputs)
}

// newClock returns a clock that is one second later each time it is read.
func newClock() func() time.Time {
	now := time.Date(2020, 12, 16, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

func uniform(r *function.Runtime, dims ...int) function.Tensor {
	return function.Uniform(function.SpecOf(dtypes.Float32, dims...), 1, 1)(r.Host())
}

func TestS3(t *testing.T) {
	for _, test := range []struct {
		name  string
		built bool
		want  string
	}{
		{"unbuilt", false, "\nCurrently running eagerly 12:00:01\n\nCurrently running eagerly 12:00:02\n"},
		{"built before", true, "\nCurrently running eagerly 12:00:01\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			r := newRuntime(t, harness.NewRecorder(), &out)
			layer := newCustom(&out, newClock())
			if test.built {
				layer.dense.Build(r.Host(), 28)
			}
			f := function.New(r, layer.Call)
			y := f.Call(r.Host(), uniform(r, 60, 28, 28))
			require.Equal(t, []int{60, 28, 32}, y.Spec().Dims)
			f.Call(r.Host(), uniform(r, 60, 28, 28))
			require.Empty(t, cmp.Diff(test.want, out.String()))
		})
	}
}

// TestS4 compares the conversion log with its golden, which docs/function.md
// explains.
func TestS4(t *testing.T) {
	var log strings.Builder
	logger := slog.New(function.NewTextHandler(&log, slog.LevelDebug))
	r := newRuntime(t, harness.NewRecorder(), io.Discard, function.WithLogger(logger))
	layer := newCustom(io.Discard, newClock())
	f := function.New(r, layer.Call)
	f.Call(r.Host(), uniform(r, 60, 28, 28))
	want, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "conversion-log.txt"))
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), log.String()))
	half := log.Len() / 2
	require.Equal(t, log.String()[:half], log.String()[half:], "the two traces pass through the same calls")
}
