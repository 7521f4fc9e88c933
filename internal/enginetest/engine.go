// Package enginetest is a tracing engine for tests: it has a cache of traces and
// nothing to record into them. Its symbolic values have the methods of GoMLX's.
package enginetest

import (
	"fmt"
	"slices"
	"sync"
)

// DType is the type of a tensor's elements.
type DType int

// The dtypes.
const (
	Float32 DType = iota
	Int64
)

// String returns the name as GoMLX writes it.
func (d DType) String() string { return []string{"Float32", "Int64"}[d] }

// Shape is a dtype and dimensions.
type Shape struct {
	DType      DType
	Dimensions []int
}

// Make returns a shape.
func Make(dtype DType, dimensions ...int) Shape { return Shape{dtype, dimensions} }

// Node is a symbolic value.
type Node struct{ shape Shape }

// NewNode returns a symbolic value of the shape.
func NewNode(dtype DType, dimensions ...int) *Node { return &Node{Make(dtype, dimensions...)} }

// Shape returns the shape, an invalid one for nil.
func (n *Node) Shape() Shape {
	if n == nil {
		return Shape{}
	}
	return n.shape
}

// An Exec is a wrapper: its calls trace the function once for each shape.
type Exec struct {
	fn func(*Node) *Node

	mu     sync.Mutex
	traced []Shape
}

// NewExec returns a wrapper of the function.
func NewExec(fn func(*Node) *Node) *Exec { return &Exec{fn: fn} }

// Call runs the function for an argument of the shape, after tracing it if need
// be. A trace that panics is not kept.
func (e *Exec) Call(s Shape) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.traced {
		if t.DType == s.DType && slices.Equal(t.Dimensions, s.Dimensions) {
			return
		}
	}
	e.fn(&Node{s})
	e.traced = append(e.traced, s)
}

// TryCall is Call, but returns what the trace panics with as an error.
func (e *Exec) TryCall(s Shape) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("trace failed: %v", value)
		}
	}()
	e.Call(s)
	return nil
}

// CallElsewhere is Call with the trace on a goroutine of the engine.
func (e *Exec) CallElsewhere(s Shape) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Call(s)
	}()
	<-done
}

// CallFrom is Call from below frames of the engine's own.
func (e *Exec) CallFrom(frames int, s Shape) {
	if frames == 0 {
		e.Call(s)
		return
	}
	e.CallFrom(frames-1, s)
}

// Clear empties the cache.
func (e *Exec) Clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.traced = nil
}
