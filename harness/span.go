package harness

import (
	"sync"
	"time"
)

// A Span is a trace that [Recorder.Start] opened.
type Span struct {
	recorder  *Recorder
	goroutine uint64
	parent    *Span

	id       int
	function Function
	wrapper  Wrapper
	args     Signature
	lost     string
	site     CallSite
	start    time.Time

	// starting is held while Start completes the span, since it is in the
	// recorder's list before its cause is known. It is not mu, since the cause of
	// another span may depend on how this one ended.
	starting sync.Mutex
	cause    Cause
	retrace  bool

	mu       sync.Mutex
	duration time.Duration
	outcome  Outcome
}

// ID returns the ID of the trace.
func (s *Span) ID() int { return s.id }

// End says that the body is done, and how; the zero Outcome counts as
// [Returned]. Further calls have no effect. It may be called on another
// goroutine than Start was.
func (s *Span) End(outcome Outcome) {
	if outcome.Kind == OutcomeRunning {
		outcome = Returned()
	}
	duration := time.Since(s.start)
	s.mu.Lock()
	running := s.outcome.Kind == OutcomeRunning
	if running {
		s.duration, s.outcome = duration, outcome
	}
	s.mu.Unlock()
	if !running {
		return
	}
	s.recorder.open.remove(s)
	s.recorder.ended.tell(s)
}

// explain numbers the span and finds its cause, unless the engine knows it.
func (s *Span) explain(known *Cause) {
	s.starting.Lock()
	defer s.starting.Unlock()
	s.cause = s.recorder.history(s.function).add(s)
	if known != nil {
		s.cause = *known
	}
}

// state returns how the body ended, and after how long.
func (s *Span) state() (Outcome, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.outcome, s.duration
}

func (s *Span) trace() Trace {
	outcome, duration := s.state()
	s.starting.Lock()
	defer s.starting.Unlock()
	t := Trace{
		ID:       s.id,
		Function: s.function,
		Wrapper:  s.wrapper,
		Args:     s.args,
		Cause:    s.cause,
		Retrace:  s.retrace,
		Site:     s.site,
		Start:    s.start,
		Duration: duration,
		Outcome:  outcome,
	}
	if s.parent != nil {
		t.Parent = s.parent.id
	}
	return t
}
