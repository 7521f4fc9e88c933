// Package roots holds the ways in which a function becomes traced, or does not. Each function prints; the finding tells.
package roots

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/ml/zoo/transformer/generate"

	"example.com/fixtures/middle"
)

// Functions here take only a graph, so that no signature makes them roots.

func named(g *graph.Graph) *graph.Node {
	fmt.Println("named") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func inVariable(g *graph.Graph) *graph.Node {
	fmt.Println("inVariable") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

var global = inGlobal

func inGlobal(g *graph.Graph) *graph.Node {
	fmt.Println("inGlobal") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

var globalLiteral = func(g *graph.Graph) *graph.Node {
	fmt.Println("globalLiteral") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func inField(g *graph.Graph) *graph.Node {
	fmt.Println("inField") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func inSlice(g *graph.Graph) *graph.Node {
	fmt.Println("inSlice") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func inMap(g *graph.Graph) *graph.Node {
	fmt.Println("inMap") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func generic[T float32 | float64](g *graph.Graph) *graph.Node {
	fmt.Println("generic") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, T(1))
}

func passedOn(g *graph.Graph) *graph.Node {
	fmt.Println("passedOn") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func passedOnTwice(g *graph.Graph) *graph.Node {
	fmt.Println("passedOnTwice") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func variadic(g *graph.Graph) *graph.Node {
	fmt.Println("variadic") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func converted(g *graph.Graph, _ []*graph.Node) []*graph.Node {
	fmt.Println("converted") // want `fmt\.Println.*\(print\)$`
	return []*graph.Node{graph.Const(g, 1)}
}

func instanceKept(g *graph.Graph) *graph.Node {
	fmt.Println("instanceKept") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func onlyOnce(g *graph.Graph) *graph.Node {
	fmt.Println("onlyOnce") // a note: run-once helpers outside of loops only
	return graph.Const(g, 1)
}

func onceAndKept(g *graph.Graph) *graph.Node {
	fmt.Println("onceAndKept") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, 1)
}

func nobody(g *graph.Graph) *graph.Node {
	fmt.Println("nobody") // not traced: no parameter is symbolic, and nobody wraps it
	return graph.Const(g, 1)
}

type tower struct{ width int }

func (t *tower) forward(g *graph.Graph) *graph.Node {
	fmt.Println("forward") // want `fmt\.Println.*\(print\)$`
	return t.layer(g)
}

func (t *tower) layer(g *graph.Graph) *graph.Node {
	fmt.Println("layer") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, t.width)
}

func (t tower) byValue(g *graph.Graph) *graph.Node {
	fmt.Println("byValue") // want `fmt\.Println.*\(print\)$`
	return graph.Const(g, t.width)
}

// call is a field that holds a function, as hugot's models have.
type session struct {
	call func(*graph.Graph) *graph.Node
}

func makeStep(width int) func(*graph.Graph) *graph.Node {
	return func(g *graph.Graph) *graph.Node {
		fmt.Println("made") // want `fmt\.Println.*\(print\)$`
		return graph.Const(g, width)
	}
}

func chosen(wide bool) func(*graph.Graph) *graph.Node {
	if wide {
		return func(g *graph.Graph) *graph.Node {
			fmt.Println("wide") // want `fmt\.Println.*\(print\)$`
			return graph.Const(g, 8)
		}
	}
	return makeStep(2)
}

func wrap(backend compute.Backend, fn func(*graph.Graph) *graph.Node) *graph.Exec {
	return graph.MustNewExec(backend, fn)
}

func wrapTwice(backend compute.Backend, fn func(*graph.Graph) *graph.Node) *graph.Exec {
	kept := fn
	return wrap(backend, kept)
}

func wrapAll(backend compute.Backend, fns ...func(*graph.Graph) *graph.Node) []*graph.Exec {
	var execs []*graph.Exec
	for _, fn := range fns {
		execs = append(execs, wrap(backend, fn))
	}
	return execs
}

// Flow wraps functions in every way.
func Flow(backend compute.Backend, wide bool) []*graph.Exec {
	variable := inVariable
	t := &tower{width: 2}
	s := &session{call: inField}
	newExec := graph.MustNewExec[func(*graph.Graph) *graph.Node]
	execs := []*graph.Exec{
		graph.MustNewExec(backend, named),
		graph.MustNewExec(backend, func(g *graph.Graph) *graph.Node {
			fmt.Println("literal") // want `fmt\.Println.*\(print\)$`
			return graph.Const(g, 1)
		}),
		graph.MustNewExec(backend, variable),
		graph.MustNewExec(backend, global),
		graph.MustNewExec(backend, globalLiteral),
		graph.MustNewExec(backend, t.forward),
		graph.MustNewExec(backend, tower{width: 3}.byValue),
		graph.MustNewExec(backend, s.call),
		graph.MustNewExec(backend, chosen(wide)),
		graph.MustNewExec(backend, generic[float32]),
		wrap(backend, passedOn),
		wrapTwice(backend, passedOnTwice),
		newExec(backend, instanceKept),
		graph.MustNewExec(backend, onceAndKept),
		graph.MustNewExecCanonical(backend, converted, 0, 1, true, false, false),
		graph.MustNewExecCanonical(backend, graph.CanonicalExecGraphFn(func(g *graph.Graph, _ []*graph.Node) []*graph.Node {
			fmt.Println("canonical") // want `fmt\.Println.*\(print\)$`
			return []*graph.Node{graph.Const(g, 1)}
		}), 0, 1, true, false, false),
		middle.Exec(backend, func(x *graph.Node) *graph.Node {
			fmt.Println("other package") // want `fmt\.Println.*\(print\)$`
			return x
		}),
	}
	execs = append(execs, wrapAll(backend, variadic)...)
	for _, fn := range []func(*graph.Graph) *graph.Node{inSlice} {
		execs = append(execs, graph.MustNewExec(backend, fn))
	}
	for _, fn := range map[string]func(*graph.Graph) *graph.Node{"in": inMap} {
		execs = append(execs, graph.MustNewExec(backend, fn))
	}
	fmt.Println(graph.MustExecOnce(backend, onlyOnce), graph.MustExecOnce(backend, onceAndKept)) // host code
	middle.OnHost(func() { fmt.Println("host") })                                                // host code
	return execs
}

// Datasets maps batches; the function's type shows no node.
func Datasets(backend compute.Backend, store *model.Store, ds train.Dataset) train.Dataset {
	ds = dataset.Map(backend, ds, func(batch dataset.GraphBatch) dataset.GraphBatch {
		fmt.Println("map") // want `fmt\.Println.*\(print\)$`
		return batch
	})
	ds = dataset.ModelMap(backend, store, ds, func(scope *model.Scope, batch dataset.GraphBatch) dataset.GraphBatch {
		fmt.Println("model map") // want `fmt\.Println.*\(print\)$`
		return batch
	})
	ds = dataset.ParallelMap(backend, ds, noSpec)
	return dataset.MapOnHost(ds, func(batch train.Batch) train.Batch {
		fmt.Println("host map") // a host callback
		return batch
	})
}

func noSpec(batch dataset.GraphBatch) dataset.GraphBatch {
	fmt.Println("parallel map") // want `fmt\.Println.*\(print\)$`
	batch.Spec = nil
	return batch
}

func modelFn(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	fmt.Println("model") // want `fmt\.Println.*\(print\)$`
	return inputs
}

type sgd struct{ rate float64 }

// UpdateGraph has no symbolic result; the engine's interface makes it a root.
func (o *sgd) UpdateGraph(scope *model.Scope, g *graph.Graph, loss *graph.Node) {
	fmt.Println("optimizer") // want `fmt\.Println.*\(print\)$`
}

// Clear runs on the host.
func (o *sgd) Clear(scope *model.Scope) error {
	fmt.Println("cleared") // host code
	return nil
}

var _ optimizer.Interface = (*sgd)(nil)

// Trainer has traced functions for the model, the loss, the metrics and the optimizer.
func Trainer(backend compute.Backend, store *model.Store) *train.Loop {
	mean := metric.NewMeanMetric("mean", "m", "loss", func(_ *model.Scope, labels, predictions []*graph.Node) *graph.Node {
		fmt.Println("metric") // want `fmt\.Println.*\(print\)$`
		return predictions[0]
	}, nil)
	trainer := train.NewTrainer(backend, store, modelFn, func(labels, predictions []*graph.Node) *graph.Node {
		fmt.Println("loss") // want `fmt\.Println.*\(print\)$`
		return predictions[0]
	}, &sgd{}, []metric.Interface{mean}, nil)
	trainer.OnExecCreation(func(exec *model.Exec, graphType train.GraphType) {
		fmt.Println("created") // a host callback
	})
	loop := train.NewLoop(trainer)
	loop.OnStart("start", 0, func(loop *train.Loop, ds train.Dataset) error {
		fmt.Println("start") // a host callback
		return nil
	})
	return loop
}

// Scoped attaches functions to scopes and graphs.
func Scoped(backend compute.Backend, store *model.Store) (*model.Exec, *generate.Generator) {
	exec := model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
		scope = scope.WithInitializer(func(g *graph.Graph, shape shapes.Shape) *graph.Node {
			fmt.Println("initializer") // want `fmt\.Println.*\(print\)$`
			return graph.Zeros(g, shape)
		})
		train.AddPerStepUpdateGraphFn(scope, x.Graph(), func(scope *model.Scope, g *graph.Graph) {
			fmt.Println("update") // want `fmt\.Println.*\(print\)$`
		})
		closure := graph.NewClosure(x.Graph(), func(g *graph.Graph) []*graph.Node {
			fmt.Println("closure") // want `fmt\.Println.*\(print\)$`
			return []*graph.Node{graph.OnePlus(x)}
		})
		x = graph.IdentityWithCustomGradient(x, func(x, v *graph.Node) *graph.Node {
			fmt.Println("gradient") // want `fmt\.Println.*\(print\)$`
			return v
		})
		return layers.Dense(scope.In("out"), graph.Add(x, closure.Call()[0]), true, 1)
	})
	generator := generate.New(generate.NaiveModelFn(func(scope *model.Scope, tokens, length *graph.Node) *graph.Node {
		fmt.Println("generator") // want `fmt\.Println.*\(print\)$`
		return tokens
	}))
	return exec, generator
}
