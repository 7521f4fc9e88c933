package roots

import (
	"fmt"
	"sync"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/graph/nanlogger"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/zoo/transformer/generate"

	"example.com/fixtures/helper"
)

// Callbacks run on the host, whatever their types.
func Callbacks(exec *graph.Exec, loop *train.Loop, ds train.Dataset) train.Dataset {
	exec.SetNodeLogger(func(g *graph.Graph, messages []string, _ []*tensors.Tensor, _ []graph.NodeId) {
		fmt.Println("logged", messages) // after each call
	})
	exec.SetSideParamsHook(func(g *graph.Graph, buffers []compute.Buffer, donate []bool) error {
		fmt.Println("hooked", len(buffers)) // before each call
		return nil
	})
	nanlogger.New().WithHandler(func(info *nanlogger.Trace) {
		fmt.Println("NaN", info.Scope) // when a NaN shows up
	})
	loop.OnStep("step", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("step", metrics) // after each step
		return nil
	})
	loop.OnEnd("end", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("end", metrics) // at the end
		return nil
	})
	train.EveryNSteps(loop, 10, "ten", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("ten more") // every ten steps
		return nil
	})
	train.NTimesDuringLoop(loop, 10, "parts", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("a tenth more") // ten times
		return nil
	})
	train.PeriodicCallback(loop, time.Second, true, "second", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("a second more") // every second
		return nil
	})
	train.ExponentialCallback(loop, 1, 2, true, "double", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		fmt.Println("twice as many") // at doubling intervals
		return nil
	})
	return dataset.ParallelMapOnHost(ds, onHost)
}

func onHost(batch train.Batch) train.Batch {
	fmt.Println("on host", len(batch.Inputs)) // on values
	return batch
}

// Models has more of them.
func Models(backend compute.Backend, scope *model.Scope, generator *generate.Generator) (metric.Interface, error) {
	err := scope.Store().InitializeVariables(backend, func(exec *model.Exec) error {
		fmt.Println("initializing with", exec.Name()) // configures
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = generator.GenerateStreaming(backend, scope, []int{1}, func(token int) bool {
		fmt.Println("token", token) // for each token
		return true
	})
	mean := metric.NewMeanMetric("mean", "m", "loss", func(_ *model.Scope, _, predictions []*graph.Node) *graph.Node {
		return predictions[0]
	}, func(value *tensors.Tensor) string {
		fmt.Println("metric", value) // shows the metric
		return value.String()
	})
	return mean, err
}

// Report materialises values: tensors are no nodes.
func Report(value *tensors.Tensor) error {
	fmt.Println(value) // host code
	return value.ConstFlatData(func(flat any) {
		fmt.Println(flat) // on values, at once
	})
}

// Byhand builds a graph without any wrapper: it is built as often as it runs.
func Byhand(backend compute.Backend) {
	g := graph.NewGraph(backend, "by hand")
	fmt.Println("building", g.Name()) // host code
	x := graph.Parameter(g, "x", shapes.Make(dtypes.Float32))
	fmt.Println("parameter", x) // the same
	if err := g.Compile(graph.OnePlus(x)); err != nil {
		panic(err)
	}
	fmt.Println("ran", g.Run(float32(1))) // the same
}

// holder keeps functions that nobody wraps.
type holder struct {
	build func(g *graph.Graph) *graph.Node
	done  func()
	mutex sync.Mutex
}

func (h *holder) set() {
	h.build = func(g *graph.Graph) *graph.Node {
		fmt.Println("held") // nobody wraps it
		return graph.Const(g, 1)
	}
	h.done = func() {
		fmt.Println("done") // a plain function
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	helper.Each([]func(*graph.Graph) *graph.Node{unwrapped}, func(f func(*graph.Graph) *graph.Node) {
		fmt.Println("each", f != nil) // host code
	})
	fmt.Println(accepts(unwrapped), accepts(h.build)) // the same
}

func unwrapped(g *graph.Graph) *graph.Node {
	fmt.Println("unwrapped") // passed about, never wrapped
	return graph.Const(g, 1)
}

func accepts(build func(g *graph.Graph) *graph.Node) bool {
	fmt.Println("accepts") // takes a graph's function, wraps nothing
	return build != nil
}

// Tensors takes and gives values.
func Tensors(exec *graph.Exec, inputs ...*tensors.Tensor) []*tensors.Tensor {
	fmt.Println("calling", exec.Name()) // around the call, once per call
	outputs := exec.MustCall(inputs[0])
	fmt.Println("called", exec.Name()) // the same
	defer fmt.Println("finished")      // the same
	return outputs
}
