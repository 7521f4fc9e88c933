// Package abort has panics that the engine cannot catch, with what a fix makes of them.
package abort

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Flagged wraps functions that panic.
func Flagged(backend compute.Backend) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, texts),
		graph.MustNewExec(backend, kept),
		graph.MustNewExec(backend, wrapped),
		graph.MustNewExec(backend, alone),
	}
}

type reason string

func texts(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		panic("no scalars") // want `\(abort\)$`
	case 1:
		panic(fmt.Sprintf("rank %d", x.Rank())) // want `\(abort\)$`
	case 2:
		panic("rank " + fmt.Sprint(x.Rank())) // want `\(abort\)$`
	case 3:
		panic( // want `\(abort\)$`
			// Nobody asked for three.
			"rank 3",
		)
	}
	return x
}

func kept(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		panic(42) // want `\(abort\)$`
	case 1:
		panic(reason("rank")) // want `\(abort\)$`
	case 2:
		errors := "rank"
		panic(errors) // want `\(abort\)$`
	}
	if err := exceptions.TryCatch[error](func() {
		panic("TryCatch[error] lets strings through, and would catch an error") // want `\(abort\)$`
	}); err != nil {
		panic(err)
	}
	return x
}
