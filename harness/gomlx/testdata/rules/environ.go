package snippet

//SNIPPET

func fast(x *graph.Node) *graph.Node { return graph.Square(x) }

func slow(x *graph.Node) *graph.Node { return graph.Mul(x, x) }
