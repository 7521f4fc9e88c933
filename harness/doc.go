// Package harness records the traces of a tracing engine: each run of a
// function's body that an engine makes in order to record it.
//
// It knows no engine. [Wrap] instruments a function before it is given to the
// engine; an engine or an adapter that knows more than the body shows, such as
// the wrapper that runs it or the cause of the trace, calls [Recorder.Start].
// Both say, per trace, which function ran, with which arguments, from which
// call site, inside which other trace, for how long, how it ended, and why it
// had to run at all ([Cause]).
//
// A call that hits the engine's cache does not run the body, so it costs
// nothing here.
//
// [Recorder.LogTo] streams the traces as JSON lines, and the environment
// variable [LogVariable] has each recorder of a process do so, into one file.
package harness
