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

func kept(x *graph.Node) *graph.Node {
	fmt.Println("tracing")                   // want `\(print\)$`
	fmt.Println("shape", x.Shape())          // want `\(print\)$`
	fmt.Println(x, graph.Neg(x))             // want `\(print\)$`
	fmt.Printf("%v has rank %d\n", x, 1)     // want `\(print\)$`
	fmt.Printf("%T\n", graph.Neg(x))         // want `\(print\)$`
	fmt.Printf("%v is a node", graph.Neg(x)) // want `\(print\)$`
	n, _ := fmt.Println(graph.Neg(x))        // want `\(print\)$`
	y := graph.AddScalar(x, n)
	fmt.Println("first", y)                       // want `\(print\)$`
	fmt.Println("again", y)                       // want `\(print\)$`
	defer fmt.Println("left", graph.Neg(y))       // want `\(print\)$`
	fmt.Println( /* the best one */ graph.Abs(x)) // want `\(print\)$`
	body := graph.NewClosure(x.Graph(), func(g *graph.Graph) []*graph.Node {
		z := graph.Const(g, 1.0)
		fmt.Println("z", z) // want `\(print\)$`
		return inner(z)
	})
	_ = body
	return y
}

func inner(z *graph.Node) []*graph.Node {
	fmt.Println("inner", z) // want `\(print\)$`
	return []*graph.Node{z}
}
