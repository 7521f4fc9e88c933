// Package freshkey holds the cases of rule fresh-key: cache keys made anew for each batch.
package freshkey

import (
	"iter"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

type spec struct{ width int }

type words struct {
	batches [][]*tensors.Tensor
	spec    *spec
	width   int
}

func (w *words) Name() string { return "words" }

// Iter makes a spec for each batch.
func (w *words) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for _, inputs := range w.batches {
			if !yield(train.Batch{Inputs: inputs, Spec: &spec{w.width}}, nil) { // want `Iter makes a new spec for each batch: &spec\{.*\} is keyed by its identity; make it once.*\(fresh-key\)$`
				return
			}
			var batch train.Batch
			batch.Inputs = inputs
			batch.Spec = new(spec) // want `\(fresh-key\)$`
			local := &spec{w.width}
			yield(train.Batch{Inputs: inputs, Spec: local}, nil) // want `\(fresh-key\)$`
			yield(batch, nil)
		}
	}
}

// kept gives out one spec.
type kept struct{ words }

// Iter gives out what it keeps.
func (k *kept) Iter() iter.Seq2[train.Batch, error] {
	once := &spec{k.width}
	return func(yield func(train.Batch, error) bool) {
		perEpoch := &spec{k.width}
		for _, inputs := range k.batches {
			yield(train.Batch{Inputs: inputs, Spec: k.spec}, nil)        // one that is kept
			yield(train.Batch{Inputs: inputs, Spec: once}, nil)          // made before
			yield(train.Batch{Inputs: inputs, Spec: perEpoch}, nil)      // once an epoch
			yield(train.Batch{Inputs: inputs, Spec: "words"}, nil)       // a text
			yield(train.Batch{Inputs: inputs, Spec: spec{k.width}}, nil) // a value, equal to the last
			yield(train.Batch{Inputs: inputs, Spec: &struct{}{}}, nil)   // nothing in it
			yield(train.Batch{Inputs: inputs}, nil)                      // none
		}
	}
}

// other is no data set.
type other struct{ last *train.Batch }

// Fill is not given out.
func (o *other) Fill() { o.last = &train.Batch{Spec: &spec{1}} } // who knows for what

// Steps trains by hand.
func Steps(trainer *train.Trainer, data [][]*tensors.Tensor) {
	same := &spec{1}
	for _, inputs := range data {
		if _, err := trainer.TrainStep(train.Batch{Inputs: inputs, Spec: &spec{1}}); err != nil { // want `trainer\.TrainStep is keyed by the identity of &spec\{.*\}, which is new at each call.*\(fresh-key\)$`
			panic(err)
		}
		trainer.TrainStep(train.Batch{Inputs: inputs, Spec: same}) // made before the loop
		trainer.TrainStep(train.Batch{Inputs: inputs})             // none
	}
}
