package statecreation

import (
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/tracelint/tracelint/harness/gomlx/function"

	"example.com/fixtures/statemaker"
)

type unary = func(*function.Ctx, function.Tensor) function.Tensor

var scalar = function.SpecOf(dtypes.Float32)

// embedder makes its state when it is first called, inside a trace.
type embedder struct {
	embedding *function.Embedding
	dense     *function.Dense
	scale     *function.Variable
	bias      *function.Variable
	helped    *function.Variable
	once      sync.Once
}

// NewEmbedder wraps methods that make state.
func NewEmbedder(r *function.Runtime) []*function.Func[unary] {
	m := &embedder{embedding: function.NewEmbedding(10, 15), dense: function.NewDense(10)}
	return []*function.Func[unary]{
		function.New(r, m.inference),
		function.New(r, m.scaled),
		function.New(r, everyTime),
	}
}

func (m *embedder) inference(c *function.Ctx, x function.Tensor) function.Tensor {
	x = m.embedding.Call(c, x) // want `Embedding\)\.Call makes state in the first call.*\(state-creation\)$`
	return m.dense.Call(c, x)  // want `Dense\)\.Call makes state in the first call.*\(state-creation\)$`
}

func (m *embedder) scaled(c *function.Ctx, x function.Tensor) function.Tensor {
	if m.scale == nil {
		m.scale = c.Variable("scale", function.Fill(scalar, 1)) // want `Ctx\)\.Variable makes state in the first call.*\(state-creation\)$`
	}
	m.once.Do(func() {
		m.bias = c.Variable("bias", function.Fill(scalar, 0)) // want `Ctx\)\.Variable makes state in the first call.*\(state-creation\)$`
	})
	if m.helped == nil {
		m.helped = statemaker.Scale(c) // want `statemaker\.Scale: .*Ctx\)\.Variable makes state in the first call.*\(state-creation\)$`
	}
	return c.Add(c.Mul(x, m.scale.Read(c)), c.Add(m.bias.Read(c), m.helped.Read(c)))
}

func everyTime(c *function.Ctx, x function.Tensor) function.Tensor {
	v := c.Variable("offset", function.Fill(scalar, 0)) // want `Ctx\)\.Variable makes state in every trace.*\(state-creation\)$`
	x = c.Add(x, statemaker.Scale(c).Read(c))           // want `statemaker\.Scale: .*Ctx\)\.Variable makes state in every trace.*\(state-creation\)$`
	dense := function.NewDense(4)
	return c.Add(dense.Call(c, x), v.Read(c)) // want `Dense\)\.Call makes state in every trace.*\(state-creation\)$`
}

// built makes all of its state before it is traced.
type built struct {
	dense     *function.Dense
	embedding *function.Embedding
	scale     *function.Variable
}

// NewBuilt wraps a method whose state is there.
func NewBuilt(r *function.Runtime) *function.Func[unary] {
	c := r.Host()
	m := &built{
		dense:     function.NewDense(10),
		embedding: function.NewEmbedding(10, 15),
		scale:     c.Variable("scale", function.Fill(scalar, 1)), // host code
	}
	m.dense.Build(c, 15)                                 // the same
	m.embedding.Call(c, function.From([]int64{1, 2, 3})) // the same
	return function.New(r, m.inference)
}

func (m *built) inference(c *function.Ctx, x function.Tensor) function.Tensor {
	x = m.dense.Call(c, m.embedding.Call(c, x))     // built before
	m.scale.AssignAdd(c, function.From(float32(1))) // changes state, makes none
	return c.Mul(x, m.scale.Read(c))
}

// Eager uses a layer outside of traces alone.
func Eager(r *function.Runtime, x function.Tensor) function.Tensor {
	return function.NewDense(3).Call(r.Host(), x) // host code
}
