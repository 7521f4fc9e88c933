package harness

import (
	"fmt"
	"reflect"
	"time"

	"github.com/tracelint/tracelint/harness/internal/value"
	"github.com/tracelint/tracelint/internal/clip"
)

// A Trace is one run of a function's body by an engine in order to record it.
type Trace struct {
	// ID numbers the traces of a recorder from 1 in the order of their start.
	ID int
	// Parent is the ID of the trace that was open on the same goroutine when
	// this one started, 0 if there was none.
	Parent int
	// Function is the function whose body ran.
	Function Function
	// Wrapper is the wrapper whose call led to the trace; its ID is 0 if unknown.
	Wrapper Wrapper
	// Args are the arguments; nil if unknown.
	Args Signature
	// Cause says why the engine traced.
	Cause Cause
	// Retrace is whether the function had been traced before, as far as its
	// traces are kept.
	Retrace bool
	// Site is the call in user code that led to the trace.
	Site CallSite
	// Start is the time at which the body started.
	Start time.Time
	// Duration is the time that the body took, nested traces included; 0 while
	// it runs or if the trace is Untimed.
	Duration time.Duration
	// Untimed is whether the adapter saw the trace only afterwards, so that
	// nobody knows how long the body took.
	Untimed bool
	// Outcome says how the body ended.
	Outcome Outcome
}

// A Wrapper identifies what an engine gave back for a function. The zero value
// is an unknown wrapper.
type Wrapper struct {
	// ID is unique within a recorder, 0 if the wrapper is unknown.
	ID int
	// Description says to people what it is, such as `*graph.Exec`.
	Description string
	// Site is where it was built, unknown if it was built unseen.
	Site CallSite
	// DynamicAxes says to people how to let one trace serve all sizes of an axis
	// (`name it with WithDynamicAxes`); empty if the engine or its backend cannot.
	DynamicAxes string
}

// An OutcomeKind says how a body ended.
type OutcomeKind int

// The outcomes of a body. All but OutcomeRunning and OutcomeReturned are failures.
const (
	OutcomeRunning  OutcomeKind = iota // it has not ended yet
	OutcomeReturned                    // it returned
	OutcomeError                       // it returned an error
	OutcomePanic                       // it panicked
	OutcomeGoexit                      // it ended its goroutine, as t.FailNow does
)

// An Outcome says how a body ended; its zero value, that it still runs.
type Outcome struct {
	Kind OutcomeKind
	// Text is the error's or the panic's, a long one cut in the middle.
	Text string
}

// Returned is the outcome of a body that returned.
func Returned() Outcome { return Outcome{Kind: OutcomeReturned} }

// Failed is the outcome of a body that returned the error.
func Failed(err error) Outcome { return Outcome{OutcomeError, textOf(err)} }

// Panicked is the outcome of a body that panicked with the value.
func Panicked(value any) Outcome { return Outcome{OutcomePanic, textOf(value)} }

// Exited is the outcome of a body that called runtime.Goexit.
func Exited() Outcome { return Outcome{Kind: OutcomeGoexit} }

// Failed reports whether the body ended without a result that an engine can keep.
func (o Outcome) Failed() bool { return o.Kind > OutcomeReturned }

// String returns the outcome for people: `returned`, `panicked: index out of range`.
func (o Outcome) String() string {
	switch o.Kind {
	case OutcomeRunning:
		return "still running"
	case OutcomeReturned:
		return "returned"
	case OutcomeError:
		return "returned an error: " + o.Text
	case OutcomePanic:
		return "panicked: " + o.Text
	case OutcomeGoexit:
		return "ended its goroutine (runtime.Goexit)"
	}
	return fmt.Sprintf("OutcomeKind(%d)", int(o.Kind))
}

// What an outcome keeps of an error's or a panic's text.
const (
	maxOutcome      = 8 << 10 // bytes
	maxOutcomeLines = 100
)

// textOf returns what an error or the value of a panic says. What its own method
// panics with stays here.
func textOf(v any) string {
	var method func() string
	switch v := v.(type) {
	case nil:
		return "<nil>"
	case error:
		method = v.Error
	case fmt.Stringer:
		method = v.String
	case string:
		method = func() string { return v }
	}
	if method != nil {
		if text, ok := said(method); ok {
			return clip.Middle(clip.Lines(text, maxOutcomeLines), maxOutcome)
		}
	}
	said, _ := value.Text(reflect.ValueOf(v))
	return said
}
