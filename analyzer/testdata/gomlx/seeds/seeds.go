// Package seeds holds the programs S1 to S3 that tracelint was born from, on the engine function.
package seeds

import (
	"fmt"
	"time"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

type body = func(*function.Ctx, function.Tensor) function.Tensor

// Model is S1's: two traced methods, one of which calls the other's wrapper.
type Model struct {
	Fun, Inference *function.Func[body]

	embedding *function.Embedding
	dense     *function.Dense
}

func NewModel(r *function.Runtime) *Model {
	m := &Model{embedding: function.NewEmbedding(10, 15), dense: function.NewDense(10)}
	m.Inference = function.New(r, m.inference)
	m.Fun = function.New(r, m.fun)
	return m
}

func (m *Model) inference(c *function.Ctx, x function.Tensor) function.Tensor {
	fmt.Println("call function: inference")        // want `fmt\.Println prints once per trace.*Ctx\.Print.*\(print\)$`
	return m.dense.Call(c, m.embedding.Call(c, x)) // want `\(state-creation\)$`
}

func (m *Model) fun(c *function.Ctx, x function.Tensor) function.Tensor {
	fmt.Println("call function: fun") // want `fmt\.Println prints once per trace.*\(print\)$`
	return m.Inference.Call(c, x)     // want `\(\*function\.Func\)\.Call calls a wrapper.*\(nested-wrap\)$`
}

// Printed is S2's method: the engine's own print belongs to the graph.
func (m *Model) Printed(c *function.Ctx, x function.Tensor) function.Tensor {
	c.Print("call function: inference") // runs at every call
	return c.Tanh(x)
}

// Layer is S3's: its body prints the time, and its dense layer is built on the first call.
type Layer struct{ dense *function.Dense }

func Wrap(r *function.Runtime) *function.Func[body] {
	layer := &Layer{dense: function.NewDense(32)}
	return function.New(r, layer.call)
}

func (l *Layer) call(c *function.Ctx, x function.Tensor) function.Tensor {
	now := time.Now().Unix()                      // reaches the print alone
	fmt.Println()                                 // want `fmt\.Println prints once per trace.*\(print\)$`
	fmt.Println("Currently running eagerly", now) // want `fmt\.Println prints once per trace.*\(print\)$`
	return l.dense.Call(c, x)                     // want `\(state-creation\)$`
}

// Stamped is S3's layer with the time in the graph.
func (l *Layer) Stamped(c *function.Ctx, x function.Tensor) function.Tensor {
	return c.Add(l.call(c, x), function.From(float32(time.Now().Unix()))) // want `time\.Now reads the clock.*\(clock\)$`
}
