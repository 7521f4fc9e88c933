package function

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// TraceCount returns the number of traces that the function keeps, as
// TensorFlow's experimental_get_tracing_count does: traces that failed are not
// among them, both traces of a first call that made state are, and [ClearCache]
// takes them away. How often the body ran is the recorder's to tell.
func (f *core) TraceCount() int {
	check(f.made())
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.traces) + f.replaced
}

// Compilations returns how often a graph was compiled: at least once for each
// trace that ran, once more for each further combination of sizes.
func (f *core) Compilations() int {
	check(f.made())
	return int(f.compilations.Load())
}

// Signatures returns what the function was traced for, in order. It never traces.
func (f *core) Signatures() []harness.Signature {
	check(f.made())
	f.mu.RLock()
	defer f.mu.RUnlock()
	signatures := make([]harness.Signature, len(f.traces))
	for i, c := range f.traces {
		signatures[i] = c.signature
	}
	return signatures
}

// Concrete returns the trace for arguments, which it makes if there is none: a
// [Spec] or a Go slice may stand for a tensor. A function with an input
// signature needs no arguments, if its tensors lie in parameters, structs, arrays
// and at most one slice. Nothing is executed.
func (f *core) Concrete(args ...any) (*Concrete, error) {
	if err := f.made(); err != nil {
		return nil, err
	}
	c, err := f.concrete(args)
	if err != nil {
		return nil, f.wrap(err)
	}
	return c, nil
}

func (f *core) concrete(args []any) (*Concrete, error) {
	if err := f.rt.host.usable(); err != nil {
		return nil, err
	}
	convert := f.convert
	if f.hasSignature && len(args) == 0 {
		convert = f.signatureValues
	}
	values, err := convert(args)
	if err != nil {
		return nil, err
	}
	a := newArguments(f.rt.host, f)
	defer a.release()
	a.specsAllowed = true
	if err := f.read(a, values); err != nil {
		return nil, err
	}
	if c := f.lookup(a); c != nil {
		return c, nil
	}
	c, _, err := f.trace(a, values)
	return c, err
}

// Apply calls the function with arguments whose types are not known when the
// program is compiled, and returns the tensors in its results. Unlike Call it
// takes a Go scalar or slice for a parameter that is a tensor.
func (f *core) Apply(c *Ctx, args ...any) ([]Tensor, error) {
	if err := f.made(); err != nil {
		return nil, err
	}
	values, err := f.convert(args)
	if err != nil {
		return nil, f.wrap(err)
	}
	out, err := f.call(c, values)
	if err != nil {
		return nil, err
	}
	results := newArguments(c, f)
	defer results.release()
	for i, codec := range f.results {
		if err := results.value(codec, out[i]); err != nil {
			return nil, f.wrap(fmt.Errorf("result %d: %w", i, err))
		}
	}
	return append([]Tensor(nil), results.tensors...), nil
}

// convert makes the values of the parameters.
func (f *core) convert(args []any) ([]reflect.Value, error) {
	n := len(f.params)
	variadic := f.typ.IsVariadic()
	if len(args) != n && (!variadic || len(args) < n-1) {
		return nil, newError(ErrSignature, "it takes %d arguments, not %d", n, len(args))
	}
	values := make([]reflect.Value, n)
	for i, c := range f.params {
		if variadic && i == n-1 {
			rest := reflect.MakeSlice(c.typ, 0, len(args)-i)
			for j, arg := range args[i:] {
				v, err := convertTo(c.elem.typ, arg)
				if err != nil {
					return nil, fmt.Errorf("%s[%d]: %w", f.argName(i), j, err)
				}
				rest = reflect.Append(rest, v)
			}
			values[i] = rest
			break
		}
		v, err := convertTo(c.typ, args[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.argName(i), err)
		}
		values[i] = v
	}
	return values, nil
}

// convertTo returns an argument as a value of a parameter's type.
func convertTo(typ reflect.Type, arg any) (reflect.Value, error) {
	out := reflect.New(typ).Elem()
	if spec, ok := arg.(Spec); ok && tensorType.AssignableTo(typ) {
		if err := spec.check(); err != nil {
			return out, err
		}
		arg = spec.Tensor()
	}
	v := reflect.ValueOf(arg)
	switch {
	case !v.IsValid():
		switch typ.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			return out, nil
		}
		return out, newError(ErrSignature, "it is nil, want %s", typ)
	case v.Type().AssignableTo(typ):
		out.Set(v)
		return out, nil
	case typ != tensorType:
		return out, newError(ErrSignature, "it is %s, want %s", v.Type(), typ)
	}
	t, err := fromAny(arg)
	if err != nil {
		return out, fmt.Errorf("%s as a tensor: %w", v.Type(), err)
	}
	return reflect.ValueOf(t), nil
}

// Graph returns the compiled graph for tensors of the specs, which it compiles if
// it has not been yet. Without specs it is the graph for those of the trace.
func (c *Concrete) Graph(specs ...Spec) (*graph.Graph, error) {
	if len(specs) == 0 {
		specs = c.specs
	}
	if !slices.EqualFunc(c.specs, specs, Spec.covers) {
		return nil, newError(ErrSignature, "%s does not serve tensors of the specs %v", c, specs)
	}
	var sizes []shapes.Shape
	for _, spec := range specs {
		if spec.unknowns() > 0 {
			return nil, newError(ErrUnknownDim, "%s is compiled for known sizes only, and %s has an unknown one", c, spec)
		}
		sizes = append(sizes, shapes.Make(spec.DType, spec.Dims...))
	}
	for _, s := range c.reads {
		sizes = append(sizes, shapes.Make(s.variable.spec.DType, s.variable.spec.Dims...))
	}
	g, err := c.exec.Compile(sizes...)
	if mismatch := new(tape.Mismatch); errors.As(err, &mismatch) {
		return nil, newError(ErrUnknownDim, "%s does not serve these sizes: %s: call the function with them, which traces it again", c, c.mismatch(mismatch))
	}
	return g, opError(err)
}
