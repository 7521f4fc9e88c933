// Package abort has panics that the engine cannot catch, with what a fix makes of them.
package abort

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
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
