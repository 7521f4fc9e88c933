// Package function is TensorFlow's tf.function for Go, on GoMLX's graphs and
// backends: polymorphic functions that run their body once for each signature of
// the arguments, to record a graph, and execute the graph afterwards.
//
//	r := function.NewRuntime(backend)
//	square := function.New(r, func(c *function.Ctx, x function.Tensor) function.Tensor {
//		fmt.Println("tracing")    // once a trace
//		c.Print("executing", x)   // once an execution
//		return c.Mul(x, x)
//	})
//	y := square.Call(r.Host(), function.From([]int64{1, 2, 3}))
//
// It exists to show and to count what tracing does: which calls trace, and why
// ([WithRecorder]). Numerics, gradients and compilation are GoMLX's. The page
// docs/function.md walks through it.
//
// # Contexts
//
// A body gets a [Ctx] first, which says where ops, prints and state go: into the
// trace whose body got it. The context of host code, [Runtime.Host], runs them at
// once. A body passes its context on to all that it calls. One that starts
// goroutines must not use it in them, and must not wait for one that calls
// functions of the runtime: only one goroutine at a time traces.
//
// # What makes a trace
//
// A call traces if no earlier trace serves its arguments. Tensors count by dtype
// and dimensions, other Go values by type and value, pointers by identity. A
// trace whose dimensions are partly unknown ([WithInputSignature],
// [WithReduceRetracing]) serves all sizes; it is compiled for each that it meets.
// Where the sizes of an op's outputs turn out to depend on unknown ones in a way
// that the body did not see, it traces again before anything runs.
// The first call of a body that makes state ([Ctx.Variable], layers not built)
// traces twice. A function called inside another one is traced on its own, and
// its trace then becomes a part of the other's. A function keeps a limited number
// of traces ([WithMaxTraces]), and none for objects that are gone.
//
// Go values count by their structure, unexported fields included, and never by
// what their methods print; a [Keyer] alone says itself what counts. NaN equals
// NaN, 0 and -0 differ, nil is not empty, maps have no order. Values may nest
// 1000 deep and hold 4 MB outside of tensors; more is an error, as is a value
// that contains itself. Pointers are held weakly; one to memory that Go did not
// allocate, such as C's, is its address, and what is there must not be freed as
// long as the function is called with it.
//
// # Errors
//
// Ops, constructors and calls panic with an error, as GoMLX's graph functions do;
// [Try] returns it. A call returns it if the body's last result is an error.
// Runtime errors in bodies and ops, such as an index out of range, are bugs, and
// pass Try with their stack. One that GoMLX itself runs into is an error of Try,
// [ErrEngine]: version 0.28 has one if a body returns an argument as it is and
// does not use a later one.
//
// # For linters
//
// The body to trace is parameter 1 (counted from 0) of [New] and [TryNew], which
// make wrappers of the type [Func]. Its field Call and its methods Apply and
// Concrete call the wrapper, and may trace; Apply and the field take the context
// first. Symbolic types are [Tensor], and [Dim], which a symbolic tensor gives;
// owned by the trace are *[Ctx], *[Variable], [Tensor]. Parameter 1 of [Ctx.Op]
// and [Ctx.Ops] is traced code on GoMLX's nodes, run at once and again for each
// compilation. Parameter 1 of [Ctx.Variable] runs at trace time, once for each
// variable. State is made by [Ctx.Variable], [Dense.Build], [Dense.Call],
// [Embedding.Build] and [Embedding.Call]; the layers make theirs once, and
// Variable each time it runs. [Uniform] draws with a seed, so nothing here is
// random. [Ctx.Print] is the print of the graph. No function takes a callback
// that runs on the host at each execution. Ctx.Host, inside a body, is the way
// to run a wrapper at trace time on purpose. [Try] runs its argument at once.
package function
