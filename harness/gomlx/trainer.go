package gomlx

import (
	"fmt"
	"strings"
	"sync"

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
// they are: train, eval or batch norm.
//
// Metrics are recorded where they are made, since many have optional methods
// that a decorator would hide:
//
//	metric.NewMeanMetric("error", "err", metric.LossMetricType, harness.Wrap(rec, "error", fn), nil)
func NewTrainer[ModelFn train.ModelFnCompatible](rec *harness.Recorder, backend compute.Backend, store *model.Store,
	modelFn ModelFn, lossFn train.LossFn, theOptimizer optimizer.Interface,
	trainMetrics, evalMetrics []metric.Interface) *train.Trainer {

	executors := &executors{byName: map[string]executor{}}
	recordedModel := harness.WrapFunc(rec, modelFn, executors.info)
	if lossFn != nil {
		lossFn = harness.WrapFunc(rec, lossFn, executors.info)
	}
	trainer := train.NewTrainer(backend, store, recordedModel, lossFn, theOptimizer, trainMetrics, evalMetrics)
	name := symbol(modelFn)
	trainer.OnExecCreation(func(exec *model.Exec, graphType train.GraphType) { executors.add(rec, name, exec, graphType) })
	return trainer
}

// executors are those that a trainer made. The trainer tells of each before it
// traces; the name that it is given then leads back to it from its graphs.
type executors struct {
	mu     sync.Mutex
	byName map[string]executor
}

type executor struct {
	wrapper harness.Wrapper
	kind    string
}

func (e *executors) add(rec *harness.Recorder, modelName string, exec *model.Exec, graphType train.GraphType) {
	kind := kindOf(graphType)
	e.mu.Lock()
	defer e.mu.Unlock()
	name := fmt.Sprintf("%s:%s (%s, executor %d)", exec.Name(), modelName, kind, len(e.byName)+1)
	exec.WithName(name)
	e.byName[name] = executor{rec.NewWrapper("*train.Trainer's *model.Exec"), kind}
}

func kindOf(graphType train.GraphType) string {
	switch graphType {
	case train.TrainType:
		return "train"
	case train.EvalType:
		return "eval"
	case train.BatchNormAveragesType:
		return "batch norm"
	}
	return fmt.Sprintf("GraphType(%d)", int(graphType))
}

// info returns what the graph of the arguments says of a trace.
func (e *executors) info(args []any) harness.Info {
	signature := harness.SignatureOf(args...)
	g := graphOf(args)
	if g == nil {
		return harness.Info{Args: signature}
	}
	name := g.Name()
	name = name[:max(0, strings.LastIndexByte(name, '#'))] // the engine numbers an executor's graphs
	e.mu.Lock()
	executor, ok := e.byName[name]
	e.mu.Unlock()
	if !ok { // the model gave its graph a name of its own
		return harness.Info{Args: signature}
	}
	kind := harness.Arg{Name: "graph", Kind: harness.Context, Value: executor.kind}
	return harness.Info{Wrapper: executor.wrapper, Args: append(signature, kind)}
}

// graphOf returns the graph that a function's arguments belong to, nil if none
// of them tells.
func graphOf(args []any) *graph.Graph {
	for _, arg := range args {
		switch value := arg.(type) {
		case *graph.Graph:
			return value
		case *graph.Node:
			return value.Graph()
		case []*graph.Node:
			if len(value) > 0 {
				return value[0].Graph()
			}
		}
	}
	return nil
}
