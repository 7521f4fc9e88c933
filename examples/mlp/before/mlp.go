// Package before trains a small network as people first write it: the last batch is what is left, each batch carries a
// new description of itself, and the model function prints.
package before

import (
	"fmt"
	"iter"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
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

// Train fits a network to points and their values, and records its traces in rec.
func Train(rec *harness.Recorder, backend compute.Backend, points, values [][]float32, epochs int) error {
	data, err := dataset.InMemoryFromData(backend, "points", []any{points}, []any{values})
	if err != nil {
		return err
	}
	batches := described{data.Shuffle().BatchSize(batchSize, false)}

	trainer := gomlx.NewTrainer(rec, backend, model.NewStore(), mlp, squaredError, optimizer.Adam().Done(), nil, nil)
	_, err = train.NewLoop(trainer).RunEpochs(batches, epochs)
	return err
}

func mlp(scope *model.Scope, points *graph.Node) *graph.Node {
	hidden := graph.Tanh(layers.DenseWithBias(scope.In("hidden"), points, 16))
	fmt.Println("hidden layer:", hidden.Shape())
	return layers.DenseWithBias(scope.In("output"), hidden, 1)
}

func squaredError(labels, predictions []*graph.Node) *graph.Node {
	return loss.MeanSquaredError(labels, predictions)
}

// Spec describes a batch to the trainer.
type Spec struct{ Task string }

// described adds a spec to the batches of a dataset.
type described struct{ train.Dataset }

// Iter implements train.Dataset.
func (d described) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for batch, err := range d.Dataset.Iter() {
			batch.Spec = &Spec{Task: "regression"}
			if !yield(batch, err) {
				return
			}
		}
	}
}
