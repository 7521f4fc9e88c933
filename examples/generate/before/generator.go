// Package before generates tokens as people first write it: it builds a wrapper for each answer, and calls it with a
// list of tokens that grows.
package before

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
)

const vocabulary = 50

// Generator continues prompts.
type Generator struct {
	rec     *harness.Recorder
	backend compute.Backend
	store   *model.Store
}

// New returns a generator whose traces are recorded in rec.
func New(rec *harness.Recorder, backend compute.Backend, store *model.Store) *Generator {
	return &Generator{rec: rec, backend: backend, store: store}
}

// Generate returns the prompt with tokens added, until there are limit of them.
func (g *Generator) Generate(prompt []int32, limit int) []int32 {
	exec := model.MustNewExec1(g.backend, g.store, harness.Wrap(g.rec, "next", next))
	tokens := slices.Clone(prompt)
	for len(tokens) < limit {
		token := exec.MustCall(tokens)
		tokens = append(tokens, token.Value().(int32))
	}
	return tokens
}

// next is the token that scores best in the mean of the embeddings of all tokens so far.
func next(scope *model.Scope, tokens *graph.Node) *graph.Node {
	embedded := layers.Embedding(scope, graph.ExpandAxes(tokens, -1), dtypes.Float32, vocabulary, vocabulary)
	return graph.ArgMax(graph.ReduceMean(embedded, 0), 0, dtypes.Int32)
}
