// Package rules has a few cases of each rule in the layout of GoMLX v0.24 to v0.27.
package rules

import (
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/gomlx/backends"
	. "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	gomlxcontext "github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/datasets"
	"github.com/gomlx/gomlx/pkg/ml/layers"
	"github.com/gomlx/gomlx/pkg/ml/train"
	"github.com/gomlx/gomlx/pkg/ml/train/metrics"
	"github.com/gomlx/gomlx/pkg/ml/train/optimizers"
)

// Wrap wraps the functions of this file.
func Wrap(backend backends.Backend) []*Exec {
	var anything any = printsAny
	return []*Exec{
		MustNewExec(backend, prints),
		MustNewExec(backend, reads),
		MustNewExec(backend, clocks),
		MustNewExec(backend, rolls),
		MustNewExec(backend, looks),
		MustNewExec(backend, writes),
		MustNewExec(backend, waits),
		MustNewExec(backend, leaks),
		MustNewExec(backend, panics),
		MustNewExecAny(backend, anything),
		MustNewExecAny(backend, any(func(g *Graph) *Node {
			fmt.Println("converted to any") // want `fmt\.Println.*\(print\)$`
			return Const(g, 1)
		})),
	}
}

func prints(x *Node) *Node {
	fmt.Println("x is", x) // want `fmt\.Println.*\(print\)$`
	var text strings.Builder
	fmt.Fprintln(&text, "x")   // a local writer
	x.SetLogged(text.String()) // the idiom
	return x
}

// printsAny has no symbolic parameter: only the wrapper makes it a root.
func printsAny(g *Graph) *Node {
	fmt.Println("any") // want `fmt\.Println.*\(print\)$`
	return Const(g, 1)
}

func reads(x *Node) *Node {
	data, err := os.ReadFile("weights.bin") // want `os\.ReadFile.*\(io\)$`
	if err != nil {
		panic(err) // an error
	}
	return AddScalar(x, float64(len(data)))
}

func clocks(x *Node) *Node {
	start := time.Now()                             // only reaches time.Since
	_ = time.Since(start)                           // reaches nothing
	return AddScalar(x, float64(time.Now().Unix())) // want `time\.Now.*\(clock\)$`
}

func rolls(x *Node) *Node {
	r := rand.New(rand.NewSource(1))
	x = AddScalar(x, r.Float64())                                           // seeded by a constant here
	x = AddScalar(x, rand.Float64())                                        // want `rand\.Float64.*\(random\)$`
	_, a := RandomNormal(RNGStateFromSeedForGraph(x.Graph(), 1), x.Shape()) // a constant seed
	_, b := RandomNormal(RNGStateForGraph(x.Graph()), x.Shape())            // want `RNGStateForGraph.*\(random\)$`
	return Add(a, b)
}

func looks(x *Node) *Node {
	if len(os.Args) > 1 { // constant
		return x
	}
	return AddScalar(x, float64(len(os.Getenv("HOME")))) // want `os\.Getenv.*\(environ\)$`
}

var (
	calls int
	last  *Node
	lock  sync.Mutex
)

func writes(x *Node) *Node {
	calls++    // want `\bcalls\b.*\(write\)$`
	local := 0 // a local
	local++    // a local
	return AddScalar(x, float64(local))
}

func waits(x *Node) *Node {
	lock.Lock() // the cure for parallel traces
	defer lock.Unlock()
	time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
	return x
}

func leaks(x *Node) *Node {
	last = x                 // want `\blast\b.*\(leak\)$`
	nodes := []*Node{x}      // a local
	nodes = append(nodes, x) // a local
	return nodes[1]
}

func panics(x *Node) *Node {
	if x.Rank() > 2 {
		panic("rank") // want `panic.*\(abort\)$`
	}
	if x.Rank() > 1 {
		panic(errors.New("rank")) // an error
	}
	return x
}

// Nested calls a wrapper while tracing.
func Nested(backend backends.Backend, weights []float32) *gomlxcontext.Exec {
	inner := MustNewExec(backend, prints) // host code
	return gomlxcontext.MustNewExec(backend, gomlxcontext.New(), func(ctx *gomlxcontext.Context, x *Node) *Node {
		y := inner.MustExec1(weights)               // want `MustExec1.*\(nested-wrap\)$`
		z := MustExecOnce(backend, prints, weights) // want `MustExecOnce.*\(nested-wrap\)$`
		inner.SetMaxCache(8)                        // neither built nor called
		return Add(x, Add(Const(x.Graph(), y), Const(x.Graph(), z)))
	})
}

