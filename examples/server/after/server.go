// Package after is the server of package before with one wrapper, texts padded to one of a few lengths, all of them
// traced before the first request, and counters that tell if that ever fails to hold.
package after

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/bits"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
)

// The lengths that texts are padded to are the powers of two from shortest to longest.
const (
	shortest = 8
	longest  = 64
)

// Server answers a JSON list of texts, each of 1 to 64 words, with a list of scores.
type Server struct {
	exec *model.ExecOneOutput
	// Texts counts the texts scored, LateTraces the traces since the warm-up: more than 0 is a bug.
	Texts, LateTraces atomic.Int64
}

// New returns a server whose traces are recorded in rec. It traces score for each length, and has further traces
// counted and logged.
func New(rec *harness.Recorder, backend compute.Backend, store *model.Store) (*Server, error) {
	exec, err := gomlx.NewModelExec1(rec, backend, store, score)
	if err != nil {
		return nil, err
	}
	s := &Server{exec: exec}
	for length := shortest; length <= longest; length *= 2 {
		if _, err := exec.Call(make([]int32, length), int32(1)); err != nil {
			return nil, fmt.Errorf("warm-up with %d tokens: %w", length, err)
		}
	}
	rec.Freeze(func(trace harness.Trace) {
		s.LateTraces.Add(1)
		slog.Warn("traced while serving", "function", trace.Function.Name, "args", trace.Args, "cause", trace.Cause)
	})
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var texts []string
	if err := json.NewDecoder(r.Body).Decode(&texts); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	scores := make([]float32, 0, len(texts))
	for i, text := range texts {
		tokens := tokenize(text)
		if len(tokens) == 0 || len(tokens) > longest {
			http.Error(w, fmt.Sprintf("text %d has %d words, not 1 to %d", i, len(tokens), longest), http.StatusBadRequest)
			return
		}
		result, err := s.exec.Call(pad(tokens), int32(len(tokens)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		scores = append(scores, result.Value().(float32))
		s.Texts.Add(1)
	}
	json.NewEncoder(w).Encode(scores)
}

// tokenize returns a token for each word: its length.
func tokenize(text string) []int32 {
	var tokens []int32
	for _, word := range strings.Fields(text) {
		tokens = append(tokens, int32(min(len(word), 99)))
	}
	return tokens
}

// pad returns the tokens with zeros after them, up to the next power of two.
func pad(tokens []int32) []int32 {
	length := max(shortest, 1<<bits.Len(uint(len(tokens)-1)))
	padded := make([]int32, length)
	copy(padded, tokens)
	return padded
}

// score is the mean of the weights of the first length tokens.
func score(scope *model.Scope, tokens, length *graph.Node) *graph.Node {
	weights := graph.Reshape(layers.Embedding(scope, tokens, dtypes.Float32, 100, 1), -1)
	isToken := graph.LessThan(graph.Iota(tokens.Graph(), tokens.Shape(), 0), length)
	sum := graph.ReduceAllSum(graph.Where(isToken, weights, graph.ZerosLike(weights)))
	return graph.Div(sum, graph.ConvertDType(length, dtypes.Float32))
}
