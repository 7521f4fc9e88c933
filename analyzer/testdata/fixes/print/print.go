// Package print has prints of nodes, with what a fix makes of them.
package print

import (
	"fmt"
	"log"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

// Flagged wraps functions that print.
func Flagged(backend compute.Backend) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, nodes),
		graph.MustNewExec(backend, kept),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			log.Print("x = ", x) // want `\(print\)$`
			return x
		}),
	}
}

type block struct{ out []*graph.Node }

const name = "hidden"

func nodes(x *graph.Node) *graph.Node {
	fmt.Println(x) // want `\(print\)$`
	y := graph.Neg(x)
	fmt.Println("y is", y) // want `\(print\)$`
	z := graph.Neg(y)
	fmt.Printf("z: %s\n", z) // want `\(print\)$`
	b := block{[]*graph.Node{graph.Neg(z)}}
	fmt.Println(name, "layer:", b.out[0])            // want `\(print\)$`
	fmt.Println("a \"sum\"", graph.Add(x, b.out[0])) // want `\(print\)$`
	return z
}
