package function

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// While a body runs, sizes that it does not depend on are taken for known after
// a look at a few. Each further combination of sizes is checked when it is
// compiled, or added to another trace: one that disproves what the body saw
// makes the function trace again.

// serve runs a trace for arguments, in host code or inside a trace, and replaces
// it as long as their sizes disprove it.
func (f *core) serve(c *Concrete, a *arguments, values []reflect.Value) (out []reflect.Value, retraced bool, err error) {
	for {
		if a.ctx.trace != nil {
			out, err = c.inline(a.ctx.trace, a)
		} else {
			out, err = c.execute(a)
		}
		if err == nil {
			return out, retraced, nil
		}
		var mismatch *tape.Mismatch
		if !errors.As(err, &mismatch) {
			return nil, retraced, err
		}
		if c, err = f.retrace(c, a, values, mismatch); err != nil {
			return nil, retraced, err
		}
		retraced = true
	}
}

// retrace returns a trace in the place of one that sizes disproved. It sees them
// beside those that the other one saw, so it takes no size for known that
// differs between them.
func (f *core) retrace(old *Concrete, a *arguments, values []reflect.Value, m *tape.Mismatch) (*Concrete, error) {
	unlock, err := f.lockTracing(a.ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := f.read(a, values); err != nil {
		return nil, err
	}
	// Another goroutine may have replaced it while this one waited for the lock.
	if c := f.lookup(a); c != nil && c != old {
		return c, nil
	}
	if old.tape.Knows(m.Sizes) {
		return nil, newError(ErrUnknownDim, "%s, and was not for the same sizes before: the op's function must be pure", old.mismatch(m))
	}
	key := string(a.key)
	if err := a.ctx.inProgress(f, key); err != nil {
		return nil, err
	}
	c, err := f.onceOrTwice(&request{
		arguments: a, values: values, key: key, ranked: old.ranked, specs: old.specs, captured: old.captured,
		examples: append([]tape.Example{m.Sizes}, old.tape.Examples()...),
		cause:    &harness.Cause{Kind: harness.CauseSameSignature, Earlier: old.record, Wrapper: harness.WrapperSame, Detail: old.mismatch(m)},
	})
	if err != nil {
		// What the op said is as good an answer as an op in host code gives.
		if errors.As(err, new(*tape.OpError)) {
			return nil, err
		}
		return nil, fmt.Errorf("%s: it is unknown now: %w", old.mismatch(m), err)
	}
	f.replace(old, c, key)
	return c, nil
}

// mismatch tells which size a trace was wrong about.
func (c *Concrete) mismatch(m *tape.Mismatch) string {
	specs := make([]Spec, len(c.specs))
	for i, spec := range c.specs {
		specs[i] = Spec{DType: spec.DType, Dims: m.Sizes[i]}
	}
	return fmt.Sprintf("op %q: axis %d of output %d was %d while tracing, and is %d for %v", m.Op, m.Axis, m.Output, m.Want, m.Got, specs)
}

// examples returns the sizes that a trace for arguments should fit.
func (a *arguments) examples() []tape.Example {
	var symbolic []tape.ID
	for _, t := range a.tensors {
		if t.v.trace != nil {
			symbolic = append(symbolic, t.v.id)
		}
	}
	examples := []tape.Example{nil}
	if len(symbolic) > 0 {
		examples = a.ctx.trace.tape.Examples(symbolic)
	}
	for i, sizes := range examples {
		examples[i] = make(tape.Example, len(a.tensors))
		for j, t := range a.tensors {
			switch {
			case t.v.concrete != nil:
				examples[i][j] = t.v.concrete.Shape().Dimensions
			case t.v.trace != nil:
				examples[i][j], sizes = sizes[0], sizes[1:]
			}
		}
	}
	return examples
}
