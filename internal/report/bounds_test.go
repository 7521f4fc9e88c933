package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// collect returns the report of a log of which little is kept.
func collect(t testing.TB, kept limits, log string) *Report {
	t.Helper()
	l := loader{collector: newCollector("/src", kept), progress: func(int64) {}}
	require.NoError(t, l.log("log", strings.NewReader(log)))
	return l.result()
}

func TestWhatIsNotListedIsCountedAndSaid(t *testing.T) {
	var traces []*tracelog.Trace
	for i := range 10 {
		function := fmt.Sprint("f", i%5)
		retrace := again(2*i+2, function, i, i+1, 2*i+1, 1)
		retrace.Site = site("/src/m/train.go", i)
		traces = append(traces, first(2*i+1, function, 100+i, 2*i, i), retrace)
	}
	kept := limits{functions: 2, causes: 3, groups: 5, events: 4, items: 1, problems: 1}
	r := collect(t, kept, encode(t, aProcess("m.test", 0), traces...))

	require.Equal(t, "20 traces of more than 2 functions in 1 process; 10 retraces cost 10ms of 55ms spent tracing", r.headline())
	require.Equal(t, []string{"further functions", "f0", "f1"}, namesOf(r))
	want := []string{
		"12 traces of functions beyond the first 2 are one row",
		"1 trace with causes beyond the first 3 are one row of their function",
		"3 traces with signatures beyond the first 5 are counted, not listed",
		"16 traces are not in the timeline, which holds the 4 that took longest",
	}
	require.Equal(t, want, r.leftOut())
	require.Contains(t, summary(t, r), "\n\n"+strings.Join(want, "\n")+"\n")
	page := html(t, r)
	for _, text := range want {
		require.Contains(t, page, "<li>"+text+"</li>")
	}

	functions := data(t, page)
	traced, retraced := 0, 0
	for _, f := range functions {
		traced += f.Unlisted
		for _, g := range f.Groups {
			traced += g.Traces
		}
		for _, c := range f.Causes {
			retraced += c.Retraces
		}
	}
	require.Equal(t, []int{20, 10}, []int{traced, retraced})
	require.Equal(t, []pageCause{{"further causes", 6, pageCost{Time: 6e6}, ""}}, functions[0].Causes)

	var timeline strings.Builder
	require.NoError(t, r.WritePerfetto(&timeline))
	require.Contains(t, timeline.String(), `"otherData":{"left out":"`+strings.Join(want, "; ")+`",`)
	var took []float64
	for _, e := range requireTimeline(t, r) {
		if e.Phase == "X" {
			took = append(took, *e.Duration)
		}
	}
	require.Equal(t, []float64{6000, 7000, 8000, 9000}, took)
}

func TestPlacesOfAGroupAreBounded(t *testing.T) {
	var traces []*tracelog.Trace
	for i := range 30 {
		trace := first(i+1, "f", 1, i, 1)
		trace.Site = site("/src/m/train.go", 10+i/2)
		traces = append(traces, trace)
	}
	kept := defaultLimits()
	kept.items = 2
	sites := data(t, html(t, collect(t, kept, encode(t, aProcess("m.test", 0), traces...))))[0].Groups[0].Sites
	require.Equal(t, []pageItem{{"m/train.go:10", 2}, {"m/train.go:11", 2}, {"further ones", 26}}, sites)
}

// A log holds what a program's values say of themselves, however much that is.
func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("é\x1b", 10_000)
	trace := failed(tracelog.Panic, long, again(1, long, 3, 4, 0, 1))
	trace.Site.File, trace.Wrapper.Description, trace.Cause.Text, trace.Cause.Detail = long, long, long, long
	trace.Args[0].Value = long
	for range 1000 {
		trace.Args = append(trace.Args, tracelog.Arg{Kind: tracelog.Literal, Value: "4"})
		trace.Cause.Differences = append(trace.Cause.Differences, trace.Cause.Differences[0])
	}
	deep := tracelog.Arg{Kind: tracelog.Structure}
	for range 1000 {
		deep = tracelog.Arg{Name: "[0]", Kind: tracelog.Structure, Elems: []tracelog.Arg{deep}}
	}
	other := first(2, "g", 3, 1, 1)
	other.Args = []tracelog.Arg{deep}

	r := load(t, encode(t, aProcess(long, 0), trace, other))
	var timeline strings.Builder
	require.NoError(t, r.WritePerfetto(&timeline))
	for _, text := range []string{html(t, r), summary(t, r), timeline.String()} {
		require.Less(t, len(text), 60_000)
		require.True(t, utf8.ValidString(text))
		require.NotContains(t, text, "\x1b")
	}
	require.Empty(t, r.Problems)
	require.Contains(t, timeline.String(), " …")
	require.Contains(t, timeline.String(), "bytes)…")
}

// Traces may be nested as deeply as a log is long.
func TestDeepNesting(t *testing.T) {
	const depth = 5000
	var traces []*tracelog.Trace
	for id := depth; id > 0; id-- {
		traces = append(traces, within(id-1, first(id, "f", 1, id, depth-id+1)))
	}
	r := load(t, encode(t, aProcess("m.test", 0), traces...))
	require.Equal(t, cost{traces: depth, time: depth * ms}, r.all)
	require.Equal(t, depth*ms, r.functions[0].withNested)
}

// Whatever happens to a log, the report says so or counts what is left; it never
// panics.
func TestDamagedLogs(t *testing.T) {
	log := model(t)
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 1))
		damaged := []byte(log)
		for range random.IntN(5) {
			damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		}
		damaged = damaged[:random.IntN(len(damaged)+1)]
		r := collect(t, defaultLimits(), string(damaged))
		require.NotContains(t, summary(t, r), "\x1b")
		require.NotContains(t, html(t, r), "\x1b")
		requireTimeline(t, r)
		require.LessOrEqual(t, r.all.traces+r.broken, 8+strings.Count(string(damaged), "\n"))
	}
	for cut := 0; cut < len(log); cut += 31 {
		r := collect(t, defaultLimits(), log[:cut])
		line, whole := strings.Count(log[:cut], "\n"), log[cut] == '\n' || cut == 0 || log[cut-1] == '\n'
		require.Equal(t, whole, len(r.Problems) == 0, "cut at byte %d", cut)
		if !whole {
			require.Equal(t, []string{fmt.Sprintf("log: line %d is cut short: the process or the disk stopped in the middle of it", line+1)}, r.Problems)
		}
	}
}
