// Package helper hides what package shapechurn does from the eye.
package helper

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Widen gives as many numbers as it gets.
func Widen(tokens []int32) []float32 {
	out := make([]float32, len(tokens))
	for i, token := range tokens {
		out[i] = float32(token)
	}
	return out
}

// PadTo gives n numbers.
func PadTo(tokens []int32, n int) []int32 {
	out := make([]int32, n)
	copy(out, tokens)
	return out
}

// Pow2 rounds up.
func Pow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// Zeros gives n numbers.
func Zeros(n int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(make([]float32, n), 1, n)
}

// Embed calls the wrapper with what it gets.
func Embed(exec *graph.Exec, tokens []int32) *tensors.Tensor {
	return exec.MustCall1(tokens)
}

// Unbounded gives a wrapper whose cache has no bound.
func Unbounded(backend compute.Backend, fn func(*graph.Node) *graph.Node) *graph.Exec {
	return graph.MustNewExec(backend, fn).SetMaxCache(-1)
}

// Plain gives a plain wrapper.
func Plain(backend compute.Backend, fn func(*graph.Node) *graph.Node) *graph.Exec {
	return graph.MustNewExec(backend, fn)
}

// Model has a wrapper without bound.
type Model struct{ Exec *graph.Exec }

// New makes a model.
func New(backend compute.Backend, fn func(*graph.Node) *graph.Node) *Model {
	m := &Model{Exec: graph.MustNewExec(backend, fn)}
	m.Exec.SetMaxCache(-1)
	return m
}
