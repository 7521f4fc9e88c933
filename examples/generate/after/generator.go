// Package after generates the tokens of package before with one trace: the tokens are in a buffer of constant length,
// and how many there are is an input.
package after

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
)

const (
	vocabulary = 50
	longest    = 64
)

// Generator continues prompts.
type Generator struct{ exec *model.ExecOneOutput }

// New returns a generator whose traces are recorded in rec.
func New(rec *harness.Recorder, backend compute.Backend, store *model.Store) *Generator {
	return &Generator{gomlx.MustNewModelExec1(rec, backend, store, next)}
}

// Generate returns the prompt with tokens added, until there are limit of them, which must be 64 at most.
func (g *Generator) Generate(prompt []int32, limit int) ([]int32, error) {
	if limit > longest || len(prompt) > limit || len(prompt) == 0 {
		return nil, fmt.Errorf("a prompt of %d tokens cannot grow to %d, the most being %d", len(prompt), limit, longest)
	}
	buffer := make([]int32, longest)
	for position := copy(buffer, prompt); position < limit; position++ {
		token, err := g.exec.Call(buffer, int32(position))
		if err != nil {
			return nil, err
		}
		buffer[position] = token.Value().(int32)
	}
	return buffer[:limit], nil
}

// next is the token that scores best in the mean of the embeddings of the first position tokens.
func next(scope *model.Scope, buffer, position *graph.Node) *graph.Node {
	embedded := layers.Embedding(scope, graph.ExpandAxes(buffer, -1), dtypes.Float32, vocabulary, vocabulary)
	isToken := graph.ConvertDType(graph.LessThan(graph.Iota(buffer.Graph(), buffer.Shape(), 0), position), dtypes.Float32)
	sum := graph.ReduceSum(graph.Mul(embedded, graph.ExpandAxes(isToken, -1)), 0)
	return graph.ArgMax(graph.Div(sum, graph.ConvertDType(position, dtypes.Float32)), 0, dtypes.Int32)
}
