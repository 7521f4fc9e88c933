package function

import (
	"reflect"
)

// A replacement copies a value and puts other tensors and variables in the
// place of those in it, in the order in which [arguments.encode] meets them.
type replacement struct {
	args      *arguments // whose context and function the value has
	tensors   []Tensor
	variables []*Variable
}

func (r *replacement) nextTensor() Tensor {
	t := r.tensors[0]
	r.tensors = r.tensors[1:]
	return t
}

func (r *replacement) nextVariable() *Variable {
	v := r.variables[0]
	r.variables = r.variables[1:]
	return v
}

// value returns the copy. Encoding the value has checked all that may fail.
func (r *replacement) value(c *codec, v reflect.Value) (reflect.Value, error) {
	if !c.symbolic {
		return v, nil
	}
	switch c.kind {
	case tensorCodec:
		if v.Interface().(Tensor).IsNone() {
			return v, nil
		}
		return reflect.ValueOf(r.nextTensor()), nil
	case variableCodec:
		if v.IsNil() {
			return v, nil
		}
		return reflect.ValueOf(r.nextVariable()), nil
	case interfaceCodec:
		return r.dynamic(c, v)
	case mapCodec:
		return r.pairs(c, v)
	}
	if c.kind == sliceCodec && v.IsNil() {
		return v, nil
	}
	out := reflect.New(c.typ).Elem()
	if c.kind == sliceCodec {
		out.Set(reflect.MakeSlice(c.typ, v.Len(), v.Len()))
	}
	if c.kind == structCodec {
		out.Set(v)
		for _, f := range c.fields {
			if !c.typ.Field(f.index).IsExported() {
				continue
			}
			inner, err := r.value(f.codec, v.Field(f.index))
			if err != nil {
				return out, err
			}
			out.Field(f.index).Set(inner)
		}
		return out, nil
	}
	for i := range v.Len() {
		inner, err := r.value(c.elem, v.Index(i))
		if err != nil {
			return out, err
		}
		out.Index(i).Set(inner)
	}
	return out, nil
}

func (r *replacement) dynamic(c *codec, v reflect.Value) (reflect.Value, error) {
	if v.IsNil() {
		return v, nil
	}
	dynamic, err := r.args.fn.rt.codecOf(v.Elem().Type())
	if err != nil || !dynamic.symbolic {
		return v, err
	}
	inner, err := r.value(dynamic, v.Elem())
	if err != nil {
		return v, err
	}
	out := reflect.New(c.typ).Elem()
	out.Set(inner)
	return out, nil
}

func (r *replacement) pairs(c *codec, v reflect.Value) (reflect.Value, error) {
	if v.IsNil() {
		return v, nil
	}
	entries, err := sortedEntries(r.args, c, v)
	if err != nil {
		return v, err
	}
	out := reflect.MakeMapWithSize(c.typ, v.Len())
	for _, e := range entries {
		inner, err := r.value(c.elem, e.value)
		if err != nil {
			return v, err
		}
		out.SetMapIndex(e.key, inner)
	}
	return out, nil
}
