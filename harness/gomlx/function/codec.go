package function

import (
	"fmt"
	"reflect"
)

// A Keyer gives its own key to traced functions that get it as an argument:
// TensorFlow's tracing protocol. Arguments with equal keys share a trace. The
// key is a value without tensors that does not change: a literal, a pointer, or
// a structure of these. Tensors inside of a Keyer are no arguments.
type Keyer interface {
	TraceKey() any
}

// A codec knows how values of one type take part in keys, and where tensors and
// variables are inside of them.
type codec struct {
	kind   codecKind
	typ    reflect.Type
	elem   *codec  // of slices, arrays and maps
	key    *codec  // of maps
	fields []field // of structs
	// symbolic says that values hold, or may hold, tensors or variables.
	symbolic bool
}

type field struct {
	index int
	name  string
	*codec
}

type codecKind int

const (
	tensorCodec codecKind = iota
	variableCodec
	keyerCodec
	literalCodec   // keyed by value
	identityCodec  // keyed by address
	interfaceCodec // as the value inside, and by its type
	structCodec
	sliceCodec
	arrayCodec
	mapCodec
)

var (
	tensorType   = reflect.TypeFor[Tensor]()
	variableType = reflect.TypeFor[*Variable]()
	keyerType    = reflect.TypeFor[Keyer]()
	ctxType      = reflect.TypeFor[*Ctx]()
	errorType    = reflect.TypeFor[error]()
	// Descriptors of types lie in read-only memory, to which no weak pointer
	// can point, and live for ever.
	descriptorType = reflect.TypeOf(reflect.TypeFor[int]())
)

// newCodec returns the codec of a type. The error names what in the type cannot
// be keyed.
func newCodec(typ reflect.Type) (*codec, error) {
	return codecs{}.of(typ)
}

// codecs holds the codecs under construction, for types that contain themselves.
type codecs map[reflect.Type]*codec

func (cs codecs) of(typ reflect.Type) (*codec, error) {
	if c, ok := cs[typ]; ok {
		return c, nil
	}
	// Until more is known, what contains the type itself may hold tensors.
	c := &codec{typ: typ, symbolic: true}
	cs[typ] = c
	if err := cs.fill(c); err != nil {
		return nil, err
	}
	return c, nil
}

func (cs codecs) fill(c *codec) (err error) {
	typ := c.typ
	symbolic := false
	defer func() { c.symbolic = symbolic }()
	switch {
	case typ == tensorType:
		c.kind, symbolic = tensorCodec, true
		return nil
	case typ == variableType:
		c.kind, symbolic = variableCodec, true
		return nil
	case typ == descriptorType:
		c.kind = literalCodec
		return nil
	case typ == ctxType:
		return newError(ErrUnkeyable, "type %s is no argument: a body gets its context first, and only there", typ)
	case typ.Kind() != reflect.Interface && typ.Implements(keyerType):
		c.kind = keyerCodec
		return nil
	}
	switch typ.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.String:
		c.kind = literalCodec
	case reflect.Pointer:
		c.kind = identityCodec
		if typ.Elem().Size() == 0 {
			return newError(ErrUnkeyable, "type %s points to a value of no size, and such pointers have no identity", typ)
		}
	case reflect.Interface:
		c.kind, symbolic = interfaceCodec, true
	case reflect.Slice, reflect.Array:
		c.kind = sliceCodec
		if typ.Kind() == reflect.Array {
			c.kind = arrayCodec
		}
		c.elem, err = cs.of(typ.Elem())
		if err != nil {
			return err
		}
		symbolic = c.elem.symbolic
	case reflect.Map:
		c.kind = mapCodec
		if c.key, err = cs.of(typ.Key()); err != nil {
			return fmt.Errorf("keys of %s: %w", typ, err)
		}
		if err = c.key.checkMapKey(); err != nil {
			return fmt.Errorf("keys of %s: %w", typ, err)
		}
		if c.elem, err = cs.of(typ.Elem()); err != nil {
			return err
		}
		symbolic = c.elem.symbolic
	case reflect.Struct:
		c.kind = structCodec
		symbolic, err = cs.fillStruct(c)
		return err
	default:
		return newError(ErrUnkeyable, "type %s can be no part of a key: pass a tensor, a literal, a pointer, or a type with a TraceKey method", typ)
	}
	return nil
}

func (cs codecs) fillStruct(c *codec) (symbolic bool, err error) {
	for i := range c.typ.NumField() {
		f := c.typ.Field(i)
		if f.Name == "_" {
			continue
		}
		inner, err := cs.of(f.Type)
		if err != nil {
			return false, fmt.Errorf("field %s.%s: %w", c.typ, f.Name, err)
		}
		if !f.IsExported() && inner.kind != interfaceCodec && (inner.symbolic || inner.kind == keyerCodec) {
			return false, newError(ErrUnkeyable, "field %s.%s has type %s and is not exported, so it cannot be an argument: export it, or give %s a TraceKey method",
				c.typ, f.Name, f.Type, c.typ)
		}
		c.fields = append(c.fields, field{i, f.Name, inner})
		symbolic = symbolic || inner.symbolic && f.IsExported()
	}
	return symbolic, nil
}

// checkMapKey returns an error for keys of maps that have no order from run to
// run, or hold tensors.
func (c *codec) checkMapKey() error {
	switch c.kind {
	case literalCodec, interfaceCodec:
		return nil
	case arrayCodec:
		return c.elem.checkMapKey()
	case structCodec:
		for _, f := range c.fields {
			if err := f.checkMapKey(); err != nil {
				return err
			}
		}
		return nil
	}
	return newError(ErrUnkeyable, "type %s is neither a literal nor made of literals", c.typ)
}
