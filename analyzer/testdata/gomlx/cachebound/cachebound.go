// Package cachebound holds the cases of rule cache-bound: more signatures than a wrapper's cache holds.
package cachebound

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

func sum(x *graph.Node) *graph.Node { return graph.ReduceAllSum(x) }

func add(x, y *graph.Node) *graph.Node {
	return graph.Add(graph.ReduceAllSum(x), graph.ReduceAllSum(y))
}

func scaled(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Mul(x, scope.VariableWithValue("scale", 2.0).NodeValue(x))
}

const lengths = 40

// Counted loops have more lengths than fit.
func Counted(backend compute.Backend, x []float32) error {
	exec := graph.MustNewExec(backend, sum)
	for n := 1; n <= lengths; n++ {
		exec.MustCall1(x[:n]) // want `exec\.MustCall1 is called with 40 signatures in this loop, but its cache holds 32: call 33 fails; pad to fewer sizes.*\(cache-bound\)$`
	}
	for n := range 33 {
		if _, err := exec.Call(make([]float32, n)); err != nil { // want `with 33 signatures.*\(cache-bound\)$`
			return err
		}
	}
	for n := 100; n > 0; n -= 2 {
		exec.MustCall1(make([]float32, 2*n+1)) // want `with 50 signatures.*\(cache-bound\)$`
	}
	var grown []float32
	for range 64 {
		grown = append(grown, 1)
		exec.MustCall1(grown) // want `with 64 signatures.*\(cache-bound\)$`
	}
	return nil
}

// Nested loops multiply.
func Nested(backend compute.Backend) {
	exec := graph.MustNewExec(backend, add)
	for n := range 8 {
		for m := range 8 {
			exec.MustCall1(make([]float32, n), make([]float32, m)) // want `with 64 signatures.*\(cache-bound\)$`
		}
	}
}

// Set holds what it was set to.
func Set(backend compute.Backend, store *model.Store, x []float32) {
	small := graph.MustNewExec(backend, sum).SetMaxCache(4)
	large := graph.MustNewExec(backend, sum).SetMaxCache(lengths)
	endless := graph.MustNewExec(backend, sum).SetMaxCache(-1)
	dynamic := graph.MustNewExec(backend, sum).WithDynamicAxes([]string{"n"})
	stateful := model.MustNewExec(backend, store, scaled)
	for n := range lengths {
		large.MustCall1(x[:n])    // 40 fit
		endless.MustCall1(x[:n])  // any number
		dynamic.MustCall1(x[:n])  // one signature
		stateful.MustCall1(x[:n]) // want `with 40 signatures.*\(cache-bound\)$`
	}
	for n := range 5 {
		small.MustCall1(x[:n]) // want `with 5 signatures in this loop, but its cache holds 4: call 5 fails.*\(cache-bound\)$`
	}
	for n := range 4 {
		small.MustCall1(x[:n]) // 4 fit
	}
}

// Unproven calls may be fewer.
func Unproven(backend compute.Backend, exec *graph.Exec, x []float32, stop func(int) bool) {
	for range lengths {
		exec.MustCall1(x[:8]) // one signature
	}
	for i := 0; i < 4000; i += 100 {
		exec.MustCall1(x[i : i+100]) // a window
	}
	own := graph.MustNewExec(backend, sum)
	for n := range lengths {
		exec.MustCall1(x[:n]) // want `\(shape-churn\)$`
		if stop(n) {
			break
		}
	}
	for n := range lengths {
		if stop(n) {
			own.MustCall1(x[:n]) // want `\(shape-churn\)$`
		}
	}
	for n := range lengths {
		again := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return graph.MulScalar(x, n) })
		again.MustCall1(x[:n]) // a cache for each
	}
	for n := range lengths {
		own.MustCall1(make([]float32, n/8*8)) // 5 sizes
	}
}
