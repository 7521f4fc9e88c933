package report

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// requireTimeline writes a timeline and decodes it.
func requireTimeline(t *testing.T, r *Report) []timelineEvent {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, r.WritePerfetto(&text))
	var timeline struct {
		TraceEvents []timelineEvent
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &timeline))
	return timeline.TraceEvents
}

func TestTimeline(t *testing.T) {
	events := requireTimeline(t, load(t, model(t)))
	require.Empty(t, cmp.Diff(timelineEvent{
		Name: "process_name", Phase: "M", Process: 1, Args: map[string]string{"name": "example.com/m.test (7)"},
	}, events[0]))
	require.Empty(t, cmp.Diff(timelineEvent{
		Name: "fun", Category: "new signature", Phase: "X", Time: 70000, Duration: new(30000.0), Process: 1, Thread: 1,
		Args: map[string]string{
			"trace": "6 of recorder 1", "signature": "x float32[5]", "cause": "new signature: x: axis 0: 3 -> 5 (nearest: trace 1)",
			"called at": "m/train.go:12", "wrapper": "*graph.Exec of m/model.go:5", "outcome": "panicked: no such layer",
		},
	}, events[6]))
	require.Equal(t, printable(hostile), events[7].Name)
}

// The format shows what lies inside of another event of a thread below it, and
// has no form for what overlaps.
func TestTracesOfAThreadNest(t *testing.T) {
	other := first(1, "g", 3, 5, 10)
	other.Recorder = 2
	events := requireTimeline(t, load(t, encode(t, aProcess("m.test", 0),
		first(1, "f", 3, 0, 10),
		within(1, first(2, "g", 3, 2, 3)),
		first(3, "f", 3, 4, 10), // on another goroutine
		first(4, "f", 3, 10, 10),
		other,
	)))
	threads, names := map[string]int{}, map[int]string{}
	for _, e := range events {
		if e.Name == "thread_name" {
			names[e.Thread] = e.Args["name"]
		}
		if e.Phase == "X" {
			threads[e.Args["trace"]] = e.Thread
		}
	}
	require.Equal(t, map[string]int{
		"1 of recorder 1": 1, "2 of recorder 1": 1, "3 of recorder 1": 2, "4 of recorder 1": 1, "1 of recorder 2": 3,
	}, threads)
	require.Equal(t, map[int]string{1: "recorder 1", 2: "recorder 1", 3: "recorder 2"}, names)
}

func TestTimelineOfFakeClocks(t *testing.T) {
	fake := first(2, "g", 3, 0, 1)
	west := time.FixedZone("", -5*60*60)                              // where it is 1999
	fake.Start = time.Date(2000, 1, 1, 0, 0, 3, 0, time.UTC).In(west) // three seconds into a bubble of testing/synctest
	events := requireTimeline(t, load(t, encode(t, aProcess("m.test", 0), first(1, "f", 3, 5, 1), fake)))
	require.Equal(t, []float64{3e6, 0}, []float64{events[1].Time, events[2].Time})
}

func TestSignatureMarksWhatDiffers(t *testing.T) {
	difference := func(arg, kind string, axis int) tracelog.Difference {
		return tracelog.Difference{Arg: arg, Kind: kind, Axis: axis}
	}
	tests := []struct {
		name        string
		args        []tracelog.Arg
		differences []tracelog.Difference
		want        string // marked parts in parentheses
	}{
		{"unknown", nil, nil, "unknown arguments"},
		{"none", []tracelog.Arg{}, nil, "no arguments"},
		{"axis", []tracelog.Arg{{Name: "x", Kind: "tensor", Type: "float32", Dims: []int{3, -1, 5}}},
			[]tracelog.Difference{difference("x", "axis", 1)}, "x float32[3,(?),5]"},
		{"rank", []tracelog.Arg{{Kind: "tensor", Type: "float32", Dims: []int{3, 4}}},
			[]tracelog.Difference{difference("arg 0", "rank", 0)}, "float32([3,4])"},
		{"dtype", []tracelog.Arg{{Kind: "tensor", Type: "float32", Dims: []int{3}, Value: "@gpu"}},
			[]tracelog.Difference{difference("arg 0", "dtype", 0), difference("arg 0", "value", 0)}, "(float32)[3] (@gpu)"},
		{"position", []tracelog.Arg{{Kind: "context", Name: "graph", Value: "train"}, {Kind: "literal", Type: "int", Value: "4"}},
			[]tracelog.Difference{difference("arg 0", "value", 0)}, "graph train, (4)"},
		{"object", []tracelog.Arg{{Name: "spec", Kind: "object", Type: "*T", Value: "#2"}},
			[]tracelog.Difference{difference("spec", "value", 0)}, "spec *T (#2)"},
		{"type", []tracelog.Arg{{Kind: "literal", Type: "int", Value: "4"}, {Kind: "object", Type: "*T", Value: "#2"}, {Kind: "opaque", Type: "U"}},
			[]tracelog.Difference{difference("arg 0", "type", 0), difference("arg 1", "type", 0), difference("arg 2", "type", 0)}, "(4), (*T) #2, (U)"},
		{"kind", []tracelog.Arg{{Kind: "tensor", Type: "float32", Dims: []int{3}, Value: "@gpu"}, {Kind: "object", Type: "*T", Value: "#2"}},
			[]tracelog.Difference{difference("arg 0", "kind", 0), difference("arg 1", "kind", 0)}, "(float32[3]) (@gpu), (*T) (#2)"},
		{"element", []tracelog.Arg{{Name: "batch", Kind: "structure", Elems: []tracelog.Arg{
			{Name: ".Inputs", Kind: "structure", Elems: []tracelog.Arg{{Kind: "literal", Value: "1"}, {Kind: "literal", Value: "2"}}},
		}}}, []tracelog.Difference{difference("batch.Inputs[1]", "value", 0)}, "batch {.Inputs {1, (2)}}"},
		{"structure", []tracelog.Arg{{Name: "xs", Kind: "structure", Elems: []tracelog.Arg{{Kind: "literal", Value: "1"}, {Kind: "opaque", Type: "T"}}}},
			[]tracelog.Difference{difference("xs", "structure", 0)}, "xs ({)1(, )T(})"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			trace := &tracelog.Trace{Args: test.args, Cause: tracelog.Cause{Differences: test.differences}}
			got := ""
			for _, p := range signatureOf(trace) {
				if p.differs {
					p.text = "(" + p.text + ")"
				}
				got += p.text
			}
			require.Equal(t, test.want, got)
		})
	}
}
