// Package rules has a few cases of each rule in the layout of GoMLX up to v0.23.
package rules

import (
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/exceptions"
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/graph"
	"github.com/gomlx/gomlx/ml/context"
	"github.com/gomlx/gomlx/ml/data"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metrics"
	"github.com/gomlx/gomlx/ml/train/optimizers"
	"github.com/gomlx/gomlx/types/tensors"
)

// Wrap wraps the functions of this file.
func Wrap(backend backends.Backend) []*graph.Exec {
	checked, err := graph.NewExecOrError(backend, panics)
	if err != nil {
		panic("no wrapper") // host code
	}
	return []*graph.Exec{
		checked,
		graph.NewExec(backend, prints),
		graph.NewExec(backend, bakes),
		graph.NewExec(backend, keeps),
		graph.NewExecAny(backend, anything),
	}
}

func prints(x *graph.Node) *graph.Node {
	fmt.Println("x is", x) // want `fmt\.Println.*\(print\)$`
	var text strings.Builder
	fmt.Fprintln(&text, "x")   // a local writer
	x.SetLogged(text.String()) // the idiom
	return x
}

// anything has no symbolic parameter: only the wrapper makes it a root.
func anything(g *graph.Graph) *graph.Node {
	fmt.Println("any") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func bakes(x *graph.Node) *graph.Node {
	data, err := os.ReadFile("weights.bin") // want `os\.ReadFile.*\(io\)$`
	if err != nil {
		panic(err) // an error
	}
	x = graph.AddScalar(x, float64(len(data)))
	start := time.Now()                                                                      // only reaches time.Since
	_ = time.Since(start)                                                                    // reaches nothing
	x = graph.AddScalar(x, float64(time.Now().Unix()))                                       // want `time\.Now.*\(clock\)$`
	x = graph.AddScalar(x, rand.New(rand.NewSource(1)).Float64())                            // seeded by a constant here
	x = graph.AddScalar(x, rand.Float64())                                                   // want `rand\.Float64.*\(random\)$`
	_, a := graph.RandomNormal(graph.Const(x.Graph(), graph.RngStateFromSeed(1)), x.Shape()) // a constant seed
	_, b := graph.RandomNormal(graph.Const(x.Graph(), graph.RngState()), x.Shape())          // want `graph\.RngState.*\(random\)$`
	if len(os.Args) > 1 {                                                                    // constant
		return graph.Add(a, b)
	}
	return graph.AddScalar(x, float64(len(os.Getenv("HOME")))) // want `os\.Getenv.*\(environ\)$`
}

var (
	calls int
	last  *graph.Node
	lock  sync.Mutex
)

func keeps(x *graph.Node) *graph.Node {
	lock.Lock()                  // the cure for parallel traces
	calls++                      // want `\bcalls\b.*\(write\)$`
	lock.Unlock()                // the same
	time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
	last = x                     // want `\blast\b.*\(leak\)$`
	local := []*graph.Node{x}
	local = append(local, x) // a local
	return local[1]
}

func panics(x *graph.Node) *graph.Node {
	if x.Rank() > 2 {
		panic("rank") // want `panic.*\(abort\)$`
	}
	if x.Rank() > 1 {
		exceptions.Panicf("rank %d", x.Rank()) // an error
	}
	if err := exceptions.Try(func() { panic("caught") }); err != nil { // caught on the spot
		panic(err) // an interface
	}
	return x
}

// Nested calls a wrapper while tracing.
func Nested(backend backends.Backend, weights []float32) *context.Exec {
	inner := graph.NewExec(backend, prints)
	return context.NewExec(backend, context.New(), func(ctx *context.Context, x *graph.Node) *graph.Node {
		y := inner.Call(weights)[0]                   // want `Call.*\(nested-wrap\)$`
		z := graph.ExecOnce(backend, prints, weights) // want `graph\.ExecOnce.*\(nested-wrap\)$`
		inner.SetMaxCache(8)                          // neither built nor called
		return graph.Add(x, graph.Add(graph.Const(x.Graph(), y), graph.Const(x.Graph(), z)))
	})
}

type scorer struct {
	backend backends.Backend
	exec    *context.Exec
}

// Setup wraps a method that calls the wrapper.
func (s *scorer) Setup() {
	s.exec = context.NewExec(s.backend, context.New(), s.score)
}

func (s *scorer) score(ctx *context.Context, x *context.Node) *context.Node {
	y := s.exec.Call(float32(1)) // want `Call.*\(recursive-trace\)$`
	return graph.Add(x, graph.Const(x.Graph(), y[0]))
}

// Forward builds, calls and drops.
func (s *scorer) Forward(x []float32) *tensors.Tensor {
	exec := graph.NewExec(s.backend, prints) // want `graph\.NewExec.*\(rewrap\)$`
	return exec.Call(x)[0]
}

// Handle serves a request.
func (s *scorer) Handle(w http.ResponseWriter, r *http.Request) {
	exec := graph.NewExec(s.backend, prints)                        // want `graph\.NewExec.*\(rewrap\)$`
	fmt.Fprintln(w, exec.Call(float32(1)), s.exec.Call(float32(1))) // host code
}

// Loop builds at each turn.
func Loop(backend backends.Backend, inputs []float32) {
	for _, input := range inputs {
		fmt.Println(graph.NewExec(backend, prints).Call(input)) // want `graph\.NewExec.*\(rewrap\)$`
	}
	exec := graph.NewExec(backend, prints)
	for _, input := range inputs {
		fmt.Println(exec.Call(input)) // kept
	}
}

// Train has traced functions and host callbacks.
func Train(backend backends.Backend, ctx *context.Context, ds train.Dataset) *train.Loop {
	ds = data.MapWithGraphFn(backend, ctx, ds, func(ctx *context.Context, inputs, labels []*context.Node) ([]*context.Node, []*context.Node) {
		fmt.Println("map") // want `fmt\.Println.*\(print\)$`
		return inputs, labels
	})
	ds = data.Map(ds, func(inputs, labels []*tensors.Tensor) ([]*tensors.Tensor, []*tensors.Tensor) {
		fmt.Println("host map", len(inputs)) // a host callback
		return inputs, labels
	})
	fmt.Println(ds.Name()) // host code
	trainer := train.NewTrainer(backend, ctx, func(ctx *context.Context, spec any, inputs []*graph.Node) []*graph.Node {
		fmt.Println("model") // want `fmt\.Println.*\(print\)$`
		return inputs
	}, func(labels, predictions []*graph.Node) *graph.Node {
		fmt.Println("loss") // want `fmt\.Println.*\(print\)$`
		return predictions[0]
	}, optimizers.StochasticGradientDescent().Done(), []metrics.Interface{}, nil)
	loop := train.NewLoop(trainer)
	loop.OnStep("step", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("step", loop.LoopStep) // a host callback
		return nil
	})
	return loop
}

// Once is traced as often as it is called.
func Once(backend backends.Backend) *tensors.Tensor {
	return context.ExecOnce(backend, context.New(), func(ctx *context.Context, x *graph.Node) *graph.Node {
		fmt.Println("once", time.Now(), rand.Int()) // a note
		return x
	}, float32(1))
}
