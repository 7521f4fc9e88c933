package snippet

func run(backend compute.Backend, x *tensors.Tensor) {
	//SNIPPET
}
