// Package tracecheck asserts in tests how often a tracing engine traces, and
// says in a failure why each trace happened.
//
//	rec := tracecheck.Record(t)
//	exec := graph.MustNewExec(backend, harness.Wrap(rec, "", square))
//	tracecheck.ExpectTraces(t, rec, 1, func() { exec.MustExec(x) })
//	tracecheck.ExpectNoTraces(t, rec, func() { exec.MustExec(y) })
//
// [Freeze] reports each trace after the warm-up as it happens, and [Golden] holds
// all of them against a budget that is checked in. All of it works in subtests,
// parallel ones with a recorder each, and in benchmarks, which report `traces/op`.
//
// What is said has at most 200 lines and 64 KB, whatever was traced. Where the
// recorder may have missed traces, assertions fail.
package tracecheck
