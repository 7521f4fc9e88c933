package print

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// kept holds what no fix is certain for.
func kept(x *graph.Node) *graph.Node {
	fmt.Println("tracing")                          // no node // want `\(print\)$`
	fmt.Println("shape", x.Shape())                 // no node // want `\(print\)$`
	fmt.Println(x, graph.Neg(x))                    // two nodes // want `\(print\)$`
	fmt.Printf("%v has rank %d\n", graph.Exp(x), 1) // text behind the node // want `\(print\)$`
	fmt.Printf("%T\n", graph.Sin(x))                // no value // want `\(print\)$`
	fmt.Printf("%v is a node", graph.Cos(x))        // text behind the node // want `\(print\)$`
	n, _ := fmt.Println(graph.Tanh(x))              // uses what Println returns // want `\(print\)$`
	y := graph.AddScalar(x, n)
	fmt.Println("first", y)                       // a node has one message // want `\(print\)$`
	fmt.Println("again", y)                       // the same // want `\(print\)$`
	defer fmt.Println("left", graph.Neg(y))       // at the end of the function // want `\(print\)$`
	fmt.Println( /* the best one */ graph.Abs(x)) // a comment would be lost // want `\(print\)$`
	body := graph.NewClosure(x.Graph(), func(g *graph.Graph) []*graph.Node {
		z := graph.Const(g, 1.0)
		fmt.Println("z", z) // a closure cannot log // want `\(print\)$`
		return inner(z)
	})
	_ = body
	return y
}

func inner(z *graph.Node) []*graph.Node {
	fmt.Println("inner", z) // the same, called by one // want `\(print\)$`
	return []*graph.Node{z}
}
