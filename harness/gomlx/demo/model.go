// Package demo is a small model with the mistakes that tracelint finds: it compiles, it runs, its results look right,
// and it prints, reads the clock, computes and compiles at other times than its code suggests. tracelint names each
// place; the tests hold what really happens.
package demo

import (
	"fmt"
	"math"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
)

const (
	vocabulary    = 10
	embeddingSize = 15
	units         = 10
)

// Model scores tokens with an embedding and a dense layer. Both are created when a graph first needs them.
type Model struct {
	backend   compute.Backend
	store     *model.Store
	fun       *model.ExecOneOutput
	inference *model.ExecOneOutput

	background []int64 // the token whose scores Fun subtracts
	made       int64   // when the weights were made, in Unix seconds: older scores count less
}

// New returns a model with untrained weights on the given backend.
func New(backend compute.Backend) *Model {
	m := &Model{
		backend:    backend,
		store:      model.NewStore(),
		background: []int64{0},
		made:       time.Now().Unix(),
	}
	m.fun = model.MustNewExec1(backend, m.store, m.Fun)
	m.inference = model.MustNewExec1(backend, m.store, m.Inference)
	return m
}

// Inference builds the graph that scores tokens: one row of units for each of them.
func (m *Model) Inference(scope *model.Scope, tokens *graph.Node) *graph.Node {
	fmt.Println("call function: inference")
	embedded := graph.ExpandAxes(embed(scope, tokens), -1)
	weights := scope.In("dense").VariableWithShape("weights", shapes.Make(dtypes.Float32, embeddingSize, units))
	// Written out, since the pure Go backend's small matrix products do not pass the pointer checks of -race.
	return graph.ReduceSum(graph.Mul(embedded, graph.ExpandAxes(weights.NodeValue(tokens), 0)), 1)
}

func embed(scope *model.Scope, tokens *graph.Node) *graph.Node {
	return layers.Embedding(scope.In("embedding"), graph.ExpandAxes(tokens, -1), dtypes.Float32, vocabulary, embeddingSize)
}

// Fun builds the graph that scores tokens against the background, discounted by the age of the weights.
func (m *Model) Fun(scope *model.Scope, tokens *graph.Node) *graph.Node {
	fmt.Println("call function: fun")
	background := m.inference.MustCall(m.background)
	hours := float64(time.Now().Unix()-m.made) / 3600
	scores := graph.Sub(m.Inference(scope, tokens), graph.ConstTensor(tokens.Graph(), background))
	return graph.MulScalar(scores, math.Exp(-hours))
}

// Score returns what Fun computes for tokens.
func (m *Model) Score(tokens []int64) *tensors.Tensor {
	return m.fun.MustCall(tokens)
}

// Infer returns what Inference computes for tokens.
func (m *Model) Infer(tokens []int64) *tensors.Tensor {
	return m.inference.MustCall(tokens)
}

// Embed returns the embeddings alone.
func (m *Model) Embed(tokens []int64) *tensors.Tensor {
	exec := model.MustNewExec1(m.backend, m.store, func(scope *model.Scope, tokens *graph.Node) *graph.Node {
		fmt.Println("call function: embed")
		return embed(scope, tokens)
	})
	return exec.MustCall(tokens)
}
