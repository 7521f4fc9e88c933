package harness_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/internal/tracelog"
)

// Whatever is passed, causes and log lines are short, and lines can be read.
func TestCausesAndLogLinesAreBounded(t *testing.T) {
	long := strings.Repeat("x\n\x00", 30_000)
	wide := func(n int) (args []harness.Arg) {
		for i := range 20_000 {
			args = append(args, harness.Arg{Kind: harness.Tensor, Type: "float32", Dims: []int{i, n}})
		}
		return args
	}
	deep := func(n int) (args []harness.Arg) {
		args = []harness.Arg{{Kind: harness.Tensor, Dims: []int{n}}}
		for range 5000 {
			args = []harness.Arg{{Name: "[0]", Kind: harness.Structure, Elems: args}}
		}
		return args
	}
	texts := func(n int) string { return long + fmt.Sprint(n) + long }
	for name, info := range map[string]func(n int) harness.Info{
		"values": func(n int) harness.Info { return harness.Info{Args: harness.SignatureOf(texts(n), []byte(texts(n)))} },
		"value": func(n int) harness.Info {
			return harness.Info{Args: harness.Signature{{Kind: harness.Literal, Value: texts(n)}}}
		},
		"key":  func(n int) harness.Info { return harness.Info{Args: harness.Signature{{Key: texts(n)}}} },
		"type": func(n int) harness.Info { return harness.Info{Args: harness.Signature{{Type: texts(n)}}} },
		"name": func(n int) harness.Info { return harness.Info{Args: harness.Signature{{Name: long, Dims: []int{n}}}} },
		"dimensions": func(n int) harness.Info {
			return harness.Info{Args: harness.Signature{{Dims: append(make([]int, 1<<17), n)}}}
		},
		"arguments": func(n int) harness.Info { return harness.Info{Args: wide(n)} },
		"elements": func(n int) harness.Info {
			return harness.Info{Args: harness.Signature{{Kind: harness.Structure, Elems: wide(n)}}}
		},
		"deep":   func(n int) harness.Info { return harness.Info{Args: deep(n)} },
		"detail": func(n int) harness.Info { return harness.Info{Cause: &harness.Cause{Detail: long}} },
		"cause": func(n int) harness.Info {
			return harness.Info{Cause: &harness.Cause{Kind: harness.CauseNewSignature, Earlier: -1, Differences: make([]harness.Difference, 20_000)}}
		},
		"difference": func(n int) harness.Info {
			return harness.Info{Cause: &harness.Cause{Kind: harness.CauseNewSignature, Differences: []harness.Difference{{Arg: long, From: long, To: long}}}}
		},
		"function": func(n int) harness.Info { return harness.Info{Function: harness.Function{Package: long, Name: long}} },
		"wrapper": func(n int) harness.Info {
			return harness.Info{Wrapper: harness.Wrapper{ID: 1, Description: long, DynamicAxes: long}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			rec := harness.NewRecorder()
			rec.LogTo(harness.NewLog(&text))
			for n := range 2 {
				rec.Start(info(n)).End(harness.Panicked(errors.New(long)))
			}
			for line := range bytes.Lines(text.Bytes()) {
				require.LessOrEqual(t, len(line), tracelog.MaxLine)
			}
			_, traces := readLog(t, &text)
			require.Len(t, traces, 2)
			for _, trace := range rec.Traces() {
				require.LessOrEqual(t, len(trace.Cause.String()), 64<<10)
				require.LessOrEqual(t, strings.Count(trace.Cause.String(), "\n"), 200)
				require.LessOrEqual(t, len(trace.Args.String()), 64<<10)
				require.LessOrEqual(t, len(trace.Outcome.Text), 64<<10)
				require.LessOrEqual(t, strings.Count(trace.Outcome.Text, "\n"), 200)
			}
			if rec.Traces()[0].Args != nil {
				require.Equal(t, harness.CauseNewSignature, rec.Traces()[1].Cause.Kind, "what is cut off counts")
				require.NotEqual(t, traces[0].Args, traces[1].Args, "in the log, too")
			}
		})
	}
}

// failure is an error, and a text, that nobody can print.
type failure struct{}

func (failure) Error() string { panic("no text") }

type endless []endless

func TestOutcomesOfWhatCannotBePrinted(t *testing.T) {
	cycle := endless{nil}
	cycle[0] = cycle
	require.Equal(t, "harness_test.failure{}", harness.Failed(failure{}).Text)
	require.Equal(t, "harness_test.failing(1)", harness.Panicked(failing(1)).Text)
	require.Equal(t, strings.Repeat("harness_test.endless{", 9)+"…"+strings.Repeat("}", 9), harness.Panicked(cycle).Text)
	require.Equal(t, "<nil>", harness.Failed(nil).Text)
	require.Equal(t, "1s", harness.Panicked(time.Second).Text)
	require.Equal(t, "7", harness.Panicked(7).Text)
	require.Equal(t, 100, len(strings.Split(harness.Panicked(strings.Repeat("a\n", 200)).Text, "\n")))
}
