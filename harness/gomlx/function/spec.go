package function

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// Unknown is the size of a dimension that a [Spec] leaves open.
const Unknown = tape.Unknown

// A Spec says what tensors an argument may be: a dtype and dimensions, some of
// which may be [Unknown].
type Spec struct {
	// Name names the argument in messages, if set. It is no part of keys.
	Name  string
	DType dtypes.DType
	Dims  []int
}

// SpecOf returns an unnamed spec.
func SpecOf(dtype dtypes.DType, dims ...int) Spec { return Spec{DType: dtype, Dims: dims} }

// Named returns the spec with a name.
func (s Spec) Named(name string) Spec {
	s.Name = name
	return s
}

// Tensor returns a tensor that has the spec and no value, to ask for a trace
// with [Func.Concrete] where a structure holds tensors.
func (s Spec) Tensor() Tensor { return Tensor{&value{spec: &s}} }

// Rank returns the number of dimensions.
func (s Spec) Rank() int { return len(s.Dims) }

// String returns the dtype and dimensions: `float32[3,?]`.
func (s Spec) String() string {
	return s.dtype() + "[" + s.dims(",") + "]"
}

func (s Spec) dtype() string { return strings.ToLower(s.DType.String()) }

func (s Spec) dims(separator string) string {
	texts := make([]string, len(s.Dims))
	for i, d := range s.Dims {
		texts[i] = "?"
		if d != Unknown {
			texts[i] = fmt.Sprint(d)
		}
	}
	return strings.Join(texts, separator)
}

// check returns an error if no tensor can have the spec.
func (s Spec) check() error {
	if s.DType == dtypes.InvalidDType {
		return newError(ErrSignature, "a spec has no dtype")
	}
	for axis, d := range s.Dims {
		if d < 0 && d != Unknown {
			return newError(ErrSignature, "spec %s: axis %d has the size %d, want a size or Unknown", s, axis, d)
		}
	}
	return nil
}

// covers reports whether every tensor that other allows is allowed by s.
func (s Spec) covers(other Spec) bool {
	return s.DType == other.DType && slices.EqualFunc(s.Dims, other.Dims, func(a, b int) bool {
		return a == Unknown || a == b
	})
}

// union returns the most special spec that covers both. There is none for
// other dtypes or ranks: a rank is always known here.
func (s Spec) union(other Spec) (Spec, bool) {
	if s.DType != other.DType || len(s.Dims) != len(other.Dims) {
		return Spec{}, false
	}
	union := Spec{Name: s.Name, DType: s.DType, Dims: slices.Clone(s.Dims)}
	for axis, d := range other.Dims {
		if union.Dims[axis] != d {
			union.Dims[axis] = Unknown
		}
	}
	return union, true
}

// unknowns returns the number of unknown dimensions.
func (s Spec) unknowns() int {
	n := 0
	for _, d := range s.Dims {
		if d == Unknown {
			n++
		}
	}
	return n
}
