package function

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// arguments are the arguments of one call: their key, and the tensors,
// variables and pointers in them, in the order in which encode meets them.
type arguments struct {
	ctx       *Ctx
	fn        *core
	precision precision
	// specsAllowed is set where specs may stand for tensors.
	specsAllowed bool

	key       []byte
	tensors   []Tensor
	variables []*Variable
	// pointers are the values keyed by identity. The key holds their addresses,
	// which another value may get once one is gone; see Concrete.matches.
	pointers []unsafe.Pointer
	nesting  int

	// inputs is room for the inputs of an execution.
	inputs []any

	// shown is set where the key is for the recorder: it holds no addresses,
	// which change from run to run, and the tensors as the trace sees them.
	shown *description
}

// A precision says how much of the tensors goes into a key.
type precision int

const (
	exact   precision = iota // dtype and dimensions
	ranked                   // dtype and rank, which a general trace shares with special ones
	nothing                  // an input signature fixes them
)

// newArguments returns arguments without values, to be released after use.
func newArguments(ctx *Ctx, fn *core) *arguments {
	a, ok := fn.rt.arguments.Get().(*arguments)
	if !ok {
		a = &arguments{}
	}
	a.ctx, a.fn = ctx, fn
	return a
}

func (a *arguments) release() {
	pool := &a.fn.rt.arguments
	clear(a.tensors)
	clear(a.variables)
	clear(a.pointers)
	clear(a.inputs)
	*a = arguments{key: a.key[:0], tensors: a.tensors[:0], variables: a.variables[:0], pointers: a.pointers[:0], inputs: a.inputs[:0]}
	pool.Put(a)
}

// encode reads the values of the function's parameters.
func (a *arguments) encode(p precision, values []reflect.Value) error {
	a.precision = p
	a.key, a.tensors, a.variables, a.pointers = a.key[:0], a.tensors[:0], a.variables[:0], a.pointers[:0]
	a.nesting = 0
	for i, c := range a.fn.params {
		if err := a.value(c, values[i]); err != nil {
			return at(a.fn.argName(i), err)
		}
	}
	return nil
}

// Each value starts with a byte that says what it is, so that keys of different
// structures differ.
func (a *arguments) value(c *codec, v reflect.Value) (err error) {
	switch c.kind {
	case tensorCodec:
		return a.tensor(v)
	case variableCodec:
		return a.variable(v)
	case literalCodec:
		return a.literal(v)
	case identityCodec:
		a.identity(v.UnsafePointer())
		return nil
	}
	// Values may contain themselves, or so many others that memory ends.
	if a.nesting == maxNesting {
		return newError(ErrUnkeyable, "type %s: more than %d values are nested: does it contain itself?", c.typ, maxNesting)
	}
	if len(a.key) > maxKey {
		return errTooLarge()
	}
	a.nesting++
	err = a.composite(c, v)
	a.nesting--
	return err
}

const (
	// maxNesting bounds how deep values nest in structs, slices, arrays, maps
	// and interfaces.
	maxNesting = 1000
	// maxKey bounds the bytes of a key, roughly: a value that holds another one
	// twice, and that one a third one twice, and so on, has no end.
	maxKey = 1 << 22
)

func errTooLarge() error {
	return newError(ErrUnkeyable, "the arguments have more than %d MB outside of tensors: pass large data as tensors, or by pointer", maxKey>>20)
}

// composite encodes what has other values in it.
func (a *arguments) composite(c *codec, v reflect.Value) error {
	switch c.kind {
	case keyerCodec:
		return a.keyer(v)
	case interfaceCodec:
		return a.dynamic(v)
	case structCodec:
		a.tag('{')
		for _, f := range c.fields {
			if err := a.value(f.codec, v.Field(f.index)); err != nil {
				return at("."+f.name, err)
			}
		}
	case arrayCodec, sliceCodec:
		if c.kind == sliceCodec && v.IsNil() {
			a.tag('n') // as in TensorFlow, no list is not an empty one
			return nil
		}
		a.tag('[')
		a.number(uint64(v.Len()))
		for i := range v.Len() {
			if err := a.value(c.elem, v.Index(i)); err != nil {
				return at("["+strconv.Itoa(i)+"]", err)
			}
			if len(a.key) > maxKey {
				return errTooLarge()
			}
		}
	case mapCodec:
		return a.pairs(c, v)
	}
	return nil
}

