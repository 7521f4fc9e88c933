package report

import (
	"cmp"
	"container/heap"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A timeline holds the traces that took longest: whatever lies between, an
// outer trace takes longer than those inside of it, so they keep their places.
type timeline struct {
	start   time.Time // of the first trace, those of fake clocks aside
	traces  int
	longest shortestFirst
}

// A traceKey tells the traces of a process apart.
type traceKey struct{ recorder, id int }

// An event is one trace of the timeline, ready to be shown.
type event struct {
	origin     origin
	key, outer traceKey
	function   *function
	start      time.Time
	took       time.Duration
	untimed    bool

	label, signature, cause, site, wrapper, outcome string
}

func (t *timeline) add(trace *tracelog.Trace, f *function, from origin, r *Report) {
	t.traces++
	if !isFake(trace.Start) && (t.start.IsZero() || trace.Start.Before(t.start)) {
		t.start = trace.Start
	}
	e := &event{
		origin:   from,
		key:      traceKey{trace.Recorder, trace.ID},
		outer:    traceKey{trace.Recorder, trace.Parent},
		function: f,
		start:    trace.Start,
		took:     trace.Duration,
		untimed:  trace.Untimed,
	}
	full := len(t.longest) >= r.limits.events
	if full && !t.longest[0].shorter(e) {
		return
	}
	e.label = shown(cmp.Or(trace.Cause.Label, "unknown cause"))
	e.signature = plain(signatureOf(trace))
	e.cause = shown(trace.Cause.Text)
	e.site = r.places.show(trace.Site)
	e.wrapper = r.places.wrapper(trace.Wrapper)
	e.outcome = shown(failure(trace.Outcome))
	if full {
		t.longest[0] = e
		heap.Fix(&t.longest, 0)
		return
	}
	heap.Push(&t.longest, e)
}

// dropped returns how many traces are left out.
func (t *timeline) dropped() int { return t.traces - len(t.longest) }

// shorter reports whether the event took less time than another one; of two
// that took the same, the later one counts as shorter.
func (e *event) shorter(f *event) bool {
	return cmp.Or(cmp.Compare(e.took, f.took), f.start.Compare(e.start), cmp.Compare(f.origin.number, e.origin.number),
		cmp.Compare(f.key.recorder, e.key.recorder), cmp.Compare(f.key.id, e.key.id)) < 0
}

// shortestFirst is a heap of events.
type shortestFirst []*event

func (h shortestFirst) Len() int           { return len(h) }
func (h shortestFirst) Less(i, j int) bool { return h[i].shorter(h[j]) }
func (h shortestFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *shortestFirst) Push(e any)        { *h = append(*h, e.(*event)) }

func (h *shortestFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
