// Package fixed is package app without its mistakes.
package fixed

import (
	"math/rand/v2"
	"os"

	"example.com/tape"
)

// Model scales its input, with noise.
type Model struct {
	Weight float64
	Calls  int
	scores *tape.Func
}

// NewModel makes a model whose wrapper lives as long as it does.
func NewModel(weight float64, record func(func(x *tape.Node) *tape.Node) *tape.Func) *Model {
	m := &Model{Weight: weight}
	m.scores = record(m.Score)
	return m
}

// Score is traced.
func (m *Model) Score(x *tape.Node) *tape.Node {
	return tape.Scale(tape.Show(os.Stderr, tape.Mul(x, x)), m.Weight)
}

// Predict is called for each request.
func (m *Model) Predict(x []float64) ([]float64, error) {
	m.Calls++
	noisy := make([]float64, len(x))
	for i := range x {
		noisy[i] = x[i] + rand.Float64()
	}
	return m.scores.Call(noisy)
}

// window is the one size that Generate calls the model with.
const window = 16

// Generate feeds back what came out, in a window of fixed size.
func (m *Model) Generate(prompt []float64, length int) ([]float64, error) {
	for len(prompt) < length {
		padded := make([]float64, window)
		copy(padded, prompt)
		next, err := m.scores.Call(padded)
		if err != nil {
			return nil, err
		}
		prompt = append(prompt, next[0])
	}
	return prompt, nil
}
