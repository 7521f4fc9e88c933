// Package before is an inference server as people first write it: each request builds its wrapper, and each text has
// its own length.
package before

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
)

// Server answers a JSON list of texts with a list of scores.
type Server struct {
	rec     *harness.Recorder
	backend compute.Backend
	store   *model.Store
}

// New returns a server whose traces are recorded in rec.
func New(rec *harness.Recorder, backend compute.Backend, store *model.Store) *Server {
	return &Server{rec: rec, backend: backend, store: store}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var texts []string
	if err := json.NewDecoder(r.Body).Decode(&texts); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	scores, err := s.Score(texts)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(scores)
}

// Score returns the score of each text.
func (s *Server) Score(texts []string) ([]float32, error) {
	exec := model.MustNewExec1(s.backend, s.store, harness.Wrap(s.rec, "score", score))
	var scores []float32
	for _, text := range texts {
		tokens := tokenize(text)
		result, err := exec.Call(tokens)
		if err != nil {
			return nil, err
		}
		scores = append(scores, result.Value().(float32))
	}
	return scores, nil
}

// tokenize returns a token for each word: its length.
func tokenize(text string) []int32 {
	var tokens []int32
	for _, word := range strings.Fields(text) {
		tokens = append(tokens, int32(min(len(word), 99)))
	}
	return tokens
}

// score is the mean of the tokens' weights.
func score(scope *model.Scope, tokens *graph.Node) *graph.Node {
	return graph.ReduceAllMean(layers.Embedding(scope, tokens, dtypes.Float32, 100, 1))
}
