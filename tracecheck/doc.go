// Package tracecheck asserts in tests how often a tracing engine traces, and
// says in a failure why each trace happened.
//
//	rec := tracecheck.Record(t)
//	exec := graph.MustNewExec(backend, harness.Wrap(rec, "", square))
//	tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustExec(x) })
//	tracecheck.ExpectNoTraces(t, rec, func() { exec.MustExec(y) })
package tracecheck
