// Package clock holds the cases of rule clock: the time, baked into the graph.
package clock

import (
	"fmt"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
	"k8s.io/klog/v2"

	"example.com/fixtures/helper"
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend) []*graph.Exec {
	started := time.Now() // host code
	return []*graph.Exec{
		graph.MustNewExec(backend, stamped),
		graph.MustNewExec(backend, branching),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, time.Since(started).Seconds()) // want `time\.Since.*\(clock\)$`
		}),
	}
}

func stamped(x *graph.Node) *graph.Node {
	g := x.Graph()
	now := graph.Const(g, time.Now().Unix()) // want `time\.Now.*\(clock\)$`
	start := time.Now()                      // want `time\.Now.*\(clock\)$`
	x = graph.Add(x, now)
	x = graph.AddScalar(x, float64(start.Nanosecond()))
	left := time.Until(start)                       // want `time\.Until.*\(clock\)$`
	x = graph.AddScalar(x, float64(helper.Stamp())) // want `helper\.Stamp: time\.Now.*\(clock\)$`
	return graph.MulScalar(x, left.Seconds())
}

func branching(x *graph.Node) *graph.Node {
	if time.Now().Hour() > 12 { // want `time\.Now.*\(clock\)$`
		return graph.OnePlus(x)
	}
	return x
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*graph.Exec {
	deadline := time.Now().Add(time.Minute) // host code
	return []*graph.Exec{
		graph.MustNewExec(backend, logged),
		graph.MustNewExec(backend, fixed),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			return graph.AddScalar(x, float64(deadline.Unix())) // taken before wrapping
		}),
	}
}

func logged(x *graph.Node) *graph.Node {
	start := time.Now() // only reaches a log
	for range 8 {
		x = graph.OnePlus(x)
	}
	klog.V(1).Infof("built in %s", time.Since(start)) // a log
	elapsed := time.Since(start)                      // only reaches a print
	if klog.V(1).Enabled() {
		fmt.Println(elapsed)
	}
	again := time.Now() // only reaches time.Since
	_ = time.Since(again)
	return x
}

func fixed(x *graph.Node) *graph.Node {
	epoch := time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC) // the same at each trace
	step, err := time.ParseDuration("10ms")                         // the same at each trace
	helper.Must(err)
	zero := time.Unix(0, 0) // the same at each trace
	x = graph.AddScalar(x, epoch.Sub(zero).Seconds())
	return graph.MulScalar(x, step.Seconds()/time.Second.Seconds())
}

// Once is traced as often as it is called.
func Once(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(g *graph.Graph) *graph.Node {
		return graph.Const(g, time.Now().Unix()) // a note
	})
}

// Report reads the clock between steps.
func Report(loop *train.Loop) {
	start := time.Now() // host code
	train.EveryNSteps(loop, 100, "report", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println(loop.LoopStep, time.Since(start), time.Now()) // a host callback
		return nil
	})
}
