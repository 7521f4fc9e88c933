package snippet

func layer(x *graph.Node) *graph.Node {
	//SNIPPET
	return x
}
