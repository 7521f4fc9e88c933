// Package before is a model of two wrapped functions, of which one calls the other, as people first write it: its layers
// are built when they are first used, and it prints as host code does.
package before

import (
	"fmt"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// Model scores tokens with an embedding and a dense layer.
type Model struct {
	// Fun and Inference are the wrapped functions; Fun returns what Inference does.
	Fun, Inference *function.Func[func(*function.Ctx, function.Tensor) function.Tensor]

	embedding *function.Embedding
	dense     *function.Dense
}

// New returns a model with untrained weights.
func New(r *function.Runtime) *Model {
	m := &Model{embedding: function.NewEmbedding(10, 15), dense: function.NewDense(10)}
	m.Inference = function.New(r, m.inference)
	m.Fun = function.New(r, m.fun)
	return m
}

func (m *Model) inference(c *function.Ctx, tokens function.Tensor) function.Tensor {
	fmt.Println("call function: inference")
	return m.dense.Call(c, m.embedding.Call(c, tokens))
}

func (m *Model) fun(c *function.Ctx, tokens function.Tensor) function.Tensor {
	fmt.Println("call function: fun")
	return m.Inference.Call(c, tokens)
}
