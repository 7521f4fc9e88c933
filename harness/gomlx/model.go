package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/tracelint/tracelint/harness"
)

// NewModelExec is [model.NewExec] with the traces of modelFn recorded. The
// wrapper is named after the function, which GoMLX v0.28 does not do itself. It
// returns an error if the recorder, the store or the function is nil.
//
// The initializers of variables run in a graph of their own: record those with
// [harness.Wrap].
func NewModelExec[F model.ExecGraphFn](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) (*model.Exec, error) {
	recorded, err := record(rec, backend, "*model.Exec", modelFn, options)
	if err != nil {
		return nil, err
	}
	exec, err := model.NewExec(backend, store, recorded)
	if err != nil {
		return nil, err
	}
	return exec.WithName("Store.Exec:" + symbol(modelFn)), nil
}

// MustNewModelExec is [NewModelExec]; it panics on errors.
func MustNewModelExec[F model.ExecGraphFn](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) *model.Exec {
	return must(NewModelExec(rec, backend, store, modelFn, options...))
}

// NewModelExec1 is [NewModelExec] for functions of one output.
func NewModelExec1[F model.ExecGraphFnOneOutput](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) (*model.ExecOneOutput, error) {
	exec, err := NewModelExec(rec, backend, store, modelFn, options...)
	if err != nil {
		return nil, err
	}
	return &model.ExecOneOutput{Exec: exec}, nil
}

// NewModelExec2 is [NewModelExec] for functions of two outputs.
func NewModelExec2[F model.ExecGraphFnTwoOutputs](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) (*model.ExecTwoOutputs, error) {
	exec, err := NewModelExec(rec, backend, store, modelFn, options...)
	if err != nil {
		return nil, err
	}
	return &model.ExecTwoOutputs{Exec: exec}, nil
}

// NewModelExec3 is [NewModelExec] for functions of three outputs.
func NewModelExec3[F model.ExecGraphFnThreeOutputs](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) (*model.ExecThreeOutputs, error) {
	exec, err := NewModelExec(rec, backend, store, modelFn, options...)
	if err != nil {
		return nil, err
	}
	return &model.ExecThreeOutputs{Exec: exec}, nil
}

// MustNewModelExec1 is [NewModelExec1]; it panics on errors.
func MustNewModelExec1[F model.ExecGraphFnOneOutput](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) *model.ExecOneOutput {
	return must(NewModelExec1(rec, backend, store, modelFn, options...))
}

// MustNewModelExec2 is [NewModelExec2]; it panics on errors.
func MustNewModelExec2[F model.ExecGraphFnTwoOutputs](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) *model.ExecTwoOutputs {
	return must(NewModelExec2(rec, backend, store, modelFn, options...))
}

// MustNewModelExec3 is [NewModelExec3]; it panics on errors.
func MustNewModelExec3[F model.ExecGraphFnThreeOutputs](rec *harness.Recorder, backend compute.Backend, store *model.Store, modelFn F, options ...Option) *model.ExecThreeOutputs {
	return must(NewModelExec3(rec, backend, store, modelFn, options...))
}