func (a *arguments) tag(b byte) { a.key = append(a.key, b) }

func (a *arguments) text(s string) {
	a.number(uint64(len(s)))
	a.key = append(a.key, s...)
}

func (a *arguments) number(n uint64) { a.key = binary.AppendUvarint(a.key, n) }

func (a *arguments) tensor(v reflect.Value) error {
	if !v.CanInterface() {
		return newError(ErrUnkeyable, "a tensor in a field that is not exported cannot be an argument: export the field")
	}
	t := v.Interface().(Tensor)
	if t.v == nil {
		a.tag('n')
		return nil
	}
	isSpec := t.v.concrete == nil && t.v.trace == nil
	if t.v.concrete == nil && t.v.trace != a.ctx.trace || isSpec && !a.specsAllowed {
		return outOfScope(t, a.ctx.trace)
	}
	a.tag('t')
	a.tensors = append(a.tensors, t)
	if a.precision == nothing {
		return nil
	}
	if a.shown != nil {
		spec := a.shown.specs[len(a.shown.names)+len(a.tensors)-1]
		a.spec(int(spec.DType), spec.Dims, t.v.concrete != nil)
		return nil
	}
	spec := t.v.spec
	if t.v.concrete != nil {
		shape := t.v.concrete.Shape()
		a.spec(int(shape.DType), shape.Dimensions, true)
		return nil
	}
	a.spec(int(spec.DType), spec.Dims, false)
	return nil
}

// spec adds what a key says of a tensor. Each dimension is a number of its own,
// so [12,1] is not [1,21].
func (a *arguments) spec(dtype int, dims []int, concrete bool) {
	a.number(uint64(dtype))
	a.number(uint64(len(dims)))
	if a.precision == exact {
		for _, d := range dims {
			a.number(uint64(d + 1)) // 0 stands for Unknown
		}
	}
	// TensorFlow 1.x ended each dimension of a concrete tensor, and only of a
	// concrete one, with a dash.
	if a.fn.rt.legacy && concrete && len(dims) > 0 {
		a.tag('-')
	}
}

func (a *arguments) variable(v reflect.Value) error {
	if !v.CanInterface() {
		return newError(ErrUnkeyable, "a variable in a field that is not exported cannot be an argument: export the field")
	}
	variable := v.Interface().(*Variable)
	if variable == nil {
		a.tag('n')
		return nil
	}
	if err := variable.usable(a.ctx); err != nil {
		return err
	}
	a.tag('v')
	// The pattern of equal variables decides what an assignment changes.
	first := slices.IndexFunc(a.variables, func(o *Variable) bool { return o.state == variable.state })
	a.number(uint64(first + 1))
	if a.shown != nil {
		a.text(a.shown.captured.key(variable.state))
	}
	a.variables = append(a.variables, variable)
	a.number(uint64(variable.spec.DType))
	a.number(uint64(len(variable.spec.Dims)))
	for _, d := range variable.spec.Dims {
		a.number(uint64(d))
	}
	return nil
}

func (a *arguments) identity(p unsafe.Pointer) {
	if p == nil {
		a.tag('n')
		return
	}
	a.tag('p')
	a.address(p)
	a.pointers = append(a.pointers, p)
}

// address adds an address, for the recorder the number of what is there.
func (a *arguments) address(p unsafe.Pointer) {
	if a.shown != nil {
		a.text(a.fn.objects.number(p))
		return
	}
	a.number(uint64(uintptr(p)))
}

func (a *arguments) literal(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		a.tag('b')
		if v.Bool() {
			a.tag('1')
		} else {
			a.tag('0')
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		a.tag('i')
		a.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		a.tag('u')
		a.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		a.tag('f')
		a.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		a.tag('c')
		a.float(real(v.Complex()))
		a.float(imag(v.Complex()))
	case reflect.String:
		if v.Len() > maxKey {
			return errTooLarge()
		}
		a.tag('s')
		a.text(v.String())
	case reflect.Pointer: // the descriptor of a type
		a.tag('d')
		a.address(v.UnsafePointer())
	}
	return nil
}

// float adds the bits of a number: all NaNs are one, 0 and -0 are two.
func (a *arguments) float(f float64) {
	if f != f {
		f = math.NaN()
	}
	a.number(math.Float64bits(f))
}
