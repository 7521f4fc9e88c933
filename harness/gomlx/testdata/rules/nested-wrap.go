package snippet

type Model struct {
	inferenceExec *graph.Exec
	example       *tensors.Tensor
}

func (m *Model) inference(x *graph.Node) *graph.Node { return graph.Square(x) }

//SNIPPET
