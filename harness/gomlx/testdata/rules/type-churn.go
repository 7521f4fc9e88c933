package snippet

func run(backend compute.Backend, inputs []float32) {
	exec := graph.MustNewExec(backend, graph.Square)
	//SNIPPET
}
