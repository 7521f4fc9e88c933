package staleread

import (
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"example.com/fixtures/middle"
)

type service struct {
	backend compute.Backend
	store   *model.Store
	exec    *graph.Exec
	scale   float64
	execs   map[string]*graph.Exec
	bySize  map[size]*graph.Exec
	byIndex []*graph.Exec
	once    sync.Once
	mu      sync.Mutex
	loaded  sync.Map
	batch   int
	entries map[any]*entry
	named   func(*graph.Node) *graph.Node
}

type size struct{ height, width int }

type entry struct{ exec *graph.Exec }

// Scale keeps the first call's factor.
func (s *service) Scale(x *tensors.Tensor, factor float64) *tensors.Tensor {
	if s.exec == nil {
		s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
		})
	}
	return s.exec.MustCall1(x)
}

// Early returns what it has.
func (s *service) Early(factor float64) *graph.Exec {
	if s.exec != nil {
		return s.exec
	}
	double := 2 * factor
	var err error
	s.exec, err = graph.NewExec(s.backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, double) // want `^double is that of the first call.*\(stale-read\)$`
	})
	if err != nil {
		panic(err)
	}
	return s.exec
}

// Missing keeps one for each name, whatever the factor.
func (s *service) Missing(name string, factor float64, x *tensors.Tensor) *tensors.Tensor {
	exec, ok := s.execs[name]
	if !ok {
		exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			if name == "half" { // the key
				x = graph.DivScalar(x, 2.0)
			}
			return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
		})
		s.execs[name] = exec
	}
	return exec.MustCall1(x)
}

// Once keeps the first call's.
func (s *service) Once(factor float64) *graph.Exec {
	s.once.Do(func() {
		s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
		})
	})
	return s.exec
}

// Loaded keeps wrappers in a sync.Map.
func (s *service) Loaded(name string, factor float64) *graph.Exec {
	if exec, ok := s.loaded.Load(name); ok {
		return exec.(*graph.Exec)
	}
	exec := graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
	})
	s.loaded.Store(name, exec)
	return exec
}

// Helper hands the factor to the function that makes the wrapper.
func (s *service) Helper(factor, offset float64) *graph.Exec {
	if s.exec == nil {
		s.exec = s.make(factor)
	}
	if s.execs["offset"] == nil {
		s.execs["offset"] = middle.Adder(s.backend, offset) // want `^offset is that of the first call.*middle\.Adder.*\(stale-read\)$`
	}
	return s.exec
}

func (s *service) make(factor float64) *graph.Exec {
	return graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
	})
}

// Map keeps an executor for what is printed of a spec, with the spec of the first batch.
func (s *service) Map(ds train.Dataset, fn func(spec any, x *graph.Node) *graph.Node) {
	for batch, err := range ds.Iter() {
		if err != nil {
			return
		}
		key := fmt.Sprintf("%+v/%d", batch.Spec, len(batch.Inputs))
		executor, found := s.entries[key]
		if !found {
			executor = &entry{}
			executor.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
				if len(batch.Inputs) > 1 { // the key
					x = graph.Neg(x)
				}
				return fn(batch.Spec, x) // want `^batch is that of the first call.*\(stale-read\)$`
			})
			s.entries[key] = executor
		}
		executor.exec.MustCall1(batch.Inputs[0])
	}
}

// Loop keeps the first turn's.
func Loop(backend compute.Backend, factors []float64, x *tensors.Tensor) {
	var exec *graph.Exec
	for _, factor := range factors {
		if exec == nil {
			exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
				return graph.MulScalar(x, factor) // want `^factor is that of the first call.*\(stale-read\)$`
			})
		}
		exec.MustCall1(x)
	}
}

// Keyed captures nothing that the key does not hold.
func (s *service) Keyed(height, width int, x *tensors.Tensor) *graph.Exec {
	key := size{height, width}
	exec, ok := s.bySize[key]
	if !ok {
		exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.BroadcastToDims(x, height, key.width) // the key
		})
		s.bySize[key] = exec
	}
	name := fmt.Sprintf("%dx%d of %s", height, width, x.Shape())
	if s.execs[name] == nil {
		rank := x.Shape().Rank()
		s.execs[name] = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.BroadcastToDims(x, height, width, rank) // the key, printed
		})
	}
	return exec
}

// Rebuilt makes a new wrapper when what it captures changes.
func (s *service) Rebuilt(batch int) *graph.Exec {
	if s.exec == nil || s.batch != batch {
		s.batch = batch
		s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.BroadcastToDims(x, batch) // the same in every call with this wrapper
		})
	}
	return s.exec
}

// Checked refuses what differs.
func (s *service) Checked(batch int) (*graph.Exec, error) {
	if s.exec != nil && s.batch != batch {
		return nil, fmt.Errorf("batch of %d after one of %d", batch, s.batch)
	}
	if s.exec == nil {
		s.batch = batch
		s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			return graph.BroadcastToDims(x, batch) // the same in every call
		})
	}
	return s.exec, nil
}

// Own captures what belongs to the value that keeps the wrapper, functions and engine objects.
func (s *service) Own(backend compute.Backend, fn func(*graph.Node) *graph.Node) *graph.Exec {
	scale := s.scale
	if s.exec == nil {
		s.exec = graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.MulScalar(fn(x), scale*s.scale) // not of this call
		})
	}
	return s.exec
}

// Anew makes a wrapper for each call and keeps the last one.
func (s *service) Anew(factor float64) *graph.Exec {
	if factor == 0 {
		factor = 1
	}
	s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
		return graph.MulScalar(x, factor) // of the call that made it
	})
	return s.exec
}

// Each makes one for each layer.
func (s *service) Each(widths []int) {
	for i, width := range widths {
		if s.byIndex[i] == nil {
			s.byIndex[i] = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
				return graph.BroadcastToDims(x, i, width) // the index tells the width
			})
		}
	}
}

// Message captures what only a message shows.
func (s *service) Message(name string) *graph.Exec {
	if s.exec == nil {
		s.exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
			if x.Rank() != 2 {
				panic(fmt.Errorf("%s needs rank 2", name)) // for people
			}
			return x
		})
	}
	return s.exec
}

// Named makes one for each name.
func (s *service) Named(names []string, x *tensors.Tensor) {
	for i, name := range names {
		exec, ok := s.execs[name]
		if !ok {
			exec = graph.MustNewExec(s.backend, func(x *graph.Node) *graph.Node {
				return graph.AddScalar(x, i) // the name tells the index
			})
			s.execs[name] = exec
		}
		exec.MustCall1(x)
	}
}
