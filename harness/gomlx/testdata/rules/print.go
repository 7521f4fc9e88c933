package snippet

func wrap(backend compute.Backend) *graph.Exec {
	//SNIPPET
	return exec
}
