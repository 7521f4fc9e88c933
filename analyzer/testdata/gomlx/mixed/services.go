package mixed

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math/rand"
	"os"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/support/exceptions"
)

func identity(x *graph.Node) *graph.Node { return x }

// Noise runs its wrapper once: it draws as often as it is called.
func Noise(backend compute.Backend) *tensors.Tensor {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		_, noise := graph.RandomNormal(graph.RNGStateForGraph(x.Graph()), x.Shape()) // a note: built, called and dropped
		return noise
	}).MustCall1(float32(1))
}

// Failing logs on the way to a panic.
func Failing(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		if err := check(x); err != nil {
			log.Printf("bad: %v", err) // ends in a panic
			panic(err)
		}
		for i := range x.Rank() {
			if i > 5 {
				fmt.Println("too deep") // ends in the engine's panic
				exceptions.Panicf("rank %d", x.Rank())
			}
		}
		return x
	})
}

// Describing logs while a panic passes.
func Describing(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		defer func() {
			if r := recover(); r != nil {
				log.Printf("while building %s", x) // ends in a panic
				panic(r)
			}
		}()
		return graph.OnePlus(x)
	})
}

func check(x *graph.Node) error {
	if x.Rank() > 3 {
		return errors.New("rank")
	}
	return nil
}

// Logging logs through what it captures, and through what it makes around the standard streams.
func Logging(ctx context.Context, backend compute.Backend, l *slog.Logger) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		l.InfoContext(ctx, "x")   // want `InfoContext prints.*\(print\)$`
		l.With("a", 1).Debug("x") // want `Debug prints.*\(print\)$`
		out := os.Stderr
		fmt.Fprintln(out, "x") // want `fmt\.Fprintln prints.*\(print\)$`
		table := tabwriter.NewWriter(os.Stdout, 0, 8, 0, '\t', 0)
		fmt.Fprintln(table, "x") // want `fmt\.Fprintln prints.*\(print\)$`
		return x
	})
}

// Timed measures how long it takes to build.
func Timed(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		start := time.Now() // only reaches the log
		defer func() {
			slog.Debug("built", "took", time.Since(start)) // want `slog\.Debug prints.*\(print\)$`
		}()
		y := graph.OnePlus(x)
		if d := time.Since(start); d > time.Second { // only decides whether to log
			log.Printf("slow: %s", d) // want `log\.Printf prints.*\(print\)$`
		}
		return y
	})
}

// Seeded draws the same numbers at each trace.
func Seeded(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		source := rand.NewSource(7)
		r := rand.New(source)
		for range 3 {
			x = graph.AddScalar(x, r.NormFloat64()) // seeded by a constant here
		}
		return x
	})
}

// service builds a wrapper for each width, once.
type service struct {
	backend compute.Backend
	store   *model.Store
	lock    sync.Mutex
	byWidth map[int]*graph.Exec
	exec    *model.Exec
}

func (s *service) get(width int) *graph.Exec {
	s.lock.Lock()
	defer s.lock.Unlock()
	if exec, ok := s.byWidth[width]; ok {
		return exec
	}
	exec := graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node { // kept, and returned
		return graph.AddScalar(x, width)
	})
	s.byWidth[width] = exec
	return exec
}

// Run calls what get keeps.
func (s *service) Run(inputs []float32) {
	for i, input := range inputs {
		s.get(i).MustCall1(input)
	}
}

// Decode builds its wrapper when first needed.
func (s *service) Decode(inputs []int32) []*tensors.Tensor {
	if s.exec == nil {
		s.exec = model.MustNewExec(s.backend, s.store, func(_ *model.Scope, x *graph.Node) *graph.Node { return x }) // kept
	}
	var outputs []*tensors.Tensor
	for range inputs {
		outputs = append(outputs, s.exec.MustCall1(inputs))
	}
	return outputs
}

// Forward configures its wrapper, calls it, and drops it.
func (s *service) Forward(inputs []int32) (*tensors.Tensor, error) {
	exec, err := model.NewExec(s.backend, s.store, func(_ *model.Scope, x *graph.Node) *graph.Node { return x }) // want `model\.NewExec.*\(rewrap\)$`
	if err != nil {
		return nil, fmt.Errorf("forward: %w", err)
	}
	exec.WithName("forward").SetMaxCache(-1)
	output, err := exec.Call1(inputs)
	exec.Finalize()
	return output, err
}

var (
	once sync.Once
	kept *graph.Exec
)

// Warm builds once, in a loop.
func Warm(backend compute.Backend, inputs []float32) {
	for _, input := range inputs {
		once.Do(func() { kept = graph.MustNewExec(backend, identity) }) // kept
		kept.MustCall1(input)
	}
}

// Retry tries again.
func Retry(backend compute.Backend) (exec *graph.Exec, err error) {
	for range 3 {
		if exec, err = graph.NewExec(backend, identity); err == nil { // returned
			return exec, nil
		}
	}
	return nil, err
}

var debug = os.Getenv("DEBUG") != "" // read once, outside of traces

// Debug prints if told to.
func Debug(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		if debug { // read once
			fmt.Println("x", x) // want `fmt\.Println prints.*\(print\)$`
		}
		return x
	})
}

// Multitask trains with a specification.
func Multitask(backend compute.Backend, store *model.Store, loss train.LossFn) *train.Trainer {
	return train.NewTrainer(backend, store, func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
		fmt.Println(spec) // want `fmt\.Println prints.*\(print\)$`
		return inputs
	}, loss, nil, nil, nil)
}

// network embeds its wrapper.
type network struct {
	*graph.Exec
	turns int
}

func newNetwork(backend compute.Backend) *network {
	n := &network{}
	n.Exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		n.turns++                    // want `n\.turns.*\(write\)$`
		y := n.MustCall1(float32(1)) // want `MustCall1.*\(recursive-trace\)$`
		return graph.Add(x, graph.Const(x.Graph(), y))
	})
	return n
}
