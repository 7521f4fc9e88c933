package harness

import (
	"fmt"
	"strings"
	"sync"
)

// A CauseKind says why an engine traced.
type CauseKind int

// The causes of a trace.
const (
	// CauseUnknown: what is known does not tell the cause.
	CauseUnknown CauseKind = iota
	// CauseFirst: the function had not been traced before.
	CauseFirst
	// CauseState: the second trace of a first call, because the first one made
	// state. Only an engine knows.
	CauseState
	// CauseNewSignature: no earlier trace had the signature.
	CauseNewSignature
	// CauseSameSignature: an earlier trace had the signature, but it belongs to
	// another wrapper, or the wrapper's cache lost it.
	CauseSameSignature
	// CauseFailure: the last trace with the signature failed.
	CauseFailure
)

// String returns the kind for people: `new signature`.
func (k CauseKind) String() string {
	switch k {
	case CauseUnknown:
		return "unknown cause"
	case CauseFirst:
		return "first trace"
	case CauseState:
		return "second trace of a first call, because state was made"
	case CauseNewSignature:
		return "new signature"
	case CauseSameSignature:
		return "same signature"
	case CauseFailure:
		return "retrace after a failure"
	}
	return fmt.Sprintf("CauseKind(%d)", int(k))
}

// A WrapperMatch says whether two traces belong to one wrapper.
type WrapperMatch int

// The matches of wrappers.
const (
	WrapperUnknown WrapperMatch = iota // the wrapper of one of them is unknown
	WrapperSame
	WrapperOther
)

// A Cause says why an engine traced.
type Cause struct {
	Kind CauseKind
	// Earlier is the ID of the trace that this one is compared with: that of the
	// nearest signature, of the same one, or the one that failed. 0 if none.
	Earlier int
	// Wrapper says whether the earlier trace belongs to the same wrapper.
	Wrapper WrapperMatch
	// Differences are those from the earlier trace's signature.
	Differences []Difference
	// Detail is what the engine or adapter knows beyond that (`variable w was
	// made at model.go:12`, `after Finalize`), or what leaves a cause unknown.
	Detail string
}

// String returns the cause for people:
// `new signature: x: axis 0: 3 -> 4 (nearest: trace 1)`.
func (c Cause) String() string {
	text := c.Kind.String()
	switch c.Kind {
	case CauseNewSignature:
		if len(c.Differences) > 0 {
			differences := make([]string, len(c.Differences))
			for i, d := range c.Differences {
				differences[i] = d.String()
			}
			text += ": " + strings.Join(differences, ", ")
		}
		text += c.earlier(" (nearest: trace %d%s)")
	case CauseSameSignature:
		text += c.earlier(" as trace %d%s")
	case CauseFailure:
		text += c.earlier(" of trace %d%s")
	}
	if c.Detail != "" {
		text += ": " + c.Detail
	}
	return text
}

// earlier names the earlier trace and whose it is, if there is one.
func (c Cause) earlier(format string) string {
	if c.Earlier == 0 {
		return ""
	}
	wrapper := ""
	switch c.Wrapper {
	case WrapperSame:
		wrapper = ", of the same wrapper"
	case WrapperOther:
		wrapper = ", of another wrapper"
	}
	return fmt.Sprintf(format, c.Earlier, wrapper)
}

// A history holds what the causes of a function's traces are inferred from.
type history struct {
	mu       sync.Mutex
	latest   *Span
	seen     map[string]*tracesOfSignature
	distinct []*tracesOfSignature // in the order of their first trace
}

// tracesOfSignature holds the traces of one function with one signature.
type tracesOfSignature struct {
	args      Signature
	first     *Span
	latest    *Span
	byWrapper map[int]*Span // the latest of each known wrapper
}

func newHistory() *history { return &history{seen: map[string]*tracesOfSignature{}} }

// nearestAmong bounds how many signatures a new one is compared with, the
// latest ones: an engine's cache holds fewer (32 in GoMLX), and the time of a
// trace must not grow with the number of earlier ones.
const nearestAmong = 256

// add gives a span its ID, adds it to the history and returns its cause.
func (h *history) add(s *Span) Cause {
	key := s.args.key()
	h.mu.Lock()
	s.recorder.publish(s)
	latest := h.latest
	h.latest = s
	s.retrace = latest != nil
	if s.args == nil {
		h.mu.Unlock()
		if latest == nil {
			return Cause{Kind: CauseFirst}
		}
		return Cause{Detail: "the arguments are unknown"}
	}
	traces, ok := h.seen[key]
	if !ok {
		traces = &tracesOfSignature{args: s.args, first: s}
		h.seen[key] = traces
		h.distinct = append(h.distinct, traces)
	}
	if sameNames(traces.args, s.args) {
		s.args = traces.args // equal ones need no second copy
	}
	same := traces.latestFor(s.wrapper)
	traces.add(s)
	earlier := h.distinct[max(0, len(h.distinct)-1-nearestAmong):]
	h.mu.Unlock()

	switch {
	case latest == nil:
		return Cause{Kind: CauseFirst}
	case same != nil:
		return repeated(s, same)
	default:
		return newSignature(s, earlier[:len(earlier)-1])
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
	c := Cause{Kind: CauseSameSignature, Earlier: earlier.id, Wrapper: match(s, earlier)}
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
	if nearest == nil {
		return Cause{Detail: "the arguments of the earlier traces are unknown"}
	}
	return Cause{
		Kind:        CauseNewSignature,
		Earlier:     nearest.first.id,
		Wrapper:     match(s, nearest.first),
		Differences: Diff(nearest.args, s.args),
	}
}

func match(a, b *Span) WrapperMatch {
	switch {
	case a.wrapper.ID == 0 || b.wrapper.ID == 0:
		return WrapperUnknown
	case a.wrapper.ID == b.wrapper.ID:
		return WrapperSame
	default:
		return WrapperOther
	}
}
