package report

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

const ms = time.Millisecond

// after returns a trace that took a time, as a line of a log.
func after(id, parent int, name string, retrace bool, took int) *tracelog.Trace {
	t := first(id, name, 3, id, took)
	if retrace {
		t = rewrapped(id, name, 3, id, took)
	}
	return within(parent, t)
}

func untimed(t *tracelog.Trace) *tracelog.Trace {
	t.Duration, t.Untimed = 0, true
	return t
}

// figures are the times of a report: in all, by function and by cause.
type figures struct {
	headline  string
	functions []string // name: lost, own, with nested
	causes    []string // function, retraces, lost, line to change
}

func figuresOf(r *Report) figures {
	result := figures{headline: r.headline()}
	for _, f := range r.functions {
		nested := f.all
		nested.time = f.withNested
		result.functions = append(result.functions, fmt.Sprintf("%s: %s, %s, %s", f.name, f.lost, f.all, nested))
	}
	for _, c := range r.topCauses() {
		result.causes = append(result.causes, fmt.Sprintf("%s: %d, %s, %s", c.function.name, c.lost.traces, c.lost, c.place))
	}
	return result
}

func TestEachMomentCountsOnce(t *testing.T) {
	tests := []struct {
		name   string
		traces []*tracelog.Trace // inner ones first, as logs have them
		want   figures
	}{
		{"a retrace inside of a retrace of the same function",
			[]*tracelog.Trace{after(1, 0, "f", false, 7), after(3, 2, "f", true, 4), after(2, 0, "f", true, 9)},
			figures{"3 traces of 1 function in 1 process; 2 retraces cost 9ms of 16ms spent tracing",
				[]string{"f: 9ms, 16ms, 16ms"}, []string{"f: 2, 9ms, m/serve.go:40"}}},
		{"a retrace inside of a retrace of another",
			[]*tracelog.Trace{after(1, 0, "g", false, 1), after(3, 2, "g", true, 4), after(2, 0, "f", true, 9)},
			figures{"3 traces of 2 functions in 1 process; 2 retraces cost 9ms of 10ms spent tracing",
				[]string{"g: 4ms, 5ms, 5ms", "f: 5ms, 5ms, 9ms"}, []string{"f: 1, 5ms, m/serve.go:40", "g: 1, 4ms, m/serve.go:40"}}},
		{"a first trace inside of a retrace is part of what the retrace costs",
			[]*tracelog.Trace{after(2, 1, "g", false, 4), after(1, 0, "f", true, 9)},
			figures{"2 traces of 2 functions in 1 process; 1 retrace cost 9ms of 9ms spent tracing",
				[]string{"f: 9ms, 5ms, 9ms", "g: -, 4ms, 4ms"}, []string{"f: 1, 9ms, m/serve.go:40"}}},
		{"a retrace inside of a first trace",
			[]*tracelog.Trace{after(3, 2, "g", true, 2), after(2, 1, "h", false, 3), after(1, 0, "f", false, 9)},
			figures{"3 traces of 3 functions in 1 process; 1 retrace cost 2ms of 9ms spent tracing",
				[]string{"g: 2ms, 2ms, 2ms", "f: -, 6ms, 9ms", "h: -, 1ms, 3ms"}, []string{"g: 1, 2ms, m/serve.go:40"}}},
		{"a function that its own trace holds through another",
			[]*tracelog.Trace{after(3, 2, "f", false, 2), after(2, 1, "g", false, 3), after(1, 0, "f", false, 9)},
			figures{"3 traces of 2 functions in 1 process; no retraces",
				[]string{"f: -, 8ms, 9ms", "g: -, 1ms, 3ms"}, nil}},
		{"an outer trace that never ended",
			[]*tracelog.Trace{after(3, 2, "f", true, 2), after(2, 1, "f", true, 3)},
			figures{"2 traces of 1 function in 1 process; 2 retraces cost 3ms of 3ms spent tracing",
				[]string{"f: 3ms, 3ms, 3ms"}, []string{"f: 2, 3ms, m/serve.go:40"}}},
		{"an inner trace that stands behind the outer one",
			[]*tracelog.Trace{after(1, 0, "f", false, 9), after(2, 1, "g", false, 4)},
			figures{"2 traces of 2 functions in 1 process; no retraces",
				[]string{"f: -, 5ms, 9ms", "g: -, 4ms, 4ms"}, nil}},
		{"nothing is timed",
			[]*tracelog.Trace{untimed(after(1, 0, "f", false, 0)), untimed(after(2, 0, "f", true, 0))},
			figures{"2 traces of 1 function in 1 process; 1 retrace, seen too late to be timed",
				[]string{"f: -, -, -"}, []string{"f: 1, -, m/serve.go:40"}}},
		{"some are timed",
			[]*tracelog.Trace{after(1, 0, "f", false, 5), after(2, 0, "f", true, 7), untimed(after(3, 0, "f", true, 0))},
			figures{"3 traces of 1 function in 1 process; 2 retraces cost 7ms of 12ms spent tracing, those aside that were seen too late to be timed (1)",
				[]string{"f: ≥ 7ms, ≥ 12ms, ≥ 12ms"}, []string{"f: 2, ≥ 7ms, m/serve.go:40"}}},
		{"what takes no time is timed",
			[]*tracelog.Trace{after(1, 0, "f", true, 0)},
			figures{"1 trace of 1 function in 1 process; 1 retrace cost 0s of 0s spent tracing",
				[]string{"f: 0s, 0s, 0s"}, []string{"f: 1, 0s, m/serve.go:40"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := figuresOf(load(t, encode(t, aProcess("m.test", 0), test.traces...)))
			require.Empty(t, cmp.Diff(test.want, got, cmp.AllowUnexported(figures{})))
		})
	}
}

func TestNestedRetracesOfOneSignature(t *testing.T) {
	log, err := os.ReadFile("testdata/nested.jsonl")
	require.NoError(t, err)
	r := load(t, string(log))
	require.Equal(t, "4 traces of 1 function in 1 process; 3 retraces cost 10ms of 11ms spent tracing", r.headline())
	require.Equal(t, cost{traces: 3, time: 10 * ms}, r.functions[0].causes[0].lost)
	page := data(t, html(t, r))
	require.Equal(t, pageCost{Time: 10e6}, page[0].Lost)
	require.Equal(t, []pageCost{{Time: 1e6}, {Time: 10e6}}, []pageCost{page[0].Groups[0].Own, page[0].Groups[1].Own})
}

func TestRetracesAtTwoLinesAreTwoRows(t *testing.T) {
	traces := []*tracelog.Trace{first(1, "square", 1, 0, 1)}
	for i := range 8 {
		trace := again(i+2, "square", 1, i+2, i, 1)
		trace.Site = site("/src/m/train.go", 20)
		if i >= 3 {
			trace.Site = site("/src/m/train.go", 23)
		}
		traces = append(traces, trace)
	}
	r := load(t, encode(t, aProcess("m.test", 0), traces...))
	require.Equal(t, []string{"square: 5, 5ms, m/train.go:23", "square: 3, 3ms, m/train.go:20"}, figuresOf(r).causes)
	require.Contains(t, summary(t, r), "m/train.go:23   5 of 8: new signature: x: axis 0\n")
	causes := data(t, html(t, r))[0].Causes
	require.Equal(t, []int{5, 3}, []int{causes[0].Retraces, causes[1].Retraces})
}

func TestTopCausesInOrder(t *testing.T) {
	traces := []*tracelog.Trace{
		again(1, "cheap", 1, 2, 0, 1), again(2, "cheap", 1, 2, 0, 1),
		again(3, "dear", 1, 2, 0, 9),
		again(4, "b", 1, 2, 0, 2),
		again(5, "a", 1, 2, 0, 2),
		rewrapped(6, "a", 1, 0, 2),
	}
	r := load(t, encode(t, aProcess("m.test", 0), traces...))
	var got []string
	for _, c := range r.topCauses() {
		got = append(got, c.function.name+": "+c.text)
	}
	require.Equal(t, []string{
		"dear: new signature: x: axis 0",
		"cheap: new signature: x: axis 0", // as costly as the next ones, more often
		"a: new signature: x: axis 0",
		"a: same signature, of another wrapper",
		"b: new signature: x: axis 0",
	}, got)
	require.Equal(t, []string{"a", "cheap", "dear", "b"}, namesOf(r), "most traces, then most lost, then by name")
}

func namesOf(r *Report) []string {
	var names []string
	for _, f := range r.functions {
		names = append(names, f.name)
	}
	return names
}

func TestNamelessFunctionsOfTwoRecordersAreTwo(t *testing.T) {
	nameless := func(id, recorder, wrapper int) *tracelog.Trace {
		trace := first(id, "", 3, 0, 1)
		trace.Function = tracelog.Function{Name: fmt.Sprintf("*model.Exec %d", wrapper), Nameless: true}
		trace.Recorder = recorder
		trace.Wrapper = &tracelog.Wrapper{ID: wrapper, Description: "*model.Exec"}
		return trace
	}
	r := load(t,
		encode(t, aProcess("m.test", 0), nameless(1, 1, 1), nameless(2, 1, 1), nameless(3, 1, 2), nameless(1, 2, 1)),
		encode(t, aProcess("n.test", 0), nameless(1, 1, 1)))
	require.Equal(t, []string{
		"*model.Exec 1 of recorder 1 of m.test (7)", "*model.Exec 1 of recorder 1 of n.test (7)",
		"*model.Exec 1 of recorder 2 of m.test (7)", "*model.Exec 2",
	}, namesOf(r))
}

// What a log does not know is left out everywhere.
func TestUnknownDurationsAndPlacesAreLeftOut(t *testing.T) {
	trace := untimed(again(2, "f", 3, 4, 1, 0))
	trace.Wrapper.Site, trace.Site = nil, nil
	other := untimed(rewrapped(3, "f", 3, 2, 0))
	other.Wrapper.Site = nil
	r := load(t, encode(t, aProcess("m.test", 0), untimed(first(1, "f", 3, 0, 0)), trace, other))

	require.Contains(t, summary(t, r), "     3         2          -  f         -               1 of 2: new signature: x: axis 0\n")
	require.NotContains(t, summary(t, r), "0s")
	require.NotContains(t, summary(t, r), "train.go", "the call is not the line where another wrapper is built")

	function := data(t, html(t, r))[0]
	require.Equal(t, []pageCost{{Unknown: true}, {Unknown: true}, {Unknown: true}}, []pageCost{function.Own, function.Nested, function.Lost})
	require.Empty(t, function.Groups[1].Sites)
	require.Equal(t, []pageItem{{"*graph.Exec", 1}}, function.Groups[1].Wrappers)

	event := requireTimeline(t, r)[2]
	require.Equal(t, "i", event.Phase)
	require.Nil(t, event.Duration)
	require.Equal(t, "*graph.Exec", event.Args["wrapper"])
	require.NotContains(t, event.Args, "called at")
}

func TestValuesThatReadAlikeAreTwoSignatures(t *testing.T) {
	keyed := func(id int, key string) *tracelog.Trace {
		trace := first(id, "f", 3, id, 1)
		trace.Args = append(trace.Args, tracelog.Arg{Name: "scale", Kind: tracelog.Literal, Type: "m.Scale", Value: "2", Key: key})
		return trace
	}
	r := load(t, encode(t, aProcess("m.test", 0), keyed(1, "a"), keyed(2, "b"), keyed(3, "a"), first(4, "f", 3, 4, 1)))
	groups := data(t, html(t, r))[0].Groups
	require.Len(t, groups, 3)
	require.Equal(t, []int{2, 1, 1}, []int{groups[0].Traces, groups[1].Traces, groups[2].Traces})
	require.Equal(t, groups[0].Signature, groups[1].Signature)
	require.NotEqual(t, groups[0].Alike, groups[1].Alike)
	require.Empty(t, groups[2].Alike)
}

// randomTraces returns traces in any order, with what a reader who
// holds them all makes of them: own times and those lost, by function.
func randomTraces(random *rand.Rand) (traces []*tracelog.Trace, own, lost map[string]time.Duration, all, again time.Duration) {
	own, lost = map[string]time.Duration{}, map[string]time.Duration{}
	id := 0
	var run func(parent, depth int) (took, within time.Duration)
	run = func(parent, depth int) (took, within time.Duration) {
		id++
		t := after(id, parent, string(rune('a'+random.IntN(4))), random.IntN(2) == 0, 0)
		var inner time.Duration
		for range random.IntN(4 - depth) {
			innerTook, innerLost := run(t.ID, depth+1)
			inner += innerTook
			within += innerLost
		}
		itself := time.Duration(random.IntN(1000))
		t.Duration = inner + itself
		own[t.Function.Name] += itself
		if t.Retrace {
			lost[t.Function.Name] += t.Duration - within
			within = t.Duration
		}
		traces = append(traces, t)
		return t.Duration, within
	}
	for range 1 + random.IntN(5) {
		took, within := run(0, 0)
		all += took
		again += within
	}
	return traces, own, lost, all, again
}

func TestTablesAddUp(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		traces, own, lost, all, again := randomTraces(random)
		random.Shuffle(len(traces), func(i, j int) { traces[i], traces[j] = traces[j], traces[i] })
		r := load(t, encode(t, aProcess("m.test", 0), traces...))
		require.Equal(t, []time.Duration{all, again}, []time.Duration{r.all.time, r.lost.time})
		var causes time.Duration
		for _, f := range r.functions {
			require.Equal(t, []time.Duration{own[f.Name], lost[f.Name]}, []time.Duration{f.all.time, f.lost.time}, "seed %d, %s", seed, f.Name)
			groups := cost{}
			for _, g := range f.groups {
				groups.time += g.all.time
				groups.traces += g.all.traces
			}
			require.Equal(t, f.all, groups)
			for _, c := range f.causes {
				causes += c.lost.time
			}
		}
		require.Equal(t, again, causes)
	}
}
