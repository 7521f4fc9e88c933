package snippet

func all(backend compute.Backend, inputs []*tensors.Tensor) (results []*tensors.Tensor) {
	//SNIPPET
	return results
}

func square(x *graph.Node) *graph.Node { return graph.Square(x) }
