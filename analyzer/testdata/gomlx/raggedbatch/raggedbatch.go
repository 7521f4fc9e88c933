// Package raggedbatch holds the cases of rule ragged-batch: training batches whose last one is smaller.
package raggedbatch

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/train"
)

// Shuffled data is for training.
func Shuffled(data *dataset.InMemoryDataset) (a, b, c, d train.Dataset) {
	a = data.Copy().Shuffle().BatchSize(64, false)                // want `BatchSize keeps a last, smaller batch of data that is shuffled or endless: it traces the training step again; drop it: pass true \(ragged-batch\)$`
	b = data.Copy().BatchSize(64, false).Infinite(true)           // want `\(ragged-batch\)$`
	c = data.Copy().Shuffle().BatchSize(64, true)                 // dropped
	d = data.Copy().BatchSize(64, false).Infinite(false).TakeN(3) // in order, to its end
	later := data.Copy()
	later.BatchSize(8, false) // want `\(ragged-batch\)$`
	later.Shuffle()
	return
}

// Train passes it to the loop.
func Train(backend compute.Backend, loop *train.Loop, trainer *train.Trainer, data *dataset.InMemoryDataset, size int, drop bool) {
	trainDS := data.Copy().BatchSize(size, false)        // want `data that is trained on.*\(ragged-batch\)$`
	evalDS := data.Copy().BatchSize(size, false)         // evaluation
	full := data.Copy().BatchSize(size, true)            // dropped
	asked := data.Copy().Shuffle().BatchSize(size, drop) // as the caller likes
	loop.RunSteps(trainDS, 100)
	loop.RunEpochs(full, 2)
	loop.RunEpochs(asked, 2)
	trainer.Eval(evalDS)
	loop.RunEpochs(data.Copy().BatchSize(size, false), 1)          // want `\(ragged-batch\)$`
	var wrapped train.Dataset = data.Copy().BatchSize(size, false) // want `\(ragged-batch\)$`
	wrapped = dataset.ReadAhead(wrapped, 4)
	loop.RunToGlobalStep(wrapped, 1000)
}

// Batched splits a data set of any kind.
func Batched(backend compute.Backend, loop *train.Loop, trainer *train.Trainer, examples, tests train.Dataset) {
	loop.RunSteps(dataset.Batch(backend, examples, 32, true, false), 10) // want `dataset\.Batch keeps.*\(ragged-batch\)$`
	loop.RunSteps(dataset.Batch(backend, examples, 32, true, true), 10)  // dropped
	trainer.Eval(dataset.Batch(backend, tests, 32, true, false))         // evaluation
	evalDS := dataset.Batch(backend, tests, 32, true, false)             // evaluation
	trainer.Eval(evalDS)
}

// create makes both, as examples do.
func create(base *dataset.InMemoryDataset, size int) (trainDS, evalDS train.Dataset) {
	trainDS = base.Copy().BatchSize(size, false) // want `\(ragged-batch\)$`
	evalDS = base.Copy().BatchSize(size, false)  // evaluation
	return trainDS, evalDS
}

// Demo trains and evaluates.
func Demo(loop *train.Loop, trainer *train.Trainer, base *dataset.InMemoryDataset) {
	trainDS, evalDS := create(base, 16)
	loop.RunEpochs(trainDS, 3)
	trainer.Eval(evalDS)
	run(loop, base.Copy().BatchSize(8, false))         // want `\(ragged-batch\)$`
	evaluate(trainer, base.Copy().BatchSize(8, false)) // evaluation
}

func run(loop *train.Loop, ds train.Dataset) { loop.RunSteps(ds, 10) }

func evaluate(trainer *train.Trainer, ds train.Dataset) { trainer.Eval(ds) }
