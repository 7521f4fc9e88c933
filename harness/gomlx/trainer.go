package gomlx

import (
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/tracelint/tracelint/harness"
)

// NewTrainer is [train.NewTrainer] with the traces of modelFn and lossFn
// recorded. lossFn may be nil, as there. Like GoMLX's constructor it panics on
// bad arguments: a nil recorder or model function.
//
// A trainer makes one executor for each kind of graph and each spec of a batch;
// each is a wrapper of its own here, and its traces say for which kind of graph
// and which spec they are: train, train with gradients accumulated or applied,
// eval, or batch norm of the first or second phase.
//
// [WithName] names the model function, and the loss function after it: `name` and
// `name loss`.
//
// Metrics are recorded where they are made, since many have optional methods
// that a decorator would hide:
//
//	metric.NewMeanMetric("error", "err", metric.LossMetricType, harness.Wrap(rec, "error", fn), nil)
func NewTrainer[ModelFn train.ModelFnCompatible](rec *harness.Recorder, backend compute.Backend, store *model.Store,
	modelFn ModelFn, lossFn train.LossFn, theOptimizer optimizer.Interface,
	trainMetrics, evalMetrics []metric.Interface, options ...Option) *train.Trainer {

	executors := newExecutors(rec, symbol(modelFn), dynamicAxes(backend, "WithInputsDynamicAxes or WithLabelsDynamicAxes"))
	info := executors.info
	if takesSpec(reflect.TypeOf(modelFn)) {
		info = executors.infoWithSpec
	}
	name := nameOf(options)
	run := canonical(harness.WrapFunc(rec, modelFn, named(name, info)))
	recorded := func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
		executors.identify(scope, spec, inputs[0].Graph())
		return run(scope, spec, inputs)
	}
	if lossFn != nil {
		if name != "" {
			name += " loss"
		}
		lossFn = harness.WrapFunc(rec, lossFn, named(name, executors.info))
	}
	trainer := train.NewTrainer(backend, store, train.ModelFn(recorded), lossFn, theOptimizer, trainMetrics, evalMetrics)
	trainer.OnExecCreation(executors.add)
	return trainer
}

// named returns info with the function's name, if it has one that was chosen.
func named(name string, info func(args []any) harness.Info) func(args []any) harness.Info {
	return func(args []any) harness.Info {
		i := info(args)
		i.Function.Name = name
		return i
	}
}

// takesSpec reports whether a model function has the spec of the batch among its
// parameters.
func takesSpec(modelFn reflect.Type) bool {
	return modelFn.NumIn() > 1 && modelFn.In(1) == reflect.TypeFor[any]()
}

// canonical returns the form of a model function in which GoMLX gives it the
// spec of the batch, whether it takes that or not.
func canonical(modelFn any) train.ModelFn {
	fn := reflect.ValueOf(modelFn)
	return func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
		in := []reflect.Value{reflect.ValueOf(scope)}
		next := 0
		for i := 1; i < fn.Type().NumIn(); i++ {
			switch fn.Type().In(i) {
			case reflect.TypeFor[any]():
				in = append(in, reflect.ValueOf(&spec).Elem())
			case reflect.TypeFor[*graph.Graph]():
				in = append(in, reflect.ValueOf(inputs[0].Graph()))
			case reflect.TypeFor[[]*graph.Node]():
				in = append(in, reflect.ValueOf(inputs))
			default:
				in = append(in, reflect.ValueOf(inputs[next]))
				next++
			}
		}
		var predictions []*graph.Node
		for _, out := range fn.Call(in) {
			if nodes, ok := out.Interface().([]*graph.Node); ok {
				return nodes
			}
			predictions = append(predictions, out.Interface().(*graph.Node))
		}
		return predictions
	}
}
