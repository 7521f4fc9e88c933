// Package taperecord records the traces of tape, so that tests can count them.
package taperecord

import (
	"example.com/tape"
	"github.com/tracelint/tracelint/harness"
)

// Record is tape.Record with each trace recorded: the wrapper is tape's own, and only the body is instrumented, so that
// a call that finds its tape costs nothing here.
func Record(rec *harness.Recorder, fn func(x *tape.Node) *tape.Node) *tape.Func {
	rec.RegisterEngine("example.com/tape", "example.com/engine/taperecord")
	wrapper := rec.NewWrapper("*tape.Func")
	return tape.Record(harness.WrapFunc(rec, fn, func(args []any) harness.Info {
		return harness.Info{Wrapper: wrapper, Args: harness.SignatureOf(args...)}
	}))
}

// Attach records the traces of a wrapper that other code made, under a name: tape's hook does not say which function it
// traces, nor how the trace ended.
func Attach(rec *harness.Recorder, f *tape.Func, name string) {
	rec.RegisterEngine("example.com/tape", "example.com/engine/taperecord")
	wrapper := rec.NewWrapper("*tape.Func")
	f.OnTrace(func(x *tape.Node) func() {
		span := rec.Start(harness.Info{
			Function: harness.Function{Name: name},
			Wrapper:  wrapper,
			Args:     harness.SignatureOf(x),
		})
		return func() { span.End(harness.Returned()) }
	})
}
