package snippet

type Model struct {
	exec  *graph.Exec
	start *tensors.Tensor
}

func (m *Model) wrap(backend compute.Backend) {
	//SNIPPET
}
