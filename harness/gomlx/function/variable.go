package function

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A Variable is a tensor that keeps its value between calls. Make one with
// [Ctx.Variable]. As an argument of a traced function it stands for whichever
// variable a call passes: dtype, dimensions and which arguments are the same
// variable make up its key.
type Variable struct {
	*state
	// trace is set in the handles that a body gets for its variable arguments.
	trace *trace
}

// state is what all handles of a variable share.
type state struct {
	rt    *Runtime
	id    int64 // orders locks
	name  string
	spec  Spec
	site  string
	lock  sync.Mutex // held by assignments
	value atomic.Pointer[tensors.Tensor]
}

// Variable makes a variable with the value that init returns. It runs init at
// once, outside of any trace, with a context of its own, so init cannot use
// symbolic tensors.
//
// A body may make state only in the first call of its function, and must keep
// it, in a field or in a variable that outlives the call, to make it only once.
// After a trace that made state the body is traced a second time.
func (c *Ctx) Variable(name string, init func(c *Ctx) Tensor) *Variable {
	check(c.valid())
	name = c.scope + name
	v, err := c.newVariable(name, init)
	if err != nil {
		panic(fmt.Errorf("variable %q: %w", name, err))
	}
	return v
}

func (c *Ctx) newVariable(name string, init func(c *Ctx) Tensor) (*Variable, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if init == nil {
		return nil, newError(ErrSignature, "its initialiser is nil: give one, such as function.Fill or function.Value")
	}
	site := callSite()
	if c.trace != nil && !c.trace.createsState {
		return nil, newError(ErrStateCreation, "it is made at %s in %s of %q, and only the first trace may make state: make it once and keep it",
			site, c.trace.forbids, c.trace.fn.name)
	}
	initial, err := initialValue(c, init)
	if err != nil {
		return nil, err
	}
	shape := initial.Shape()
	s := &state{rt: c.rt, id: c.rt.variables.Add(1), name: name, site: site, spec: Spec{Name: name, DType: shape.DType, Dims: shape.Dimensions}}
	s.value.Store(initial)
	v := &Variable{state: s}
	if c.trace != nil {
		c.trace.made = append(c.trace.made, v)
	}
	return v, nil
}

// initialValue runs an initialiser.
func initialValue(c *Ctx, init func(c *Ctx) Tensor) (t *tensors.Tensor, err error) {
	defer catch(&err)
	out := init(c.Host())
	concrete, err := c.concrete(out)
	if err != nil {
		return nil, fmt.Errorf("its initial value: %w", err)
	}
	return concrete, nil
}

// Name returns the name with the scopes in which the variable was made.
func (v *Variable) Name() string { return v.name }

// Site returns where the variable was made: `model/train.go:12`.
func (v *Variable) Site() string { return v.site }

// Spec returns dtype and dimensions, which never change.
func (v *Variable) Spec() Spec { return v.spec }

// String returns name, dimensions and dtype.
func (v *Variable) String() string {
	return fmt.Sprintf("Variable(%q, shape=(%s), dtype=%s)", v.name, v.spec.dims(", "), v.spec.dtype())
}

// usable returns an error if the variable cannot be used in a context.
func (v *Variable) usable(c *Ctx) error {
	if err := c.usable(); err != nil {
		return err
	}
	if v == nil || v.state == nil {
		return newError(ErrSignature, "the variable is nil: make it with Ctx.Variable")
	}
	if v.trace != nil && v.trace != c.trace {
		return newError(ErrTensorScope, "%s is an argument of %q and is used outside of its trace", v, v.trace.fn.name)
	}
	if v.rt != c.rt {
		return newError(ErrSignature, "%s belongs to another runtime", v)
	}
	return nil
}

// Read returns the value: where the body is in a trace, else the present one.
func (v *Variable) Read(c *Ctx) Tensor {
	check(v.usable(c))
	if c.trace == nil {
		return FromTensor(v.value.Load())
	}
	return c.trace.read(c.trace.slot(v))
}

