package function

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tracelint/tracelint/harness"
)

// core is a function without the type of its body.
type core struct {
	rt       *Runtime
	body     reflect.Value
	typ      reflect.Type
	function harness.Function
	name     string
	argNames []string

	params       []*codec // after the context
	results      []*codec // before the error
	returnsError bool

	signature    []Spec
	hasSignature bool
	reduce       bool
	maxTraces    int

	wrapper      harness.Wrapper
	detector     *detector
	compilations atomic.Int64

	// mu guards what calls read. Only the holder of the runtime's trace lock
	// writes it.
	mu       sync.RWMutex
	dispatch map[string][]*Concrete // exact key -> the traces that it may mean
	traces   []*Concrete            // in the order in which they were made
	replaced int                    // traces that a second one replaced: they made state, or took a size for known that was not
	evicted  int
	lost     []lostTrace // the latest ones

	// What follows is guarded by the runtime's trace lock.
	objects identities
	settled bool     // the first call has succeeded: no trace may make state any more
	places  []string // of the tensors in the arguments, which an input signature fixes
}

// Name returns the function's name in messages and records.
func (f *core) Name() string {
	check(f.made())
	return f.name
}

// made returns an error for the zero Func.
func (f *core) made() error {
	if f == nil {
		return newError(ErrSignature, "the Func is zero: make it with function.New")
	}
	return nil
}

// call is a call in a context.
func (f *core) call(c *Ctx, values []reflect.Value) ([]reflect.Value, error) {
	out, err := f.tryCall(c, values)
	if err != nil {
		return nil, f.wrap(err)
	}
	return out, nil
}

// wrap adds the function to an error, unless it has it already.
func (f *core) wrap(err error) error {
	if e, ok := err.(*callError); ok && e.fn == f {
		return err
	}
	return &callError{f, err}
}

func (f *core) tryCall(c *Ctx, values []reflect.Value) ([]reflect.Value, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if c.rt != f.rt {
		return nil, newError(ErrSignature, "the context belongs to another runtime")
	}
	if f.rt.eager {
		return f.runBody(c, values)
	}
	a := newArguments(c, f)
	defer a.release()
	if err := f.read(a, values); err != nil {
		return nil, err
	}
	concrete := f.lookup(a)
	traced := false
	if concrete == nil {
		var err error
		if concrete, traced, err = f.trace(a, values); err != nil {
			return nil, err
		}
	}
	if !traced {
		c.convertedFunction(f, values)
	}
	out, retraced, err := f.serve(concrete, a, values)
	if c.around == nil {
		f.detector.called(f, traced || retraced)
	}
	return out, err
}

// read reads the arguments of a call and their exact key.
func (f *core) read(a *arguments, values []reflect.Value) error {
	if !f.hasSignature {
		return a.encode(exact, values)
	}
	if err := a.encode(nothing, values); err != nil {
		return err
	}
	if len(a.tensors) != len(f.signature) {
		return newError(ErrSignature, "the input signature has %d tensors, the call %d", len(f.signature), len(a.tensors))
	}
	for i, t := range a.tensors {
		if spec := t.spec(); !f.signature[i].covers(spec) {
			return newError(ErrSignature, "tensor %d is %s, and the input signature wants %s", i, spec, f.signature[i])
		}
	}
	return nil
}

// trace returns a trace for arguments that had none, and whether it made one.
func (f *core) trace(a *arguments, values []reflect.Value) (c *Concrete, traced bool, err error) {
	unlock, err := f.lockTracing(a.ctx)
	if err != nil {
		return nil, false, err
	}
	defer unlock()
	// Another goroutine may have traced it while this one waited for the lock.
	if c := f.lookup(a); c != nil {
		return c, false, nil
	}
	key := string(a.key)
	if err := a.ctx.inProgress(f, key); err != nil {
		return nil, false, err
	}
	examples := a.examples()
	ranked, err := f.rankedKey(a, values)
	if err != nil {
		return nil, false, err
	}
	specs := f.specs(a)
	if c := f.general(a, ranked, specs); c != nil {
		f.keep(key, c)
		return c, false, nil
	}
	if f.reduce {
		specs = f.relax(ranked, specs)
	}
	r := &request{arguments: a, values: values, key: key, ranked: ranked, specs: specs, examples: examples}
	r.captured = f.captures(r)
	c, err = f.onceOrTwice(r)
	if err != nil {
		return nil, false, err
	}
	f.add(key, c)
	return c, true, nil
}

