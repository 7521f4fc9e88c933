package snippet

func warmUp() {}

//SNIPPET
