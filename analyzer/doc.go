// Package analyzer finds what goes wrong when a Go function is traced: recorded by a tracing engine
// such as GoMLX's graph.Exec once for each new signature of its arguments, rather than run at each call.
//
// # Analyzer tracelint
//
// tracelint: find trace-time effects, nested wrapped functions and retraces
//
// What a traced function does beside building its graph happens once per trace: prints, counters,
// clocks, random numbers, writes. What it reads is frozen into the graph. Wrappers that are rebuilt,
// nested or recursive cost traces that nobody asked for. The analyzer follows functions to the wrappers
// that trace them, through helpers in other packages too, and reports each hazard where it stands, with
// the chain of calls that leads to it.
package analyzer
