// Package app uses tape, with the mistakes that people make with tracing engines.
package app

import (
	"fmt"
	"math/rand/v2"

	"example.com/tape"
)

// Model scales its input, with noise.
type Model struct {
	Weight float64
	Calls  int
	scores *tape.Func
}

// NewModel makes a model.
func NewModel(weight float64) *Model {
	m := &Model{Weight: weight}
	m.scores = tape.Record(m.Score)
	return m
}

// Score is traced.
func (m *Model) Score(x *tape.Node) *tape.Node {
	fmt.Println("scoring", x.Shape())
	m.Calls++
	return tape.Scale(tape.Mul(x, x), m.Weight+rand.Float64())
}

// Predict is called for each request.
func (m *Model) Predict(x []float64) ([]float64, error) {
	return tape.Record(m.Score).Call(x)
}

// Generate feeds back what came out, one element longer each time.
func (m *Model) Generate(prompt []float64, length int) ([]float64, error) {
	for len(prompt) < length {
		next, err := m.scores.Call(prompt)
		if err != nil {
			return nil, err
		}
		prompt = append(prompt, next[0])
	}
	return prompt, nil
}

// WarmUp records a tape for each size that is expected.
func (m *Model) WarmUp() error {
	for size := 1; size <= 16; size++ {
		if _, err := m.scores.Call(make([]float64, size)); err != nil {
			return err
		}
	}
	return nil
}
