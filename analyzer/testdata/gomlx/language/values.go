package language

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

// encoder counts what it encodes.
type encoder struct{ n int }

func (e *encoder) encode(x *graph.Node) *graph.Node {
	e.n++ // want `e\.n\+\+.*\(write\)$`
	return x
}

func (e *encoder) decode(x *graph.Node) *graph.Node {
	e.n-- // want `e\.n--.*\(write\)$`
	return x
}

var steps = map[string]func(*encoder, *graph.Node) *graph.Node{"decode": (*encoder).decode}

// MethodExpressions calls methods through values of their expressions.
func MethodExpressions(backend compute.Backend) []*graph.Exec {
	e := &encoder{}
	step := (*encoder).encode
	return []*graph.Exec{
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return step(e, x) }),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return steps["decode"](e, x) }),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return step(&encoder{}, x) // the encoder is the trace's own
		}),
	}
}
