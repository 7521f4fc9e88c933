package abort

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

type reason string

// kept holds what no fix is certain for.
func kept(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		panic(42) // no text // want `\(abort\)$`
	case 1:
		panic(reason("rank")) // of a type of its own // want `\(abort\)$`
	case 2:
		errors := "rank"
		panic(errors) // errors is no package here // want `\(abort\)$`
	}
	if err := exceptions.TryCatch[error](func() {
		panic("rank") // TryCatch[error] lets strings through, and would catch an error // want `\(abort\)$`
	}); err != nil {
		panic(err)
	}
	return x
}
