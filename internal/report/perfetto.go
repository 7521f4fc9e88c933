package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// A timelineEvent is one of the trace-event format, which Perfetto and Chrome's
// about:tracing read; times are in microseconds.
type timelineEvent struct {
	Name     string            `json:"name"`
	Category string            `json:"cat,omitempty"`
	Phase    string            `json:"ph"`
	Time     float64           `json:"ts"`
	Duration float64           `json:"dur"`
	Process  int               `json:"pid"`
	Thread   int               `json:"tid"`
	Args     map[string]string `json:"args,omitempty"`
}

// WritePerfetto writes the traces as a timeline in the trace-event format. Each
// process is one there, and each of its threads holds traces of one recorder
// that do not overlap, or lie inside of each other.
func (r *Report) WritePerfetto(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, `{"displayTimeUnit":"ms","traceEvents":[`)
	separator := "\n"
	write := func(e timelineEvent) error {
		text, err := json.Marshal(e)
		fmt.Fprintf(out, "%s%s", separator, text)
		separator = ",\n"
		return err
	}
	start := r.start()
	for i, p := range r.processes {
		for _, e := range p.timeline(i+1, start, r.places) {
			if err := write(e); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(out, "\n]}")
	return out.Flush()
}

// fakeEpoch is when the clock of testing/synctest begins.
var fakeEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func isFake(t time.Time) bool { return t.UTC().Year() == fakeEpoch.Year() }

// start returns when the first trace began, those of fake clocks aside.
func (r *Report) start() time.Time {
	var first time.Time
	for _, f := range r.functions {
		for _, t := range f.traces {
			if !isFake(t.Start) && (first.IsZero() || t.Start.Before(first)) {
				first = t.Start
			}
		}
	}
	return first
}

// since returns the microseconds from a time to another one. Fake clocks begin
// with the timeline, decades of which would show nothing else.
func since(start, t time.Time) float64 {
	if isFake(t) {
		start = fakeEpoch
	}
	return microseconds(t.Sub(start))
}

// timeline returns the events of a process: its name, those of its threads, and
// its traces.
func (p *process) timeline(number int, start time.Time, places places) []timelineEvent {
	events := []timelineEvent{{
		Name: "process_name", Phase: "M", Process: number,
		Args: map[string]string{"name": fmt.Sprintf("%s (%d)", p.Program, p.PID)},
	}}
	var lanes lanes
	traces := p.sorted()
	slices.SortStableFunc(traces, func(a, b *trace) int { return a.Start.Compare(b.Start) })
	threads := map[*trace]int{}
	for _, t := range traces {
		thread, ok := threads[t.parent]
		if t.parent == nil || !ok {
			thread = lanes.place(t)
		}
		threads[t] = thread
		events = append(events, t.event(number, thread, start, places))
	}
	for i, l := range lanes {
		events = append(events, timelineEvent{
			Name: "thread_name", Phase: "M", Process: number, Thread: i + 1,
			Args: map[string]string{"name": fmt.Sprintf("recorder %d", l.recorder)},
		})
	}
	return events
}

// lanes are threads of the timeline.
type lanes []lane

type lane struct {
	recorder int
	end      time.Time
}

// place returns the number of a thread that is free when the trace starts.
func (l *lanes) place(t *trace) int {
	for i := range *l {
		if lane := &(*l)[i]; lane.recorder == t.Recorder && !lane.end.After(t.Start) {
			lane.end = t.Start.Add(t.Duration)
			return i + 1
		}
	}
	*l = append(*l, lane{t.Recorder, t.Start.Add(t.Duration)})
	return len(*l)
}

func (t *trace) event(process, thread int, start time.Time, places places) timelineEvent {
	e := timelineEvent{
		Name:     t.function.name,
		Category: cmp.Or(t.Cause.Label, "unknown cause"),
		Phase:    "X",
		Time:     since(start, t.Start),
		Duration: microseconds(t.Duration),
		Process:  process,
		Thread:   thread,
		Args: map[string]string{
			"trace":     fmt.Sprintf("%d of recorder %d", t.ID, t.Recorder),
			"signature": plain(signatureOf(t.Trace)),
			"cause":     t.Cause.Text,
			"called at": places.show(t.Site),
		},
	}
	if text := failure(t.Outcome); text != "" {
		e.Args["outcome"] = text
	}
	if t.Wrapper != nil {
		e.Args["wrapper"] = t.Wrapper.Description + " of " + places.show(t.Wrapper.Site)
	}
	return e
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