type scorer struct {
	backend backends.Backend
	exec    *gomlxcontext.Exec
}

// Setup wraps a method that calls the wrapper.
func (s *scorer) Setup() {
	s.exec = gomlxcontext.MustNewExec(s.backend, gomlxcontext.New(), s.score)
}

func (s *scorer) score(ctx *gomlxcontext.Context, x *Node) *Node {
	y := s.exec.MustExec1(float32(1)) // want `MustExec1.*\(recursive-trace\)$`
	return Add(x, Const(x.Graph(), y))
}

// Forward builds, calls and drops.
func (s *scorer) Forward(x []float32) *tensors.Tensor {
	exec := MustNewExec(s.backend, prints) // want `MustNewExec.*\(rewrap\)$`
	return exec.MustExec1(x)
}

// Handle serves a request.
func (s *scorer) Handle(w http.ResponseWriter, r *http.Request) {
	exec, err := NewExec(s.backend, prints) // want `NewExec.*\(rewrap\)$`
	if err == nil {
		fmt.Fprintln(w, exec.MustExec1(float32(1)), s.exec.MustExec1(float32(1))) // host code
	}
}

// Loop builds at each turn.
func Loop(backend backends.Backend, inputs []float32) {
	for _, input := range inputs {
		fmt.Println(MustNewExec(backend, prints).MustExec1(input)) // want `MustNewExec.*\(rewrap\)$`
	}
	exec := MustNewExec(backend, prints) // before the loop
	for _, input := range inputs {
		fmt.Println(exec.MustExec1(input)) // kept
	}
}

// Session holds its function in a field, as hugot does, and writes the engine's types as the context's aliases.
type Session struct {
	Call func(ctx *gomlxcontext.Context, inputs []*gomlxcontext.Node) []*gomlxcontext.Node
	Exec *gomlxcontext.Exec
}

// NewSession wraps a field.
func NewSession(backend backends.Backend) (*Session, error) {
	s := &Session{}
	s.Call = func(ctx *gomlxcontext.Context, inputs []*gomlxcontext.Node) []*gomlxcontext.Node {
		fmt.Println("session", len(inputs)) // want `fmt\.Println.*\(print\)$`
		return inputs
	}
	exec, err := gomlxcontext.NewExecAny(backend, gomlxcontext.New(), s.Call)
	if err != nil {
		return nil, err
	}
	s.Exec = exec.SetMaxCache(-1)
	return s, nil
}

// Alias is a root by its signature.
func Alias(ctx *gomlxcontext.Context, x *gomlxcontext.Node) *gomlxcontext.Node {
	fmt.Println("alias")                     // want `fmt\.Println.*\(print\)$`
	return layers.DropoutStatic(ctx, x, 0.1) // the state is a variable
}

// Train has traced functions and host callbacks.
func Train(backend backends.Backend, ctx *gomlxcontext.Context, ds train.Dataset) *train.Loop {
	ds = datasets.MapWithGraphFn(backend, ctx, ds, func(ctx *gomlxcontext.Context, inputs, labels []*Node) ([]*Node, []*Node) {
		fmt.Println("map") // want `fmt\.Println.*\(print\)$`
		return inputs, labels
	})
	ds = datasets.Map(ds, func(inputs, labels []*tensors.Tensor) ([]*tensors.Tensor, []*tensors.Tensor) {
		fmt.Println("host map", len(inputs)) // a host callback
		return inputs, labels
	})
	fmt.Println(ds.Name()) // host code
	ctx = ctx.WithInitializer(func(g *Graph, shape shapes.Shape) *Node {
		fmt.Println("initializer") // want `fmt\.Println.*\(print\)$`
		return Zeros(g, shape)
	})
	trainer := train.NewTrainer(backend, ctx, func(ctx *gomlxcontext.Context, spec any, inputs []*Node) []*Node {
		fmt.Println("model") // want `fmt\.Println.*\(print\)$`
		return inputs
	}, func(labels, predictions []*Node) *Node {
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
	return gomlxcontext.MustExecOnce(backend, gomlxcontext.New(), func(ctx *gomlxcontext.Context, x *Node) *Node {
		fmt.Println("once", time.Now(), rand.Int()) // a note
		return x
	}, float32(1))
}
