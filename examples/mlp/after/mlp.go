// Package after trains the network of package before with one trace: all batches are of one size and share one
// description, and the loss is reported by the loop, at run time.
package after

import (
	"fmt"
	"io"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
)

const batchSize = 32

// Train fits a network to points and their values, and records its traces in rec. It writes the loss of each step to
// progress.
func Train(rec *harness.Recorder, backend compute.Backend, points, values [][]float32, epochs int, progress io.Writer) error {
	data, err := dataset.InMemoryFromData(backend, "points", []any{points}, []any{values})
	if err != nil {
		return err
	}
	// Shuffled anew in each epoch, so that the examples left over are others each time.
	batches := data.Shuffle().BatchSize(batchSize, true).WithSpec(Spec{Task: "regression"})

	trainer := gomlx.NewTrainer(rec, backend, model.NewStore(), mlp, squaredError, optimizer.Adam().Done(), nil, nil)
	loop := train.NewLoop(trainer)
	loop.OnStep("progress", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		_, err := fmt.Fprintf(progress, "step %d: loss %v\n", loop.LoopStep, metrics[0].Value())
		return err
	})
	_, err = loop.RunEpochs(batches, epochs)
	return err
}

func mlp(scope *model.Scope, points *graph.Node) *graph.Node {
	hidden := graph.Tanh(layers.DenseWithBias(scope.In("hidden"), points, 16))
	return layers.DenseWithBias(scope.In("output"), hidden, 1)
}

func squaredError(labels, predictions []*graph.Node) *graph.Node {
	return loss.MeanSquaredError(labels, predictions)
}

// Spec describes a batch to the trainer, which compares specs as Go does: a struct is equal to another of equal fields.
type Spec struct{ Task string }
