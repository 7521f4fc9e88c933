package harness

import (
	"slices"
	"sync"
)

// DefaultLimit is the number of traces that a new recorder keeps.
const DefaultLimit = 100_000

// SetLimit has the recorder keep the latest n traces, which bounds its memory in
// programs that never end; 0 or less lets it keep all. What is said of a trace is
// inferred from those that are kept. IDs go on, and listeners and logs are told
// of each trace whatever the limit.
func (r *Recorder) SetLimit(n int) { forget(r.kept.setLimit(n)) }

// Dropped returns how many traces the limit has dropped since the recorder was
// made or reset.
func (r *Recorder) Dropped() int { return r.kept.droppedByLimit() }

// Reset forgets all traces and functions so far: the next trace of a function
// is its first again. IDs go on, and listeners, logs and engines stay.
func (r *Recorder) Reset() {
	r.kept.reset()
	r.functions.reset() // after it, so that none remains whose traces are gone
}

// forget takes spans that are no longer kept out of the histories.
func forget(dropped []*Span) {
	for _, s := range dropped {
		s.history.forget(s)
	}
}

// keptSpans are the latest spans of a recorder.
type keptSpans struct {
	mu      sync.Mutex
	limit   int // 0 if there is none
	spans   []*Span
	last    int // ID of the last one; those before have the numbers before
	dropped int
}

// add numbers a span, keeps it, and returns those that are dropped for it.
func (k *keptSpans) add(s *Span) (dropped []*Span) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last++
	s.id = k.last
	k.spans = append(k.spans, s)
	return k.drop()
}

func (k *keptSpans) setLimit(n int) (dropped []*Span) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.limit = max(n, 0)
	return k.drop()
}

// drop cuts off the spans that the limit leaves no room for.
func (k *keptSpans) drop() []*Span {
	excess := len(k.spans) - k.limit
	if k.limit == 0 || excess <= 0 {
		return nil
	}
	dropped := slices.Clone(k.spans[:excess])
	clear(k.spans[:excess]) // append leaves them in memory for a while
	k.spans = k.spans[excess:]
	k.dropped += excess
	return dropped
}

func (k *keptSpans) reset() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spans, k.dropped = nil, 0
}

func (k *keptSpans) droppedByLimit() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dropped
}

func (k *keptSpans) lastID() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last
}

// since returns the spans whose ID is greater than the one given.
func (k *keptSpans) since(id int) []*Span {
	k.mu.Lock()
	defer k.mu.Unlock()
	before := k.last - len(k.spans) // those up to this ID are gone
	return slices.Clone(k.spans[min(max(id-before, 0), len(k.spans)):])
}

// get returns the span of the ID, nil if there is none.
func (k *keptSpans) get(id int) *Span {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := id - 1 - (k.last - len(k.spans))
	if i < 0 || i >= len(k.spans) {
		return nil
	}
	return k.spans[i]
}
