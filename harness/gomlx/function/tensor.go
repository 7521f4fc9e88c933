package function

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// A Tensor is a value on which ops work: a concrete one in host code, a
// symbolic one, without a value, inside a trace. The zero Tensor is none and
// may stand for an optional argument that is left out.
type Tensor struct {
	// One pointer, so that package reflect passes a Tensor without allocating.
	v *value
}

type value struct {
	concrete *tensors.Tensor
	// spec is set where concrete is not.
	spec *Spec
	// trace is set in symbolic tensors, which are the value id of its tape.
	trace *trace
	id    tape.ID
	name  string
}

// From returns a concrete tensor with a copy of a Go scalar or (nested) slice.
// It panics with an error if sub-slices differ in length or inner ones are empty.
func From[S tensors.MultiDimensionSlice](v S) Tensor {
	t, err := fromAny(v)
	check(err)
	return t
}

// fromAny converts a Go scalar or slice.
func fromAny(v any) (t Tensor, err error) {
	defer catch(&err)
	// GoMLX cannot tell the dimensions of an empty slice; of rank 1 it is clear.
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.Len() == 0 {
		if dtype := dtypes.FromGoType(r.Type().Elem()); dtype != dtypes.InvalidDType {
			return FromTensor(tensors.FromShape(shapes.Make(dtype, 0))), nil
		}
	}
	concrete, err := tensors.FromAnyValue(v)
	if err != nil {
		return Tensor{}, err
	}
	return FromTensor(concrete), nil
}

// FromTensor returns GoMLX's tensor as a concrete tensor. It must not be changed
// or finalized as long as the tensor is used.
// It panics with an error if there is none.
func FromTensor(t *tensors.Tensor) Tensor {
	if t == nil {
		panic(newError(ErrSignature, "function.FromTensor: the tensor is nil"))
	}
	return Tensor{&value{concrete: t}}
}

// IsNone reports whether it is the zero Tensor.
func (t Tensor) IsNone() bool { return t.v == nil }

// IsSymbolic reports whether the tensor belongs to a trace and has no value.
func (t Tensor) IsSymbolic() bool { return t.v != nil && t.v.trace != nil }

// Tensor returns GoMLX's tensor of a concrete tensor. It panics with an error on
// others: a symbolic tensor has no value while its function is traced.
func (t Tensor) Tensor() *tensors.Tensor {
	switch {
	case t.v == nil:
		panic(newError(ErrSignature, "the zero Tensor has no value"))
	case t.v.concrete == nil && t.v.trace != nil:
		panic(newError(ErrTensorScope, "%s has no value while %q is traced: print it with Ctx.Print, return it, or compute with ops", t, t.v.trace.fn.name))
	case t.v.concrete == nil:
		panic(newError(ErrSignature, "%s is a spec without a value, which only Concrete takes", t))
	}
	return t.v.concrete
}

// Value returns the value of a concrete tensor as a Go scalar or slice. It
// panics with an error as [Tensor.Tensor] does.
func (t Tensor) Value() any { return t.Tensor().Value() }

// Spec returns what is known of the tensor: all dimensions of a concrete one.
func (t Tensor) Spec() Spec {
	spec := t.spec()
	spec.Dims = slices.Clone(spec.Dims)
	return spec
}

// spec is Spec with the tensor's own dimensions, not to be changed.
func (t Tensor) spec() Spec {
	switch {
	case t.v == nil:
		return Spec{}
	case t.v.concrete != nil:
		shape := t.v.concrete.Shape()
		return Spec{DType: shape.DType, Dims: shape.Dimensions}
	}
	return *t.v.spec
}

// DType returns the type of the elements.
func (t Tensor) DType() dtypes.DType { return t.spec().DType }

// Rank returns the number of dimensions, which is always known.
func (t Tensor) Rank() int { return len(t.spec().Dims) }

// Dim returns the size of an axis; negative axes count from the last one. It
// panics with an error if there is no such axis.
func (t Tensor) Dim(axis int) Dim {
	rank := t.Rank()
	positive := axis
	if axis < 0 {
		positive += rank
	}
	if positive < 0 || positive >= rank {
		panic(newError(ErrSignature, "%s has no axis %d", t, axis))
	}
	return Dim{tensor: t, axis: positive}
}

// Name returns the name of a symbolic tensor: that of its argument or op.
func (t Tensor) Name() string {
	if t.v == nil {
		return ""
	}
	return t.v.name
}

// String returns the value of a concrete tensor, and the name, dimensions and
// dtype of others.
func (t Tensor) String() string {
	switch {
	case t.v == nil:
		return "None"
	case t.v.concrete != nil:
		return fmt.Sprint(t.v.concrete.Value())
	}
	spec := t.v.spec
	return fmt.Sprintf("Tensor(%q, shape=(%s), dtype=%s)", t.v.name, spec.dims(", "), spec.dtype())
}

// A Dim is the size of an axis, which a trace may not know.
type Dim struct {
	tensor Tensor
	axis   int
}

// Known reports whether the size is known.
func (d Dim) Known() bool { return d.size() != Unknown }

func (d Dim) size() int {
	if d.tensor.IsNone() {
		panic(newError(ErrSignature, "the zero Dim has no size: take one from Tensor.Dim"))
	}
	return d.tensor.spec().Dims[d.axis]
}

// Int returns the size. It panics with an error that names function, tensor and
// axis if the trace does not know it.
func (d Dim) Int() int {
	size := d.size()
	if size != Unknown {
		return size
	}
	err := newError(ErrUnknownDim, "axis %d of %s has no known size in this trace: compute with ops, or trace with a known size", d.axis, d.tensor)
	if tr := d.tensor.v.trace; tr != nil {
		err = tr.fn.wrap(err)
	}
	panic(err)
}

// String returns the size, `?` if it is unknown.
func (d Dim) String() string {
	if !d.Known() {
		return "?"
	}
	return fmt.Sprint(d.Int())
}
