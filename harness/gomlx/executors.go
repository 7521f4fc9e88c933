package gomlx

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/tracelint/tracelint/harness"
)

// executors are those that a trainer made. The trainer tells of each before it
// traces; the name that it is given then leads back to it from its graphs.
type executors struct {
	rec         *harness.Recorder
	model       string // the symbol of its function
	dynamicAxes string

	mu     sync.Mutex
	byName map[string]*executor
	made   map[purpose]bool
	specs  map[any]string // what is shown for each
}

type executor struct {
	wrapper harness.Wrapper
	kind    string
	spec    string // what is shown for it; empty for nil
	// identified is whether kind and spec are all that they will be: the trainer
	// tells of the kind of graph only, and its first trace of the rest.
	identified bool
	lost       string
}

// A purpose is what a trainer keeps one executor for.
type purpose struct {
	kind string
	spec any
}

func newExecutors(rec *harness.Recorder, model, dynamicAxes string) *executors {
	return &executors{
		rec:         rec,
		model:       model,
		dynamicAxes: dynamicAxes,
		byName:      map[string]*executor{},
		made:        map[purpose]bool{},
		specs:       map[any]string{},
	}
}

func (e *executors) add(exec *model.Exec, graphType train.GraphType) {
	wrapper := e.rec.NewWrapper("*train.Trainer's *model.Exec")
	wrapper.DynamicAxes = e.dynamicAxes
	kind := kindOf(graphType)
	e.mu.Lock()
	defer e.mu.Unlock()
	name := fmt.Sprintf("%s:%s (%s, executor %d)", exec.Name(), e.model, kind, len(e.byName)+1)
	exec.WithName(name)
	e.byName[name] = &executor{wrapper: wrapper, kind: kind}
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

// of returns the executor that makes a graph, nil if the model gave its graph a
// name of its own.
func (e *executors) of(g *graph.Graph) *executor {
	name := g.Name()
	return e.byName[name[:max(0, strings.LastIndexByte(name, '#'))]] // the engine numbers an executor's graphs
}

// identify notes what an executor is for, as its first trace begins.
//
//tracelint:ignore write the recorder notes each executor at its first trace, under its lock
func (e *executors) identify(scope *model.Scope, spec any, g *graph.Graph) {
	phase := model.GetGraphParamOr(scope, g, train.BatchNormalizationUpdatePhase, -1)
	gradients := gradientStep()
	e.mu.Lock()
	defer e.mu.Unlock()
	executor := e.of(g)
	if executor == nil || executor.identified {
		return
	}
	executor.identified = true
	switch {
	case phase >= 0:
		executor.kind = fmt.Sprintf("%s, phase %d", executor.kind, phase)
	case gradients != "":
		executor.kind = fmt.Sprintf("%s, %s", executor.kind, gradients)
	}
	executor.spec = e.describe(spec)
	if p := (purpose{executor.kind, spec}); !e.made[p] {
		e.made[p] = true
	} else if phase >= 0 {
		executor.lost = "BatchNormalizationAveragesUpdate makes its executors anew"
	} else {
		executor.lost = "ResetComputationGraphs dropped the executor"
	}
}

// gradientStep tells what the trainer does with the gradients if it accumulates
// them. It says that nowhere but in the name of the method that builds the graph.
func gradientStep() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasSuffix(frame.Function, "(*Trainer).accumulateStepNoApplyGraph"):
			return "gradients accumulated"
		case strings.HasSuffix(frame.Function, "(*Trainer).accumulateStepAndApplyGraph"):
			return "gradients applied"
		case !more:
			return ""
		}
	}
}

// describe returns a literal spec as such, and another by its type and a number.
// A trainer compares specs as Go does.
//
//tracelint:ignore write the recorder numbers each spec at its first trace, and identify holds the lock
func (e *executors) describe(spec any) string {
	if spec == nil {
		return ""
	}
	text, known := e.specs[spec]
	if !known {
		text = fmt.Sprintf("%T #%d", spec, len(e.specs)+1)
		if arg := harness.SignatureOf(spec)[0]; arg.Kind == harness.Literal {
			text = arg.Value
		}
		e.specs[spec] = text
	}
	return text
}

// info returns what the graph of the arguments says of a trace.
func (e *executors) info(args []any) harness.Info {
	signature := harness.SignatureOf(args...)
	g := graphOf(args)
	if g == nil {
		return harness.Info{Args: signature}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	executor := e.of(g)
	if executor == nil {
		return harness.Info{Args: signature}
	}
	signature = append(signature, harness.Arg{Name: "graph", Kind: harness.Context, Value: executor.kind})
	if executor.spec != "" {
		signature = append(signature, harness.Arg{Name: "spec", Kind: harness.Context, Value: executor.spec})
	}
	return harness.Info{Wrapper: executor.wrapper, Args: signature, Lost: executor.lost}
}

// infoWithSpec is info for functions that take the spec, which is told already.
func (e *executors) infoWithSpec(args []any) harness.Info {
	info := e.info(args)
	if info.Wrapper.ID != 0 {
		info.Args[1] = harness.Arg{Kind: harness.Opaque, Type: "any"}
	}
	return info
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
