// Package directive has comments for tracelint that do nothing, and some that do.
package directive

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

func square(x *graph.Node) *graph.Node {
	//tracelint:ignore prnt a slip of the pen // want `names the unknown rule "prnt": did you mean print\? \(directive\)`
	//tracelint:ignore write there is no write below // want `tracelint:ignore write silences nothing: remove it \(directive\)`
	//tracelint:nonsense // want `tracelint:nonsense is no directive: use ignore, traced or host \(directive\)`
	// tracelint:ignore print an ordinary comment // want `have no space after //: it is an ordinary comment and does nothing \(directive\)`
	return graph.Mul(x, x)
}

func cube(x *graph.Node) *graph.Node {
	//tracelint:ignore print shows each compilation on purpose
	fmt.Println("building", x.Shape())
	fmt.Println("built", x.Shape()) //tracelint:ignore print shows each compilation on purpose
	return graph.Mul(graph.Mul(x, x), x)
}

//tracelint:ignore print all of it shows compilations
func fourth(x *graph.Node) *graph.Node {
	fmt.Println("building", x.Shape())
	fmt.Println("squaring")
	return square(graph.Mul(x, x))
}
