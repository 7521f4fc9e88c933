package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A timelineEvent is one of the trace-event format, which Perfetto and Chrome's
// about:tracing read; times are in microseconds.
type timelineEvent struct {
	Name     string            `json:"name"`
	Category string            `json:"cat,omitempty"`
	Phase    string            `json:"ph"`
	Scope    string            `json:"s,omitempty"`
	Time     float64           `json:"ts"`
	Duration *float64          `json:"dur,omitempty"`
	Process  int               `json:"pid"`
	Thread   int               `json:"tid"`
	Args     map[string]string `json:"args,omitempty"`
}

// WritePerfetto writes the traces as a timeline in the trace-event format. Each
// process is one there, and each of its threads holds traces of one recorder
// that do not overlap, or lie inside of each other.
func (r *Report) WritePerfetto(w io.Writer) error {
	out := bufio.NewWriter(w)
	texts := map[string]string{"traces": r.headline()}
	if left := r.leftOut(); len(left) > 0 {
		texts["left out"] = strings.Join(left, "; ")
	}
	about, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, `{"displayTimeUnit":"ms","otherData":%s,"traceEvents":[`, about)
	separator := "\n"
	for _, e := range r.timeline.write() {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s%s", separator, text)
		separator = ",\n"
	}
	fmt.Fprintln(out, "\n]}")
	return out.Flush()
}

// write returns the events of each process, the first one first: its name, its
// traces, and the names of its threads.
func (t *timeline) write() []timelineEvent {
	events := slices.SortedFunc(slices.Values(t.longest), compareStarts)
	var result []timelineEvent
	for number := 1; len(events) > 0; number++ {
		next := slices.IndexFunc(events, func(e *event) bool { return e.origin.number != events[0].origin.number })
		if next < 0 {
			next = len(events)
		}
		result = append(result, t.process(number, events[:next])...)
		events = events[next:]
	}
	return result
}

// compareStarts sorts events by process, then by time.
func compareStarts(a, b *event) int {
	return cmp.Or(
		a.origin.Start.Compare(b.origin.Start), strings.Compare(a.origin.Program, b.origin.Program), a.origin.number-b.origin.number,
		a.start.Compare(b.start), cmp.Compare(a.key.recorder, b.key.recorder), cmp.Compare(a.key.id, b.key.id),
	)
}

func (t *timeline) process(number int, events []*event) []timelineEvent {
	result := []timelineEvent{{
		Name: "process_name", Phase: "M", Process: number,
		Args: map[string]string{"name": events[0].origin.title()},
	}}
	var lanes lanes
	threads := map[traceKey]int{}
	for _, e := range events {
		thread, placed := threads[e.outer]
		if !placed {
			thread = lanes.place(e)
		}
		threads[e.key] = thread
		result = append(result, e.write(number, thread, t.start))
	}
	for i, l := range lanes {
		result = append(result, timelineEvent{
			Name: "thread_name", Phase: "M", Process: number, Thread: i + 1,
			Args: map[string]string{"name": fmt.Sprintf("recorder %d", l.recorder)},
		})
	}
	return result
}

// lanes are threads of the timeline.
type lanes []lane

type lane struct {
	recorder int
	end      time.Time
}

// place returns the number of a thread that is free when the trace starts.
func (l *lanes) place(e *event) int {
	end := e.start.Add(e.took)
	for i := range *l {
		if lane := &(*l)[i]; lane.recorder == e.key.recorder && !lane.end.After(e.start) {
			lane.end = end
			return i + 1
		}
	}
	*l = append(*l, lane{e.key.recorder, end})
	return len(*l)
}

// write returns the event as a slice of time, or if nobody knows how long it
// took, as an instant.
func (e *event) write(process, thread int, start time.Time) timelineEvent {
	result := timelineEvent{
		Name:     e.function.name,
		Category: e.label,
		Phase:    "X",
		Time:     since(start, e.start),
		Process:  process,
		Thread:   thread,
		Args: map[string]string{
			"trace":     fmt.Sprintf("%d of recorder %d", e.key.id, e.key.recorder),
			"signature": e.signature,
			"cause":     e.cause,
		},
	}
	if e.untimed {
		result.Phase, result.Scope = "i", "t"
	} else {
		took := microseconds(e.took)
		result.Duration = &took
	}
	for name, text := range map[string]string{"called at": e.site, "wrapper": e.wrapper, "outcome": e.outcome} {
		if text != "" {
			result.Args[name] = text
		}
	}
	return result
}

// fakeEpoch is when the clock of testing/synctest begins.
var fakeEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func isFake(t time.Time) bool { return t.UTC().Year() == fakeEpoch.Year() }

// since returns the microseconds from a time to another one. Fake clocks begin
// with the timeline, decades of which would show nothing else.
func since(start, t time.Time) float64 {
	if isFake(t) {
		start = fakeEpoch
	}
	return microseconds(t.Sub(start))
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
