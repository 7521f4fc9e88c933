package shapechurn

import (
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func identity(c *function.Ctx, x function.Tensor) function.Tensor { return x }

// Functions of package function are keyed by dimensions too.
func Functions(r *function.Runtime, x []float32) {
	f := function.New(r, identity)
	relaxed := function.New(r, identity, function.WithReduceRetracing())
	for n := range x {
		f.Call(r.Host(), function.From(x[:n]))       // want `f\.Call with function\.From\(x\[:n\]\).*use WithReduceRetracing \(shape-churn\)$`
		relaxed.Call(r.Host(), function.From(x[:n])) // unknown dimensions
		f.Call(r.Host(), function.From(x))           // one length
	}
}
