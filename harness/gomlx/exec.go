package gomlx

import (
	"errors"
	"reflect"
	"runtime"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/tracelint/tracelint/harness"
)

// NewExec is [graph.NewExec] with the traces of graphFn recorded. The wrapper
// keeps the name that it has without a recorder; in records the function has its
// own, or that of [WithName]. It returns an error if the recorder or the function
// is nil.
func NewExec[F graph.ExecGraphFn](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) (*graph.Exec, error) {
	recorded, err := record(rec, backend, "*graph.Exec", graphFn, options)
	if err != nil {
		return nil, err
	}
	exec, err := graph.NewExec(backend, recorded)
	if err != nil {
		return nil, err
	}
	return exec.WithName("Exec:" + symbol(graphFn)), nil
}

// MustNewExec is [NewExec]; it panics on errors.
func MustNewExec[F graph.ExecGraphFn](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) *graph.Exec {
	return must(NewExec(rec, backend, graphFn, options...))
}

// NewExec1 is [NewExec] for functions of one output.
func NewExec1[F graph.ExecGraphFnOneOutput](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) (*graph.ExecOneOutput, error) {
	exec, err := NewExec(rec, backend, graphFn, options...)
	if err != nil {
		return nil, err
	}
	return &graph.ExecOneOutput{Exec: exec}, nil
}

// NewExec2 is [NewExec] for functions of two outputs.
func NewExec2[F graph.ExecGraphFnTwoOutputs](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) (*graph.ExecTwoOutputs, error) {
	exec, err := NewExec(rec, backend, graphFn, options...)
	if err != nil {
		return nil, err
	}
	return &graph.ExecTwoOutputs{Exec: exec}, nil
}

// NewExec3 is [NewExec] for functions of three outputs.
func NewExec3[F graph.ExecGraphFnThreeOutputs](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) (*graph.ExecThreeOutputs, error) {
	exec, err := NewExec(rec, backend, graphFn, options...)
	if err != nil {
		return nil, err
	}
	return &graph.ExecThreeOutputs{Exec: exec}, nil
}

// MustNewExec1 is [NewExec1]; it panics on errors.
func MustNewExec1[F graph.ExecGraphFnOneOutput](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) *graph.ExecOneOutput {
	return must(NewExec1(rec, backend, graphFn, options...))
}

// MustNewExec2 is [NewExec2]; it panics on errors.
func MustNewExec2[F graph.ExecGraphFnTwoOutputs](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) *graph.ExecTwoOutputs {
	return must(NewExec2(rec, backend, graphFn, options...))
}

// MustNewExec3 is [NewExec3]; it panics on errors.
func MustNewExec3[F graph.ExecGraphFnThreeOutputs](rec *harness.Recorder, backend compute.Backend, graphFn F, options ...Option) *graph.ExecThreeOutputs {
	return must(NewExec3(rec, backend, graphFn, options...))
}

// record returns fn with its runs recorded as traces of a new wrapper of the
// type named.
func record[F any](rec *harness.Recorder, backend compute.Backend, wrapperType string, fn F, options []Option) (F, error) {
	switch {
	case rec == nil:
		return fn, errors.New("the recorder is nil; make one with tracecheck.Record or harness.NewRecorder")
	case reflect.ValueOf(fn).IsNil():
		return fn, errors.New("the function to trace is nil")
	}
	wrapper := rec.NewWrapper(wrapperType)
	wrapper.DynamicAxes = dynamicAxes(backend, "WithDynamicAxes")
	info := harness.Info{Function: functionOf(fn, options), Wrapper: wrapper}
	return harness.WrapFunc(rec, fn, func([]any) harness.Info { return info }), nil
}

// dynamicAxes says how to make axes dynamic, if the backend has that.
func dynamicAxes(backend compute.Backend, methods string) string {
	if backend == nil || !backend.Capabilities().DynamicAxes {
		return ""
	}
	return "name it with " + methods + ", since the backend has dynamic axes"
}

// symbol returns the name of a function as GoMLX puts it into the names of its
// wrappers, which would be reflect's for the function that record returns.
func symbol(fn any) string {
	return runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
