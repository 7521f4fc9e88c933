package harness

import (
	"slices"
	"sync"
)

// A history holds what the causes of a function's traces are inferred from.
type history struct {
	mu       sync.Mutex
	traced   bool
	forgot   bool // some signatures, since the recorder dropped their traces
	seen     map[string]*tracesOfSignature
	distinct []*tracesOfSignature // in the order of their first trace, some of them gone
	gone     int
}

// tracesOfSignature holds the traces of one function with one signature.
type tracesOfSignature struct {
	key          string
	args         Signature
	first        int // its ID
	firstWrapper Wrapper
	latest       *Span
	byWrapper    map[int]*Span // the latest of each known wrapper
	gone         bool          // none is kept
}

func newHistory() *history { return &history{seen: map[string]*tracesOfSignature{}} }

// nearestAmong bounds how many signatures a new one is compared with, the
// latest ones: an engine's cache holds fewer (32 in GoMLX), and the time of a
// trace must not grow with the number of earlier ones.
const nearestAmong = 256

// add gives a span its ID, adds it to the history and returns its cause, and the
// spans that are no longer kept.
func (h *history) add(s *Span) (cause Cause, dropped []*Span) {
	key := s.args.Key()
	h.mu.Lock()
	s.history = h
	dropped = s.recorder.kept.add(s)
	s.retrace = h.traced
	h.traced = true
	known := len(h.seen) > 0
	forgot := h.forgot
	if s.args == nil {
		h.mu.Unlock()
		if !s.retrace {
			return Cause{Kind: CauseFirst}, dropped
		}
		return Cause{Detail: "the arguments are unknown"}, dropped
	}
	same, earlier := h.enter(s, key)
	h.mu.Unlock()

	switch {
	case !s.retrace:
		cause = Cause{Kind: CauseFirst}
	case same != nil:
		cause = repeated(s, same)
	case known:
		cause = newSignature(s, earlier)
		if forgot {
			cause.Detail = "among the traces that are kept"
		}
	case forgot:
		cause = Cause{Detail: "the earlier traces are no longer kept"}
	default:
		cause = Cause{Detail: "the arguments of the earlier traces are unknown"}
	}
	return cause, dropped
}

// enter adds a span to those of its signature and returns the trace that
// explains best why it repeats it, nil if none has it, and the signatures to
// compare it with.
func (h *history) enter(s *Span, key string) (same *Span, earlier []*tracesOfSignature) {
	traces, ok := h.seen[key]
	if !ok {
		earlier = h.distinct[max(0, len(h.distinct)-nearestAmong):]
		traces = &tracesOfSignature{key: key, args: s.args, first: s.id, firstWrapper: s.wrapper}
		h.seen[key] = traces
		h.distinct = append(h.distinct, traces)
	}
	if sameNames(traces.args, s.args) {
		s.args = traces.args // equal ones need no second copy
	}
	same = traces.latestFor(s.wrapper)
	traces.add(s)
	s.group = traces
	return same, earlier
}

// forget takes out a span that is no longer kept.
func (h *history) forget(s *Span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	traces := s.group
	if traces == nil {
		return
	}
	if traces.byWrapper[s.wrapper.ID] == s {
		delete(traces.byWrapper, s.wrapper.ID)
	}
	if traces.latest != s {
		return
	}
	delete(h.seen, traces.key)
	traces.gone = true
	h.forgot = true
	if h.gone++; h.gone > len(h.distinct)/2 {
		h.distinct = slices.DeleteFunc(slices.Clone(h.distinct), func(t *tracesOfSignature) bool { return t.gone })
		h.gone = 0
	}
}

// latestFor returns the trace that explains best why a wrapper traces a
// signature again: its own latest one, else that of any wrapper.
func (t *tracesOfSignature) latestFor(w Wrapper) *Span {
	if own := t.byWrapper[w.ID]; own != nil {
		return own
	}
	return t.latest
}

func (t *tracesOfSignature) add(s *Span) {
	t.latest = s
	if s.wrapper.ID == 0 {
		return
	}
	if t.byWrapper == nil {
		t.byWrapper = map[int]*Span{}
	}
	t.byWrapper[s.wrapper.ID] = s
}

// repeated returns the cause of a trace of the same signature as an earlier one.
func repeated(s, earlier *Span) Cause {
	c := Cause{Kind: CauseSameSignature, Earlier: earlier.id, Wrapper: match(s.wrapper, earlier.wrapper)}
	outcome, _ := earlier.state()
	switch {
	case s.lost != "" && !outcome.Failed():
		c.Detail = s.lost
	case c.Wrapper == WrapperOther:
		// What became of another wrapper's trace has no bearing on this one.
	case outcome.Failed():
		c.Kind = CauseFailure
	case outcome.Kind == OutcomeRunning:
		c.Detail = "that trace was still running"
	case c.Wrapper == WrapperSame:
		c.Detail = "its cache lost the trace, or the call failed after it"
	default:
		c.Detail = "by another wrapper, by a further call in one trace, or after the cache lost it"
	}
	return c
}

// newSignature returns the cause of a trace of a signature that none of the
// earlier ones has.
func newSignature(s *Span, earlier []*tracesOfSignature) Cause {
	var nearest *tracesOfSignature
	least := 0
	for i := len(earlier) - 1; i >= 0 && least != 1; i-- {
		if d := distance(earlier[i].args, s.args); nearest == nil || d < least {
			nearest, least = earlier[i], d
		}
	}
	return Cause{
		Kind:        CauseNewSignature,
		Earlier:     nearest.first,
		Wrapper:     match(s.wrapper, nearest.firstWrapper),
		Differences: Diff(nearest.args, s.args),
	}
}

func match(a, b Wrapper) WrapperMatch {
	switch {
	case a.ID == 0 || b.ID == 0:
		return WrapperUnknown
	case a.ID == b.ID:
		return WrapperSame
	default:
		return WrapperOther
	}
}
