package function

import (
	"errors"
	"runtime"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A Ctx says where ops, prints and state go: into the trace whose body got it as
// its first argument, or, for the context of host code ([Runtime.Host]), nowhere:
// they run at once. A body's context belongs to the goroutine and the trace of
// that body.
type Ctx struct {
	rt *Runtime
	// trace is the trace that ops go to; nil where they run at once.
	trace *trace
	// around is the innermost trace that is open where the context is used.
	around *trace
	// scope is the prefix of the names of variables, ending in a slash if any.
	scope string
	// depth is the nesting in the conversion log.
	depth int
}

// Runtime returns the context's runtime.
func (c *Ctx) Runtime() *Runtime { return c.rt }

// Tracing reports whether ops are recorded rather than run.
func (c *Ctx) Tracing() bool { return c.trace != nil }

// Host returns a context inside the same trace whose ops and calls run at once,
// at trace time: what they return is frozen into the trace. Variables made in it
// are not the trace's, which does not guard that they are made once. On the
// context of host code it returns that.
func (c *Ctx) Host() *Ctx {
	check(c.valid())
	host := *c
	host.trace = nil
	return &host
}

// Scope returns a context that prefixes the names of variables made in it, and
// nests in the conversion log.
func (c *Ctx) Scope(name string) *Ctx {
	check(c.valid())
	c.converted("scope", name, nil, nil)
	inner := *c
	inner.scope += name + "/"
	inner.depth++
	return &inner
}

// hostInTrace says what is wrong with host code's context inside a trace.
const hostInTrace = "the context of host code is used inside a trace: pass on the body's context, or its Host() to run things at trace time"

// valid returns an error if there is no context.
func (c *Ctx) valid() error {
	if c == nil || c.rt == nil {
		return newError(ErrSignature, "the context is nil: pass the body's, or in host code Runtime.Host()")
	}
	return nil
}

// usable returns an error if the context's trace is finished, or is not the one
// whose body runs.
func (c *Ctx) usable() error {
	if err := c.valid(); err != nil {
		return err
	}
	active := c.rt.active.Load()
	if c.around == active {
		return nil
	}
	if c.around == nil {
		// Other goroutines run host code meanwhile.
		if c.rt.lock.isHeld() {
			return newError(ErrHostInTrace, "%s", hostInTrace)
		}
		return nil
	}
	if c.around.finished.Load() {
		return newError(ErrTensorScope, "the context of %q is used after its trace finished: use the context that the body gets", c.around.fn.name)
	}
	return newError(ErrTensorScope, "the context of %q is used inside the trace of another function: use the context that its body gets", c.around.fn.name)
}

// An OpFunc adds the nodes of an op with the operands x to a graph. It must be
// pure: it runs while tracing, also with sizes that nobody passed, and again at
// each compilation. The dimensions of its outputs may depend on those of the
// operands; their number, dtypes and ranks may not.
type OpFunc = func(g *graph.Graph, x []*graph.Node) *graph.Node

// An OpsFunc is an [OpFunc] with any number of outputs.
type OpsFunc = func(g *graph.Graph, x []*graph.Node) []*graph.Node

// Op applies an op made of GoMLX's graph functions to tensors. It panics with an
// error if the op does not take them.
func (c *Ctx) Op(name string, op OpFunc, x ...Tensor) Tensor {
	if op == nil {
		panic(nilOp(name))
	}
	return c.Ops(name, func(g *graph.Graph, x []*graph.Node) []*graph.Node {
		return []*graph.Node{op(g, x)}
	}, x...)[0]
}

// Ops is like [Ctx.Op] for an op with several outputs.
func (c *Ctx) Ops(name string, op OpsFunc, x ...Tensor) []Tensor {
	check(c.valid())
	if op == nil {
		panic(nilOp(name))
	}
	c.convertedOp(name, x)
	out, err := c.apply(name, op, x)
	check(err)
	return out
}

func nilOp(name string) error {
	return &tape.OpError{Op: name, Err: newError(ErrSignature, "its function is nil")}
}

func (c *Ctx) apply(name string, op tape.Emit, x []Tensor) ([]Tensor, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if c.trace != nil {
		return c.trace.append(name, op, x)
	}
	in := make([]any, len(x))
	for i, t := range x {
		concrete, err := c.concrete(t)
		if err != nil {
			return nil, newOpError(name, i, err)
		}
		in[i] = concrete
	}
	out, err := runOnce(c.rt.backend, name, op, in)
	if err != nil {
		return nil, err
	}
	return fromTensors(out), nil
}

// runOnce compiles and runs one op.
//
//tracelint:ignore nested-wrap an op on concrete tensors runs at once by design, also while something else is traced
func runOnce(backend compute.Backend, name string, op tape.Emit, in []any) ([]*tensors.Tensor, error) {
	exec, err := graph.NewExecCanonical(backend, func(g *graph.Graph, in []*graph.Node) []*graph.Node {
		out, err := tape.Run(name, op, g, in)
		check(err)
		return out
	}, len(in), 0, true, true, true)
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	out, err := exec.WithName(name).Call(in...)
	return out, opError(err)
}

// opError returns the error of an op that failed, without what GoMLX's Exec
// adds to it. A runtime error that GoMLX met where no op ran is its own: nobody
// has to look for it in the caller's code.
func opError(err error) error {
	var failure *tape.OpError
	if errors.As(err, &failure) {
		return failure
	}
	if bug := runtime.Error(nil); errors.As(err, &bug) {
		return newError(ErrEngine, "GoMLX failed: %v", err)
	}
	return err
}

func fromTensors(ts []*tensors.Tensor) []Tensor {
	out := make([]Tensor, len(ts))
	for i, t := range ts {
		out[i] = FromTensor(t)
	}
	return out
}

// concrete returns the value of a tensor that host code uses.
func (c *Ctx) concrete(t Tensor) (*tensors.Tensor, error) {
	switch {
	case t.v == nil:
		return nil, newError(ErrSignature, "it is the zero Tensor")
	case t.v.concrete != nil:
		return t.v.concrete, nil
	}
	return nil, outOfScope(t, nil)
}

// outOfScope returns why a tensor that is not concrete cannot be used in a trace,
// nil for host code, that is not its own.
func outOfScope(t Tensor, tr *trace) error {
	own := t.v.trace
	switch {
	case own == nil:
		return newError(ErrSignature, "%s is a spec without a value, which only Concrete takes", t)
	case own.finished.Load():
		return newError(ErrTensorScope, "%s belongs to a finished trace of %q: return it from the body, or assign it to a variable", t, own.fn.name)
	case tr == nil:
		return newError(ErrTensorScope, "%s has no value while %q is traced: pass on the context of its body", t, own.fn.name)
	}
	return newError(ErrTensorScope, "%s belongs to the trace of %q, not to that of %q: pass it as an argument", t, own.fn.name, tr.fn.name)
}
