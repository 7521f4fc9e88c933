// Package gomlx records the traces of GoMLX's wrappers. Its constructors are
// GoMLX's own with a [harness.Recorder] before their arguments and return
// GoMLX's own types; each run of the function's body is one trace.
//
//	exec := gomlx.MustNewExec(rec, backend, square) // graph.MustNewExec(backend, square)
//
// Where the constructor belongs to somebody else, [Attach] observes a wrapper
// from outside, and [GraphsBuilt] counts all graphs that a block of code makes.
// Functions that GoMLX calls while it traces, such as metrics, initializers and
// the bodies of loops, are recorded with [harness.Wrap] where they are made.
//
// Package gomlxtest finds what makes one trace of a function differ from the next.
//
// A call that hits GoMLX's cache costs nothing more than without a recorder.
package gomlx
