package snippet

type Spec struct{ Width int }

type Words struct {
	width int
	spec  *Spec
}

func (ds *Words) next() bool { return false }

func (ds *Words) inputs() []*tensors.Tensor { return nil }

func (ds *Words) Name() string { return "words" }

func (ds *Words) IsOwnershipTransferred() bool { return true }

//SNIPPET

var _ train.Dataset = (*Words)(nil)
