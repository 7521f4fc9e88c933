package tracelog_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// Whatever a line holds, it is short enough and can be read again.
func TestLinesAreBounded(t *testing.T) {
	long := strings.Repeat("\x01\xff\n世", 1<<14)
	var deep, wide []tracelog.Arg
	for i := range 5_000 {
		deep = []tracelog.Arg{{Name: "[0]", Kind: tracelog.Structure, Elems: deep}}
		wide = append(wide, tracelog.Arg{Name: fmt.Sprint(i), Kind: tracelog.Tensor, Dims: []int{i}})
	}
	site := &tracelog.Site{Function: long, File: long}
	for name, change := range map[string]func(*tracelog.Trace){
		"function": func(t *tracelog.Trace) { t.Function = tracelog.Function{Package: long, Name: long} },
		"wrapper": func(t *tracelog.Trace) {
			t.Wrapper = &tracelog.Wrapper{Description: long, DynamicAxes: long, Site: site}
		},
		"site":        func(t *tracelog.Trace) { t.Site = site },
		"argument":    func(t *tracelog.Trace) { t.Args = []tracelog.Arg{{Name: long, Type: long, Value: long, Key: long}} },
		"dimensions":  func(t *tracelog.Trace) { t.Args = []tracelog.Arg{{Dims: make([]int, 1<<17)}} },
		"deep":        func(t *tracelog.Trace) { t.Args = deep },
		"wide":        func(t *tracelog.Trace) { t.Args = wide },
		"cause":       func(t *tracelog.Trace) { t.Cause.Text, t.Cause.Detail = long, long },
		"differences": func(t *tracelog.Trace) { t.Cause.Differences = make([]tracelog.Difference, 1<<13) },
		"difference": func(t *tracelog.Trace) {
			t.Cause.Differences = []tracelog.Difference{{Arg: long, From: long, To: long}}
		},
		"outcome": func(t *tracelog.Trace) { t.Outcome.Text = long },
	} {
		line := trace(1)
		change(line.Trace)
		text, err := line.Encode()
		require.NoError(t, err, name)
		require.LessOrEqual(t, len(text), tracelog.MaxLine, name)
		require.Equal(t, 1, bytes.Count(text, []byte("\n")), name)
		got, broken, err := readAll(bytes.NewReader(text))
		require.NoError(t, err, name)
		require.Empty(t, broken, name)
		require.Len(t, got, 1, name)
	}
}

// What a line leaves out still tells signatures apart.
func TestCutSignaturesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for i := range 3 {
		for _, arg := range []tracelog.Arg{
			{Kind: tracelog.Literal, Value: strings.Repeat("a", 1<<17) + fmt.Sprint(i) + strings.Repeat("a", 1<<17)},
			{Kind: tracelog.Structure, Elems: append(make([]tracelog.Arg, 10_000), tracelog.Arg{Value: fmt.Sprint(i)})},
			{Kind: tracelog.Tensor, Dims: append(make([]int, 100_000), i)},
		} {
			line := trace(1)
			line.Trace.Args = []tracelog.Arg{arg}
			text, err := line.Encode()
			require.NoError(t, err)
			seen[string(text)] = true
		}
	}
	require.Len(t, seen, 9)
}
