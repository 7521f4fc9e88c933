package harness

import (
	"sync"
	"time"
)

// A Span is a trace that [Recorder.Start] opened.
type Span struct {
	recorder  *Recorder
	goroutine uint64
	parent    *Span // nil once the span ended

	id       int
	parentID int
	function Function
	wrapper  Wrapper
	args     Signature
	lost     string
	site     CallSite
	start    time.Time
	untimed  bool

	// starting is held while Start completes the span, since it is in the
	// recorder's list before its cause is known. It is not mu, since the cause of
	// another span may depend on how this one ended.
	starting sync.Mutex
	cause    Cause
	retrace  bool
	history  *history
	group    *tracesOfSignature // nil if the arguments are unknown

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
	if s.untimed {
		duration = 0
	}
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
	key := s.args.Key()
	var dropped []*Span
	for entered := false; !entered; { // a history may be removed before the span is in it
		s.cause, dropped, entered = s.recorder.functions.history(s.function).add(s, key)
	}
	forget(dropped)
	if known != nil {
		s.cause = *known
		s.cause.Earlier = max(s.cause.Earlier, 0)
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
	return Trace{
		ID:       s.id,
		Parent:   s.parentID,
		Function: s.function,
		Wrapper:  s.wrapper,
		Args:     s.args,
		Cause:    s.cause,
		Retrace:  s.retrace,
		Site:     s.site,
		Start:    s.start,
		Duration: duration,
		Untimed:  s.untimed,
		Outcome:  outcome,
	}
}
