package harness

import (
	"slices"
	"sync"
)

// A history holds what the causes of a function's traces are inferred from.
type history struct {
	function Function
	isFirst  bool // no trace of the function was dropped before
	mu       sync.Mutex
	kept     int
	removed  bool // from the functions, since none is kept any more
	forgot   bool // some signatures, since none of their traces is kept
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

func newHistory(f Function, isFirst bool) *history {
	return &history{function: f, isFirst: isFirst, seen: map[string]*tracesOfSignature{}}
}

// amongKept qualifies what is known of the traces that are kept alone.
const amongKept = "among the traces that are kept"

// maxSteps bounds the arguments and axes that are looked at to find the nearest
// of the earlier signatures: the time of a trace must not grow with their number.
// An engine's cache holds few (32 in GoMLX).
const maxSteps = 2048

// differencesKept bounds the differences of a cause.
const differencesKept = 16

// add gives a span its ID, adds it to the history and returns its cause, and the
// spans that are no longer kept. It returns false if the history was removed.
func (h *history) add(s *Span, key string) (cause Cause, dropped []*Span, ok bool) {
	h.mu.Lock()
	if h.removed {
		h.mu.Unlock()
		return Cause{}, nil, false
	}
	s.history = h
	dropped = s.recorder.kept.add(s)
	s.retrace = h.kept > 0
	h.kept++
	if s.args == nil {
		h.mu.Unlock()
		if !s.retrace {
			return h.firstCause(), dropped, true
		}
		return Cause{Detail: "the arguments are unknown"}, dropped, true
	}
	forgot := h.forgot
	same := h.seen[key].latestFor(s.wrapper)
	var near neighbour
	if same == nil {
		near = h.nearest(s.args)
	}
	h.enter(s, key)
	h.mu.Unlock()

	switch {
	case !s.retrace:
		cause = h.firstCause()
	case same != nil:
		cause = repeated(s, same)
	case near.traces != nil:
		cause = near.cause(s)
		if forgot {
			cause.Detail = amongKept
		}
	default:
		cause = Cause{Detail: "the arguments of the earlier traces are unknown"}
	}
	return cause, dropped, true
}

func (h *history) firstCause() Cause {
	if h.isFirst {
		return Cause{Kind: CauseFirst}
	}
	return Cause{Kind: CauseFirst, Detail: amongKept}
}

// enter adds a span to those of its signature.
func (h *history) enter(s *Span, key string) {
	traces := h.seen[key]
	if traces == nil {
		traces = &tracesOfSignature{key: key, args: s.args, first: s.id, firstWrapper: s.wrapper}
		h.seen[key] = traces
		h.distinct = append(h.distinct, traces)
	}
	if equal(traces.args, s.args) {
		s.args = traces.args // equal ones need no second copy
	}
	traces.add(s)
	s.group = traces
}

// A neighbour is the nearest of the signatures that a new one was compared with.
type neighbour struct {
	traces *tracesOfSignature // nil if there is none
	among  int                // how many, the latest ones; 0 if none is nearer
}

// nearest compares a new signature with the latest ones.
func (h *history) nearest(args Signature) neighbour {
	var found neighbour
	least, compared, steps := 0, 0, 0
	for _, earlier := range slices.Backward(h.distinct) {
		if steps > maxSteps && found.traces != nil {
			found.among = compared
			break
		}
		steps++
		if earlier.gone {
			continue
		}
		c := comparison{enough: least}
		c.signatures(earlier.args, args)
		steps += c.steps
		compared++
		if found.traces == nil || c.count < least {
			found.traces, least = earlier, c.count
		}
		if least == 1 {
			break // none is nearer
		}
	}
	return found
}

// cause returns the cause of a trace of a signature that is new.
func (n neighbour) cause(s *Span) Cause {
	c := comparison{describe: differencesKept}
	c.signatures(n.traces.args, s.args)
	return Cause{
		Kind:        CauseNewSignature,
		Earlier:     n.traces.first,
		Among:       n.among,
		Wrapper:     match(s.wrapper, n.traces.firstWrapper),
		Differences: c.differences,
		More:        c.count - len(c.differences),
	}
}

// forget takes out a span that is no longer kept.
func (h *history) forget(s *Span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept--; h.kept == 0 {
		h.removed = true
		s.recorder.functions.remove(h)
	}
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
// signature again: its own latest one, else that of any wrapper, else nil.
func (t *tracesOfSignature) latestFor(w Wrapper) *Span {
	if t == nil {
		return nil
	}
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
