package function

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"
	"weak"

	"github.com/tracelint/tracelint/harness"
)

// A description tells people, and the recorder, what the arguments of a trace are.
type description struct {
	args  *arguments
	specs []Spec // of the tensors, as the trace sees them
	// names are the paths of the tensors so far: `arg0`, `arg1.Inputs[2]`.
	names     []string
	variables []string
}

// describe returns the signature of a trace and the names of its tensors.
func (a *arguments) describe(values []reflect.Value, specs []Spec) (harness.Signature, []string) {
	d := description{args: a, specs: specs}
	signature := make(harness.Signature, len(a.fn.params))
	for i, c := range a.fn.params {
		signature[i] = d.value(c, values[i], a.fn.argName(i))
		signature[i].Name = a.fn.knownArgName(i)
	}
	return signature, d.names
}

func (d *description) value(c *codec, v reflect.Value, path string) harness.Arg {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return harness.Arg{Kind: harness.Literal, Type: c.typ.String(), Value: "nil"}
		}
	}
	switch c.kind {
	case tensorCodec:
		return d.tensor(v.Interface().(Tensor), path)
	case variableCodec:
		return d.variable(v.Interface().(*Variable), path)
	case literalCodec:
		return harness.Arg{Kind: harness.Literal, Type: c.typ.String(), Value: literalText(v)}
	case identityCodec:
		return harness.Arg{Kind: harness.Object, Type: c.typ.String(), Value: d.args.fn.objects.number(v.UnsafePointer())}
	case keyerCodec:
		return d.keyer(c, v, path)
	case interfaceCodec:
		return d.dynamic(v.Elem(), path)
	}
	return harness.Arg{Kind: harness.Structure, Type: c.typ.String(), Elems: d.elements(c, v, path)}
}

func (d *description) elements(c *codec, v reflect.Value, path string) []harness.Arg {
	var elems []harness.Arg
	add := func(c *codec, v reflect.Value, name string) {
		arg := d.value(c, v, path+name)
		arg.Name = name
		elems = append(elems, arg)
	}
	switch c.kind {
	case structCodec:
		for _, f := range c.fields {
			add(f.codec, v.Field(f.index), "."+f.name)
		}
	case mapCodec:
		entries, err := sortedEntries(d.args, c, v)
		check(err) // encoding the same value has succeeded
		for _, e := range entries {
			add(c.elem, v.MapIndex(e.key), "["+mapKeyText(e.key)+"]")
		}
	default:
		for i := range v.Len() {
			add(c.elem, v.Index(i), "["+strconv.Itoa(i)+"]")
		}
	}
	return elems
}

func (d *description) tensor(t Tensor, path string) harness.Arg {
	if t.IsNone() {
		return harness.Arg{Kind: harness.Literal, Type: tensorType.String(), Value: "None"}
	}
	spec := d.specs[len(d.names)]
	d.names = append(d.names, path)
	arg := harness.Arg{Kind: harness.Tensor, Type: spec.dtype(), Dims: spec.Dims}
	if d.args.fn.rt.legacy && d.args.precision != nothing && len(spec.Dims) > 0 {
		arg.Value = "symbolic"
		if t.v.concrete != nil {
			arg.Value = "concrete"
		}
	}
	return arg
}

func (d *description) variable(v *Variable, path string) harness.Arg {
	text := "variable"
	same := slices.IndexFunc(d.args.variables, func(o *Variable) bool { return o.state == v.state })
	if same < len(d.variables) {
		text += ", the same as " + d.variables[same]
	}
	d.variables = append(d.variables, path)
	return harness.Arg{Kind: harness.Tensor, Type: v.spec.dtype(), Dims: v.spec.Dims, Value: text}
}

func (d *description) keyer(c *codec, v reflect.Value, path string) harness.Arg {
	key := d.dynamic(reflect.ValueOf(v.Interface().(Keyer).TraceKey()), path)
	return harness.Arg{Kind: harness.Structure, Type: c.typ.String(), Elems: []harness.Arg{key}}
}

func (d *description) dynamic(v reflect.Value, path string) harness.Arg {
	if !v.IsValid() {
		return harness.Arg{Kind: harness.Literal, Value: "nil"}
	}
	c, err := d.args.fn.rt.codecOf(v.Type())
	check(err) // encoding the same value has succeeded
	return d.value(c, v, path)
}

func literalText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Pointer: // the descriptor of a type
		return "type"
	}
	return fmt.Sprint(v)
}

func mapKeyText(v reflect.Value) string {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return strconv.Quote(v.String())
	}
	return fmt.Sprint(v)
}

// objects numbers the values that a function was traced for by identity. It
// does not keep them alive.
type objects struct {
	numbers map[weak.Pointer[byte]]int
}

// number returns `#1` for the first value, and so on.
func (o *objects) number(p unsafe.Pointer) string {
	if o.numbers == nil {
		o.numbers = map[weak.Pointer[byte]]int{}
	}
	w := weakly(p)
	if _, ok := o.numbers[w]; !ok {
		o.numbers[w] = len(o.numbers) + 1
	}
	return "#" + strconv.Itoa(o.numbers[w])
}
