package gomlx

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
)

// An Executor is a wrapper of GoMLX: a *[graph.Exec], a *[model.Exec] or one of
// their kin for a fixed number of outputs.
type Executor interface {
	Name() string
	GetNodeLogger() graph.LoggerFn
	SetNodeLogger(graph.LoggerFn)
}

var (
	_ Executor = (*graph.Exec)(nil)
	_ Executor = (*model.Exec)(nil)
)

// Attach records the traces of a wrapper that exists already. It observes the
// wrapper through its node logger, which goes on to log as before. A logger that
// is set later takes its place, and even one that calls the logger before it may
// do so for messages only, as package nanlogger's does. So the assertions of
// package tracecheck fail then: attach last.
//
// A trace is seen when its graph is executed for the first time. So it is
// recorded then, without the traces inside of it, and not at all if the function
// fails or is compiled only. How long it took and where the wrapper was built
// are unknown.
//
// The function is named as the wrapper is. A *[model.Exec] of GoMLX v0.28 is
// not named after its function: name it with its method WithName, or its type
// and number stand for it.
//
// The executors of a trainer that one does not make are reached as it makes
// them:
//
//	trainer.OnExecCreation(func(exec *model.Exec, _ train.GraphType) { gomlx.Attach(rec, exec) })
//
// Attach panics if the recorder or the wrapper is nil.
func Attach(rec *harness.Recorder, exec Executor) {
	if rec == nil {
		panic("gomlx.Attach: the recorder is nil; make one with tracecheck.Record or harness.NewRecorder")
	}
	if v := reflect.ValueOf(exec); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		panic("gomlx.Attach: the wrapper is nil; give the one to observe")
	}
	o := &observer{
		rec:     rec,
		wrapper: rec.NewFoundWrapper(fmt.Sprintf("%T", exec)),
		exec:    exec,
		next:    exec.GetNodeLogger(),
		seen:    map[graph.GraphId]bool{},
	}
	exec.SetNodeLogger(o.log)
	rec.AddCheck(o.check)
}

// An observer sees each execution of a wrapper's graphs.
type observer struct {
	rec     *harness.Recorder
	wrapper harness.Wrapper
	exec    Executor
	next    graph.LoggerFn

	mu     sync.Mutex
	seen   map[graph.GraphId]bool
	checks int // those that arrived
}

func (o *observer) log(g *graph.Graph, messages []string, values []*tensors.Tensor, nodes []graph.NodeId) {
	if g == nil { // the check, which no other logger must see
		o.arrive()
		if o.isObserver(o.next) {
			o.next(nil, nil, nil, nil)
		}
		return
	}
	if o.isNew(g.GraphId()) {
		info := harness.Info{Function: o.function(), Wrapper: o.wrapper, Args: argumentsOf(g), Untimed: true}
		o.rec.Start(info).End(harness.Returned())
	}
	if o.next != nil {
		o.next(g, messages, values, nodes)
	}
}

func (o *observer) isNew(id graph.GraphId) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	isNew := !o.seen[id]
	o.seen[id] = true
	return isNew
}

// check reports an error if the wrapper's logger is no longer the observer, nor
// leads to it through other observers alone.
func (o *observer) check() error {
	before := o.arrived()
	if logger := o.exec.GetNodeLogger(); o.isObserver(logger) {
		logger(nil, nil, nil, nil)
	}
	if o.arrived() > before {
		return nil
	}
	return fmt.Errorf("the node logger of %s was replaced after gomlx.Attach, so its traces may be missed: call Attach after SetNodeLogger",
		o.exec.Name())
}

// isObserver reports whether a logger is the method of an observer, of any
// wrapper: all method values of it share their code.
func (o *observer) isObserver(logger graph.LoggerFn) bool {
	return reflect.ValueOf(logger).Pointer() == reflect.ValueOf(o.log).Pointer()
}

func (o *observer) arrive() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.checks++
}

func (o *observer) arrived() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.checks
}

// function returns the function that the wrapper's name tells: GoMLX names a
// graph.Exec "Exec:" and the function, a model.Exec "Store.Exec:" and a function
// of its own.
func (o *observer) function() harness.Function {
	name := strings.TrimPrefix(strings.TrimPrefix(o.exec.Name(), "Store."), "Exec:")
	if strings.Contains(name, ".convertExecFn[...].func") {
		return harness.Function{Name: fmt.Sprintf("%s %d", o.wrapper.Description, o.wrapper.ID), Nameless: true}
	}
	return harness.FunctionNamed(name)
}

// argumentsOf returns the arguments that a wrapper made a graph for: it names
// their parameters by number, before the function adds others for variables.
func argumentsOf(g *graph.Graph) harness.Signature {
	args := []any{}
	for {
		parameter := g.GetParameterByName(fmt.Sprintf("arg%d", len(args)))
		if parameter == nil {
			return harness.SignatureOf(args...)
		}
		args = append(args, parameter)
	}
}
