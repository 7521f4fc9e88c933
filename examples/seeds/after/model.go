// Package after is the model of package before with one graph for each of its functions, and with prints that belong to
// the graphs.
package after

import "github.com/tracelint/tracelint/harness/gomlx/function"

const embeddingSize = 15

// Model scores tokens with an embedding and a dense layer.
type Model struct {
	// Fun and Inference are the wrapped functions; Fun returns what Inference does.
	Fun, Inference *function.Func[func(*function.Ctx, function.Tensor) function.Tensor]

	embedding *function.Embedding
	dense     *function.Dense
}

// New returns a model with untrained weights. It builds the layers, so that no first call has to.
func New(r *function.Runtime) *Model {
	m := &Model{embedding: function.NewEmbedding(10, embeddingSize), dense: function.NewDense(10)}
	m.embedding.Build(r.Host())
	m.dense.Build(r.Host(), embeddingSize)
	m.Inference = function.New(r, m.inference)
	m.Fun = function.New(r, m.fun)
	return m
}

func (m *Model) inference(c *function.Ctx, tokens function.Tensor) function.Tensor {
	c.Print("call function: inference")
	return m.dense.Call(c, m.embedding.Call(c, tokens))
}

// fun calls the plain inference, which becomes a part of its graph. The wrapped one is for host code.
func (m *Model) fun(c *function.Ctx, tokens function.Tensor) function.Tensor {
	c.Print("call function: fun")
	return m.inference(c, tokens)
}
