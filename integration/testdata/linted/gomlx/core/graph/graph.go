// Package graph has as much of GoMLX as the analyzer looks at.
package graph

// Node is a symbolic value.
type Node struct{}

// Exec is a wrapper.
type Exec struct{}

// MustNewExec returns a wrapper of a function.
func MustNewExec(backend any, function any) *Exec { return new(Exec) }

// Add builds a sum.
func Add(x, y *Node) *Node { return x }
