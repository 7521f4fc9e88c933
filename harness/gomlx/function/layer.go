package function

import (
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/nn"
)

// A Dense layer returns x·kernel + bias over the last axis of x. It makes its
// variables, of type float32, when it is first used, unless [Dense.Build] made
// them before: used first inside a trace, it costs a second one.
type Dense struct {
	units  int
	lock   sync.Mutex
	kernel *Variable // [features, units]
	bias   *Variable // [units]
}

// NewDense returns a layer with a number of units, not built yet.
func NewDense(units int) *Dense { return &Dense{units: units} }

// Build makes the variables for inputs with a number of features, the size of
// the last axis, unless the layer has them.
func (d *Dense) Build(c *Ctx, features int) {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.kernel == nil {
		// The limits of Glorot and Bengio (2010), as in GoMLX and Keras.
		limit := math.Sqrt(6 / float64(features+d.units))
		d.kernel = c.Variable("dense/kernel", uniform(c, SpecOf(dtypes.Float32, features, d.units), limit))
	}
	if d.bias == nil {
		d.bias = c.Variable("dense/bias", Fill(SpecOf(dtypes.Float32, d.units), 0))
	}
}

// Call applies the layer. It panics with an error if the last axis of x has no
// known size.
func (d *Dense) Call(c *Ctx, x Tensor) Tensor {
	c = c.layer("(*Dense).Call", []any{x}, setting("units", d.units))
	d.Build(c, x.Dim(-1).Int())
	return c.Op("dense", func(_ *graph.Graph, n []*graph.Node) *graph.Node {
		return nn.Dense(n[0], n[1], n[2], compute.DenseLayoutInputOutputs)
	}, x, d.kernel.Read(c), d.bias.Read(c))
}

// Variables returns kernel and bias, nothing before the layer is built.
func (d *Dense) Variables() []*Variable {
	d.lock.Lock()
	defer d.lock.Unlock()
	return made(d.kernel, d.bias)
}

// An Embedding layer returns a row of its table for each integer in its input.
// It makes the table, of type float32, as [Dense] makes its variables.
type Embedding struct {
	rows, columns int
	lock          sync.Mutex
	table         *Variable // [rows, columns]
}

// NewEmbedding returns a layer with a number of rows and columns, not built yet.
func NewEmbedding(rows, columns int) *Embedding { return &Embedding{rows: rows, columns: columns} }

// Build makes the table unless the layer has it.
func (e *Embedding) Build(c *Ctx) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.table == nil {
		// The limits of Keras's embedding.
		e.table = c.Variable("embedding/table", uniform(c, SpecOf(dtypes.Float32, e.rows, e.columns), 0.05))
	}
}

// Call applies the layer to integers, which must be numbers of rows.
func (e *Embedding) Call(c *Ctx, x Tensor) Tensor {
	c = c.layer("(*Embedding).Call", []any{x}, setting("rows", e.rows), setting("columns", e.columns))
	e.Build(c)
	return c.Op("embedding", func(_ *graph.Graph, n []*graph.Node) *graph.Node {
		return graph.Gather(n[1], graph.InsertAxes(n[0], -1))
	}, x, e.table.Read(c))
}

// Variables returns the table, nothing before the layer is built.
func (e *Embedding) Variables() []*Variable {
	e.lock.Lock()
	defer e.lock.Unlock()
	return made(e.table)
}

func made(variables ...*Variable) []*Variable {
	var made []*Variable
	for _, v := range variables {
		if v != nil {
			made = append(made, v)
		}
	}
	return made
}

// uniform returns an initialiser with another seed for each variable of a
// runtime, so that equal layers start with different weights.
func uniform(c *Ctx, spec Spec, limit float64) func(*Ctx) Tensor {
	return Uniform(spec, limit, c.rt.variables.Load()+1)
}

// layer returns a context for what a layer does.
func (c *Ctx) layer(name string, args []any, settings ...string) *Ctx {
	check(c.valid())
	c.converted("layer", name, args, settings)
	inner := *c
	inner.depth++
	return &inner
}

func setting(name string, value any) string { return fmt.Sprintf("%s: %v", name, value) }
