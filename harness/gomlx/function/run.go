package function

import (
	"fmt"
	"reflect"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A request asks for a trace.
type request struct {
	*arguments
	values []reflect.Value
	key    string
	ranked string
	specs  []Spec
	// examples are sizes of the tensors, those of the call first.
	examples []tape.Example
	// captured are the variables that keep earlier traces from serving the call.
	captured captures
	// createsState says whether the trace may make state; forbids says why not.
	createsState bool
	forbids      string
	// cause is set where the function knows better than the recorder.
	cause *harness.Cause
}

// run runs the body once and returns its trace and the state that it made.
func (f *core) run(r *request) (c *Concrete, made []*Variable, err error) {
	signature, names := r.describe()
	if err := f.checkPlaces(names); err != nil {
		return nil, nil, err
	}
	if r.cause == nil {
		r.cause = f.lostCause(signature)
	}
	end, record := f.record(r, signature)
	outcome := harness.Exited() // unless a return or a panic tells otherwise
	defer func() {
		failure := recover()
		if failure != nil {
			outcome = harness.Panicked(failure)
		}
		end(outcome)
		if failure != nil {
			panic(failure)
		}
	}()
	tr := f.newTrace(r)
	defer tr.open()()
	ctx := &Ctx{rt: f.rt, trace: tr, around: tr, scope: r.ctx.scope, depth: r.ctx.depth}
	in, err := tr.parameters(r, names)
	if err == nil {
		ctx.convertedFunction(f, in)
		ctx.depth++
		var out []reflect.Value
		if out, err = f.runBody(ctx, in); err == nil {
			c, err = tr.finish(ctx, r, out)
		}
	}
	if err != nil {
		outcome = harness.Failed(err)
		return nil, nil, f.wrap(err)
	}
	c.signature, c.record = signature, record
	f.places = names
	outcome = harness.Returned()
	return c, tr.made, nil
}

// record tells the recorder that a trace begins. It returns what ends it, and
// the ID of the record.
func (f *core) record(r *request, signature harness.Signature) (end func(harness.Outcome), id int) {
	if f.rt.recorder == nil {
		return func(harness.Outcome) {}, 0
	}
	span := f.rt.recorder.Start(harness.Info{Function: f.function, Wrapper: f.wrapper, Args: signature, Cause: r.cause})
	return span.End, span.ID()
}

func (f *core) newTrace(r *request) *trace {
	tr := &trace{
		fn:           f,
		key:          r.key,
		parent:       r.ctx.around,
		createsState: r.createsState,
		forbids:      r.forbids,
		names:        map[string]int{},
	}
	if tr.parent != nil {
		tr.depth = tr.parent.depth + 1
	}
	inputs := make([]tape.Shape, len(r.specs))
	for i, spec := range r.specs {
		inputs[i] = tape.Shape{DType: spec.DType, Dims: spec.Dims}
	}
	tr.tape = tape.NewBuilder(f.rt.backend, f.name, inputs, r.examples...)
	for i, v := range r.variables {
		s := tr.slotOf(v.state)
		s.args = append(s.args, i)
	}
	return tr
}

// parameters returns what the body gets for its arguments: the same values, with
// symbolic tensors, and handles of variables, in the place of those given.
func (tr *trace) parameters(r *request, names []string) ([]reflect.Value, error) {
	replace := replacement{args: r.arguments}
	for i, name := range names {
		if r.specs[i].Name != "" {
			name = r.specs[i].Name
		}
		replace.tensors = append(replace.tensors, tr.tensor(tape.ID(i), tr.name(name)+":0"))
	}
	for _, v := range r.variables {
		replace.variables = append(replace.variables, &Variable{state: v.state, trace: tr})
	}
	in := make([]reflect.Value, len(r.values))
	for i, c := range tr.fn.params {
		v, err := replace.value(c, r.values[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tr.fn.argName(i), err)
		}
		in[i] = v
	}
	return in, nil
}

// finish makes the concrete function of a trace whose body has returned.
func (tr *trace) finish(ctx *Ctx, r *request, out []reflect.Value) (*Concrete, error) {
	results := newArguments(ctx, tr.fn)
	defer results.release()
	for i, c := range tr.fn.results {
		if err := results.value(c, out[i]); err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
		if len(results.variables) > 0 {
			return nil, newError(ErrUnkeyable, "result %d holds a variable: return what it reads", i)
		}
	}
	// Whoever has the results must not change what later calls return.
	template := make([]reflect.Value, len(out))
	replace := replacement{args: results, tensors: results.tensors}
	for i, c := range tr.fn.results {
		var err error
		if template[i], err = replace.value(c, out[i]); err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	c := &Concrete{fn: tr.fn, ranked: r.ranked, specs: r.specs, captured: r.captured, template: template, slots: tr.slots, reads: tr.reads, prints: tr.prints}
	for _, p := range r.pointers {
		c.pointers = append(c.pointers, identityOf(p))
	}
	for _, t := range results.tensors {
		id, err := tr.operand(t)
		if err != nil {
			return nil, err
		}
		c.results = append(c.results, id)
	}
	for _, s := range tr.slots {
		if !s.assigned {
			continue
		}
		id, err := tr.operand(s.current)
		if err != nil {
			return nil, err
		}
		c.assigned = append(c.assigned, s)
		c.assignedIDs = append(c.assignedIDs, id)
	}
	c.tape = tr.tape.Finish()
	return c, c.prepare()
}
