package rewrap

import (
	"encoding/json"
	"net/http"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
)

// Decoded builds its wrapper after a check for an error, which is no check whether there is one already.
func Decoded(backend compute.Backend) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var input []float32
		if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		exec := graph.MustNewExec(backend, graph.Square) // want `for each request.*\(rewrap\)$`
		exec.MustCall1(input)
	}
}

// AtOnce builds its wrapper in a literal that is called at once, as is usual for a defer in each turn.
func AtOnce(backend compute.Backend) {
	for range 3 {
		func() {
			graph.MustNewExec(backend, graph.Abs).MustCall1(1.0) // want `in each turn of a loop.*\(rewrap\)$`
		}()
	}
	for turn := range 3 {
		func() {
			graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
				return graph.AddScalar(x, float64(turn)) // depends on the turn
			}).MustCall1(1.0)
		}()
	}
}
