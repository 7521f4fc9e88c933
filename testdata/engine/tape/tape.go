// Package tape is a tracing engine in its smallest form: it runs a function of tensors once for each shape of its
// arguments, to record it on a tape, and plays the tape back at every call.
package tape

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// Node is a symbolic value: what a traced function computes with instead of numbers.
type Node struct {
	trace *trace
	index int
	size  int
}

// trace is a tape: what each value is, in order.
type trace struct{ steps []step }

// step computes one value from those before it.
type step func(values [][]float64) []float64

// DType is the type of the elements: this engine has one.
func (n *Node) DType() string { return "float64" }

// Shape is the dimensions.
func (n *Node) Shape() []int { return []int{n.size} }

var recorded atomic.Int64

// Recorded is the number of steps that this process has recorded.
func Recorded() int64 { return recorded.Load() }

func (t *trace) add(size int, s step) *Node {
	recorded.Add(1)
	t.steps = append(t.steps, s)
	return &Node{trace: t, index: len(t.steps) - 1, size: size}
}

// Mul multiplies element by element.
func Mul(a, b *Node) *Node {
	return a.trace.add(a.size, func(values [][]float64) []float64 {
		product := slices.Clone(values[a.index])
		for i := range product {
			product[i] *= values[b.index][i]
		}
		return product
	})
}

// Scale multiplies by a number of the host, which becomes part of the tape.
func Scale(a *Node, by float64) *Node {
	return a.trace.add(a.size, func(values [][]float64) []float64 {
		scaled := slices.Clone(values[a.index])
		for i := range scaled {
			scaled[i] *= by
		}
		return scaled
	})
}

// Show writes a value each time that the tape is played back.
func Show(w io.Writer, a *Node) *Node {
	return a.trace.add(a.size, func(values [][]float64) []float64 {
		fmt.Fprintln(w, values[a.index])
		return values[a.index]
	})
}

// Func is a wrapper: a function with the tapes recorded of it.
type Func struct {
	fn func(x *Node) *Node

	mu    sync.Mutex
	tapes map[int]*trace // by the argument's size
	hook  func(x *Node) (done func())
}

// MaxTapes is the number of tapes that a wrapper keeps.
const MaxTapes = 8

// Record makes a wrapper. It traces nothing yet.
func Record(fn func(x *Node) *Node) *Func { return &Func{fn: fn, tapes: map[int]*trace{}} }

// OnTrace has the engine call a function before each trace, and what that returns after it.
func (f *Func) OnTrace(hook func(x *Node) (done func())) { f.hook = hook }

// Call calls the function: it plays the tape back that was recorded for the argument's size, and records one if there is
// none. It fails if that is one too many.
func (f *Func) Call(x []float64) ([]float64, error) {
	tape, err := f.tape(len(x))
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(tape.steps))
	values[0] = x
	for i := 1; i < len(values); i++ {
		values[i] = tape.steps[i](values)
	}
	return values[len(values)-1], nil
}

func (f *Func) tape(size int) (*trace, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known := f.tapes[size]; known != nil {
		return known, nil
	}
	if len(f.tapes) == MaxTapes {
		return nil, fmt.Errorf("tape: all %d tapes are in use: call with fewer sizes", MaxTapes)
	}
	fresh := new(trace)
	x := fresh.add(size, nil)
	if f.hook != nil {
		defer f.hook(x)()
	}
	result := f.fn(x)
	fresh.steps = fresh.steps[:result.index+1]
	f.tapes[size] = fresh
	return fresh, nil
}

// Once records a function, plays the tape back once and drops it.
func Once(fn func(x *Node) *Node, x []float64) ([]float64, error) { return Record(fn).Call(x) }
