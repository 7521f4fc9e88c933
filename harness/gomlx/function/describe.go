package function

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"

	"github.com/tracelint/tracelint/harness"
)

// A description tells people, and the recorder, what the arguments of a trace
// are. Of large ones it shows maxShown parts, and has a key for the others.
type description struct {
	args     *arguments
	specs    []Spec // of the tensors, as the trace sees them
	captured captures
	room     int // for how many parts of the argument there is room
	// names are the paths of the tensors so far: `arg0`, `arg1.Inputs[2]`.
	names     []string
	variables []string
}

const maxShown = 200

// describe returns the signature of a trace and the names of its tensors.
func (r *request) describe() (harness.Signature, []string) {
	d := description{args: r.arguments, specs: r.specs, captured: r.captured}
	signature := make(harness.Signature, len(r.fn.params))
	for i, c := range r.fn.params {
		d.room = maxShown
		signature[i] = d.value(c, r.values[i], r.fn.argName(i))
		signature[i].Name = r.fn.knownArgName(i)
	}
	return signature, d.names
}

func (d *description) value(c *codec, v reflect.Value, path string) harness.Arg {
	d.room--
	arg := harness.Arg{Kind: harness.Literal, Type: d.args.fn.rt.types.name(c.typ), Value: "nil"}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() && (c.kind != keyerCodec || v.Kind() == reflect.Pointer) {
			return arg
		}
	}
	switch c.kind {
	case tensorCodec:
		return d.tensor(v.Interface().(Tensor), path)
	case variableCodec:
		return d.variable(v.Interface().(*Variable), path)
	case literalCodec:
		d.literal(&arg, c, v)
	case identityCodec:
		arg.Kind, arg.Value = harness.Object, d.args.fn.objects.number(v.UnsafePointer())
	case keyerCodec:
		arg.Kind, arg.Value = harness.Structure, ""
		d.keyer(&arg, c, v, path)
	case interfaceCodec:
		return d.dynamic(v.Elem(), path)
	default:
		arg.Kind, arg.Value = harness.Structure, ""
		d.elements(&arg, composite{c: c, v: v}, path)
	}
	return arg
}

func (d *description) literal(arg *harness.Arg, c *codec, v reflect.Value) {
	if c.typ == descriptorType {
		arg.Value = "type " + d.args.fn.objects.number(v.UnsafePointer())
		if v.CanInterface() {
			arg.Value = "type " + d.args.fn.rt.types.name(v.Interface().(reflect.Type))
		}
		return
	}
	var complete bool
	if arg.Value, complete = literalText(v); !complete {
		arg.Key = d.key(func(a *arguments) error { return a.value(c, v) })
	}
}

func (d *description) keyer(arg *harness.Arg, c *codec, v reflect.Value, path string) {
	if d.room < 0 {
		arg.Omitted = 1
		arg.Key = d.key(func(a *arguments) error { return a.value(c, v) })
		return
	}
	arg.Elems = []harness.Arg{d.dynamic(reflect.ValueOf(v.Interface().(Keyer).TraceKey()), path)}
}

// elements describes the elements that there is room for.
func (d *description) elements(arg *harness.Arg, parts composite, path string) {
	parts.sort(d.args)
	n := 0
	for ; n < parts.len() && d.room > 0; n++ {
		name, c, v := parts.at(n)
		elem := d.value(c, v, path+name)
		elem.Name = name
		arg.Elems = append(arg.Elems, elem)
	}
	if arg.Omitted = parts.len() - n; arg.Omitted > 0 {
		arg.Value = strconv.Itoa(parts.len()) + " elements"
	}
	if arg.Omitted > 0 || !parts.named() {
		arg.Key = d.key(func(a *arguments) error { return parts.encode(a, n) })
	}
	d.nameRest(parts, n, path)
}

// nameAll gives the tensors and variables in a value their names.
func (d *description) nameAll(c *codec, v reflect.Value, path string) {
	switch {
	case !c.symbolic:
	case c.kind == tensorCodec:
		if !v.Interface().(Tensor).IsNone() {
			d.names = append(d.names, path)
		}
	case c.kind == variableCodec:
		if !v.IsNil() {
			d.variables = append(d.variables, path)
		}
	case c.kind == interfaceCodec:
		if !v.IsNil() {
			inner, err := d.args.fn.rt.codecOf(v.Elem().Type())
			check(err) // encoding the same value has succeeded
			d.nameAll(inner, v.Elem(), path)
		}
	default:
		parts := composite{c: c, v: v}
		parts.sort(d.args)
		d.nameRest(parts, 0, path)
	}
}

func (d *description) nameRest(parts composite, from int, path string) {
	for i := from; i < parts.len() && parts.c.symbolic; i++ {
		name, c, v := parts.at(i)
		d.nameAll(c, v, path+name)
	}
}

// key returns a text that is equal exactly for values with equal encodings.
func (d *description) key(encode func(*arguments) error) string {
	a := arguments{ctx: d.args.ctx, fn: d.args.fn, specsAllowed: d.args.specsAllowed, shown: d}
	if d.args.precision == nothing {
		a.precision = nothing
	}
	// Variables are told by which of them are the same.
	a.variables = append(a.variables, d.args.variables[:len(d.variables)]...)
	if err := encode(&a); err != nil {
		return err.Error() // of a value that has changed since
	}
	sum := sha256.Sum256(a.key)
	return hex.EncodeToString(sum[:16])
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
	arg := harness.Arg{Kind: harness.Tensor, Type: v.spec.dtype(), Dims: v.spec.Dims, Value: "variable"}
	same := slices.IndexFunc(d.args.variables, func(o *Variable) bool { return o.state == v.state })
	if same < len(d.variables) {
		arg.Value += ", the same as " + cut(d.variables[same], maxText)
	}
	arg.Value += d.captured.text(v.state)
	arg.Key = d.captured.key(v.state)
	if arg.Key != "" {
		arg.Key += " " + strconv.Itoa(same)
	}
	d.variables = append(d.variables, path)
	return arg
}

func (d *description) dynamic(v reflect.Value, path string) harness.Arg {
	if !v.IsValid() {
		return harness.Arg{Kind: harness.Literal, Value: "nil"}
	}
	c, err := d.args.fn.rt.codecOf(v.Type())
	check(err) // encoding the same value has succeeded
	return d.value(c, v, path)
}
