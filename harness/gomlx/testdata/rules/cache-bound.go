package snippet

func run(backend compute.Backend, x []float32) {
	exec := graph.MustNewExec(backend, graph.Square)
	//SNIPPET
}
