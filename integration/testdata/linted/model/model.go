// Package model has functions that do more than build graphs while they are traced.
package model

import (
	"sync"

	"example.com/linted/helper"
	"github.com/gomlx/gomlx/core/graph"
)

var once sync.Once

func double(x *graph.Node) *graph.Node {
	helper.Log("double")
	helper.Log("on purpose") //nolint:tracelint // says when the graph is built
	once.Do(func() { helper.Log("first trace") })
	return graph.Add(x, x)
}

// Double is the wrapper of double.
var Double = graph.MustNewExec(nil, double)
