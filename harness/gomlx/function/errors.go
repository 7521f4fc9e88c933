package function

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// What an error of this package is about, for errors.Is.
var (
	// ErrStateCreation: a body made state in a trace that may not make any.
	ErrStateCreation = errors.New("state made after the first trace")
	// ErrTensorScope: a tensor or context is used outside of its trace.
	ErrTensorScope = errors.New("used outside of its trace")
	// ErrUnknownDim: an unknown dimension is used as a number.
	ErrUnknownDim = errors.New("unknown dimension")
	// ErrRecursion: a function calls itself without end.
	ErrRecursion = errors.New("endless recursion")
	// ErrSignature: an argument does not fit the input signature or parameter.
	ErrSignature = errors.New("argument does not fit")
	// ErrUnkeyable: a type or value cannot be part of a key.
	ErrUnkeyable = errors.New("cannot be keyed")
	// ErrHostInTrace: host code's context is used inside a trace.
	ErrHostInTrace = errors.New("host context used inside a trace")
	// ErrEngine: GoMLX failed on its own, not in an op.
	ErrEngine = errors.New("engine failed")
)

// Try runs host code and returns the error that a call, an op or a constructor
// of this package panicked with. Other panics, runtime errors among them, pass.
func Try(run func()) (err error) {
	defer catch(&err)
	run()
	return nil
}

// catch turns a panic with an error into that error. Runtime errors are bugs
// whose stack is worth more than a clean return, so they pass.
func catch(err *error) {
	failure := recover()
	if failure == nil {
		return
	}
	cause, ok := failure.(error)
	if !ok {
		panic(failure)
	}
	if bug := runtime.Error(nil); errors.As(cause, &bug) {
		panic(failure)
	}
	*err = readable(cause)
}

// check panics with an error, if there is one: the way of GoMLX's graph
// building functions, which keeps bodies readable.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// kindError is an error with a text of its own that errors.Is finds under a kind.
type kindError struct {
	kind error
	text string
}

func (e *kindError) Error() string { return e.text }

func (e *kindError) Unwrap() error { return e.kind }

func newError(kind error, format string, args ...any) error {
	return &kindError{kind, cut(fmt.Sprintf(format, args...), maxErrorText)}
}

// A callError is an error of a call of a function, which it names.
type callError struct {
	fn  *core
	err error
}

func (e *callError) Error() string { return fmt.Sprintf("function %q: %s", e.fn.name, e.err) }

func (e *callError) Unwrap() error { return e.err }

// An unreadableError stands for a user's error whose method Error panics.
type unreadableError struct{ error }

func (e *unreadableError) Error() string {
	return fmt.Sprintf("%T, whose method Error panics", e.error)
}

func (e *unreadableError) Unwrap() error { return e.error }

// readable returns an error whose text can be had.
func readable(err error) (safe error) {
	defer func() {
		if recover() != nil {
			safe = &unreadableError{err}
		}
	}()
	if err != nil {
		_ = err.Error()
	}
	return err
}

// A placeError is an error at a place inside of an argument.
type placeError struct {
	steps []string // to the place: the last one first
	err   error
}

// at adds a step to the place of an error.
func at(step string, err error) error {
	place, ok := err.(*placeError)
	if !ok {
		place = &placeError{err: err}
	}
	place.steps = append(place.steps, step)
	return place
}

func (e *placeError) Error() string {
	steps := slices.Clone(e.steps)
	slices.Reverse(steps)
	return cut(strings.Join(steps, ""), maxText) + ": " + e.err.Error()
}

func (e *placeError) Unwrap() error { return e.err }