// read returns the current value of a slot.
func (tr *trace) read(s *slot) Tensor {
	if s.current.IsNone() {
		tr.reads = append(tr.reads, s)
		id := tr.tape.AddInput(tape.Shape{DType: s.variable.spec.DType, Dims: s.variable.spec.Dims})
		s.current = tr.tensor(id, tr.name(s.variable.name)+":0")
	}
	return s.current
}

// Assign sets the value. It panics with an error if dtype or dimensions differ
// from the variable's.
func (v *Variable) Assign(c *Ctx, x Tensor) {
	check(v.usable(c))
	if err := v.assign(c, x); err != nil {
		panic(fmt.Errorf("variable %q: %w", v.name, err))
	}
}

func (v *Variable) assign(c *Ctx, x Tensor) error {
	if !x.IsNone() && !v.spec.covers(x.Spec()) {
		return newError(ErrSignature, "it is %s and cannot hold %s", v.spec, x.Spec())
	}
	if c.trace == nil {
		concrete, err := c.concrete(x)
		if err != nil {
			return err
		}
		v.lock.Lock()
		defer v.lock.Unlock()
		v.value.Store(concrete)
		return nil
	}
	id, err := c.trace.operand(x)
	if err != nil {
		return err
	}
	s := c.trace.slot(v)
	s.assigned = true
	s.current = x
	if x.v.trace == nil {
		s.current = c.trace.tensor(id, "const")
	}
	return nil
}

// AssignAdd adds to the value and returns the sum. In host code nobody assigns
// between the read and the write.
func (v *Variable) AssignAdd(c *Ctx, x Tensor) Tensor {
	check(v.usable(c))
	if c.trace == nil {
		v.lock.Lock()
		defer v.lock.Unlock()
		sum := c.Add(FromTensor(v.value.Load()), x)
		if !v.spec.covers(sum.Spec()) {
			panic(newError(ErrSignature, "variable %q: it is %s and cannot hold %s", v.name, v.spec, sum.Spec()))
		}
		v.value.Store(sum.v.concrete)
		return sum
	}
	sum := c.Add(v.Read(c), x)
	v.Assign(c, sum)
	return sum
}

// Fill returns an initialiser that gives every element a value.
func Fill(spec Spec, value float64) func(c *Ctx) Tensor {
	return func(c *Ctx) Tensor {
		return c.Op("fill", func(g *graph.Graph, _ []*graph.Node) *graph.Node {
			return graph.BroadcastToDims(graph.Scalar(g, spec.DType, value), spec.Dims...)
		})
	}
}

// Uniform returns an initialiser with random values between -limit and limit,
// the same for the same seed.
func Uniform(spec Spec, limit float64, seed int64) func(c *Ctx) Tensor {
	return func(c *Ctx) Tensor {
		return c.Op("uniform", func(g *graph.Graph, _ []*graph.Node) *graph.Node {
			_, unit := graph.RandomUniform(graph.RNGStateFromSeedForGraph(g, seed), shapes.Make(spec.DType, spec.Dims...))
			return graph.AddScalar(graph.MulScalar(unit, 2*limit), -limit)
		})
	}
}

// Value returns an initialiser with a fixed value.
func Value[S tensors.MultiDimensionSlice](v S) func(c *Ctx) Tensor {
	return func(*Ctx) Tensor { return From(v) }
}

// lockAll locks the variables in the order of their making, so that calls that
// assign the same ones do not wait for each other in a circle.
func lockAll(variables []*state) (unlock func()) {
	ordered := slices.Clone(variables)
	slices.SortFunc(ordered, func(a, b *state) int { return int(a.id - b.id) })
	for _, s := range ordered {
		s.lock.Lock()
	}
	return func() {
		for _, s := range ordered {
			s.lock.Unlock()
		}
	}
}