// lockTracing takes the runtime's trace lock, which a trace around the context holds.
func (f *core) lockTracing(c *Ctx) (unlock func(), err error) {
	if c.around != nil {
		return func() {}, nil
	}
	if !f.rt.lock.acquire() {
		return nil, newError(ErrHostInTrace, "%s", hostInTrace)
	}
	return f.rt.lock.release, nil
}

// onceOrTwice traces once, or twice if the first trace made state: the second
// one shows what the body does at every later call.
func (f *core) onceOrTwice(r *request) (*Concrete, error) {
	r.createsState = !f.settled
	r.forbids = "a trace after the first call"
	c, made, err := f.run(r)
	if err != nil {
		return nil, err
	}
	if len(made) > 0 {
		r.createsState = false
		r.forbids = "the second trace of the first call"
		r.cause = &harness.Cause{Kind: harness.CauseState, Earlier: c.record, Wrapper: harness.WrapperSame, Detail: stateText(made)}
		if c, _, err = f.run(r); err != nil {
			return nil, err
		}
		f.mu.Lock()
		f.replaced++
		f.mu.Unlock()
	}
	f.settled = true
	return c, nil
}

// stateText tells what state was made, and where.
func stateText(made []*Variable) string {
	texts := make([]string, len(made))
	for i, v := range made {
		texts[i] = fmt.Sprintf("variable %q was made at %s", v.name, v.site)
	}
	return strings.Join(texts, ", ")
}

// rankedKey returns the key of the arguments without the sizes of dimensions.
func (f *core) rankedKey(a *arguments, values []reflect.Value) (string, error) {
	if f.hasSignature {
		return string(a.key), nil
	}
	err := a.encode(ranked, values)
	return string(a.key), err
}

// specs returns what the tensors in the arguments are.
func (f *core) specs(a *arguments) []Spec {
	if f.hasSignature {
		return f.signature
	}
	specs := make([]Spec, len(a.tensors))
	for i, t := range a.tensors {
		specs[i] = t.spec()
	}
	return specs
}

// general returns the most special trace that serves the arguments because it
// was made for unknown dimensions.
func (f *core) general(a *arguments, ranked string, specs []Spec) *Concrete {
	if f.rt.legacy && !f.reduce {
		return nil
	}
	var best *Concrete
	for _, c := range f.traces {
		if c.ranked == ranked && c.matches(a) && slices.EqualFunc(c.specs, specs, Spec.covers) &&
			(best == nil || c.unknowns() < best.unknowns()) {
			best = c
		}
	}
	return best
}

// relax returns specs that cover the arguments and all earlier traces that
// differ from them only in sizes.
func (f *core) relax(ranked string, specs []Spec) []Spec {
	relaxed := slices.Clone(specs)
	for _, c := range f.traces {
		if c.ranked != ranked {
			continue
		}
		for i := range relaxed {
			// Equal ranked keys have equal dtypes and ranks.
			relaxed[i], _ = relaxed[i].union(c.specs[i])
		}
	}
	return relaxed
}

// runBody runs the body and separates its error from its results.
func (f *core) runBody(c *Ctx, values []reflect.Value) (out []reflect.Value, err error) {
	defer catch(&err)
	in := append([]reflect.Value{reflect.ValueOf(c)}, values...)
	if f.typ.IsVariadic() {
		out = f.body.CallSlice(in)
	} else {
		out = f.body.Call(in)
	}
	if f.returnsError {
		last := len(out) - 1
		err, _ = out[last].Interface().(error)
		err = readable(err)
		out = out[:last]
	}
	return out, err
}
