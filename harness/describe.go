package harness

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxParts bounds the parts of a signature that are described one by one:
// values may contain themselves through interfaces.
const maxParts = 1 << 16

// maxPlain bounds the parts of a literal that is shown by its value.
const maxPlain = 64

// SignatureOf describes the arguments of a traced function. Symbolic values of
// any engine are told by their methods, without importing it: either Shape,
// which returns a struct with the fields DType and Dimensions (all versions of
// GoMLX), or Shape, which returns a slice of integers, and DType. Slices, maps,
// structs and pointers to structs that hold such values are described by their
// exported fields and elements. Scalars, strings and small values that consist
// of them are literals; everything else is opaque, and shown by its type.
func SignatureOf(args ...any) Signature {
	s := make(Signature, len(args))
	d := describer{budget: maxParts, seen: map[uintptr]bool{}}
	for i, a := range args {
		s[i] = d.describe(reflect.ValueOf(a))
	}
	return s
}

// A describer describes values until its budget of parts is spent, and a struct
// behind a pointer once; it takes the rest for opaque.
type describer struct {
	budget int
	seen   map[uintptr]bool
}

// describe describes a value. What the value's own methods panic with stays
// here: a description must not end a trace.
func (d *describer) describe(v reflect.Value) (arg Arg) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return Arg{Kind: Literal, Type: "nil", Value: "nil"}
	}
	opaque := Arg{Kind: Opaque, Type: v.Type().String()}
	if d.budget--; d.budget < 0 {
		return opaque
	}
	defer func() {
		if recover() != nil {
			arg = opaque
		}
	}()
	if isSymbolic(v.Type()) {
		return describeTensor(v)
	}
	if arg, ok := describeScalar(v); ok {
		return arg
	}
	if holdsSymbolic(v.Type()) {
		return d.describeStructure(v)
	}
	if budget := maxPlain; isPlain(v, &budget) {
		return Arg{Kind: Literal, Type: opaque.Type, Value: fmt.Sprintf("%#v", v.Interface())}
	}
	return opaque
}

// isSymbolic reports whether a type has the methods of a symbolic value.
func isSymbolic(t reflect.Type) bool {
	shape := resultOf(t.MethodByName("Shape"))
	switch {
	case shape == nil:
		return false
	case shape.Kind() == reflect.Struct:
		_, hasDType := shape.FieldByName("DType")
		dimensions, ok := shape.FieldByName("Dimensions")
		return hasDType && ok && isInts(dimensions.Type)
	default:
		return isInts(shape) && resultOf(t.MethodByName("DType")) != nil
	}
}

// resultOf returns the type of what a method without parameters returns, nil if
// there is no such method.
func resultOf(m reflect.Method, ok bool) reflect.Type {
	if !ok {
		return nil
	}
	receivers := 0 // in the type of an interface's method
	if m.Func.IsValid() {
		receivers = 1
	}
	if m.Type.NumIn() != receivers || m.Type.NumOut() != 1 {
		return nil
	}
	return m.Type.Out(0)
}

func isInts(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() >= reflect.Int && t.Elem().Kind() <= reflect.Int64
}

func describeTensor(v reflect.Value) Arg {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return Arg{Kind: Literal, Type: v.Type().String(), Value: "nil"}
	}
	shape := v.MethodByName("Shape").Call(nil)[0]
	var dtype, dimensions reflect.Value
	if shape.Kind() == reflect.Struct {
		dtype, dimensions = shape.FieldByName("DType"), shape.FieldByName("Dimensions")
	} else {
		dtype, dimensions = v.MethodByName("DType").Call(nil)[0], shape
	}
	arg := Arg{Kind: Tensor, Type: strings.ToLower(fmt.Sprint(dtype.Interface()))}
	for i := range dimensions.Len() {
		arg.Dims = append(arg.Dims, int(dimensions.Index(i).Int()))
	}
	return arg
}

// describeScalar describes booleans, numbers and strings.
func describeScalar(v reflect.Value) (Arg, bool) {
	arg := Arg{Kind: Literal, Type: v.Type().String()}
	switch {
	case v.Kind() == reflect.String:
		arg.Value = strconv.Quote(v.String())
	case isNumber(v.Kind()) || v.Kind() == reflect.Bool:
		arg.Value = fmt.Sprint(v.Interface())
	default:
		return Arg{}, false
	}
	return arg, true
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Complex128 && k != reflect.Uintptr
}

// isPlain reports whether a value consists of scalars and strings alone, of at
// most as many parts as the budget says, so that its Go syntax tells it from
// others.
func isPlain(v reflect.Value, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !isPlain(v.Index(i), budget) {
				return false
			}
		}
		return true
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if !isPlain(entries.Key(), budget) || !isPlain(entries.Value(), budget) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range v.NumField() {
			if !isPlain(v.Field(i), budget) {
				return false
			}
		}
		return true
	default:
		return isNumber(v.Kind()) || v.Kind() == reflect.Bool || v.Kind() == reflect.String
	}
}

// holdsSymbolic reports whether values of the type may hold symbolic values in
// elements or exported fields, at most one pointer away: what lies farther, such
// as the model behind a scope, is not an argument.
func holdsSymbolic(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		t = t.Elem()
	}
	return typeSearch{}.holds(t)
}

// A typeSearch looks for symbolic types below another one and remembers which
// types it has seen, since they may be recursive.
type typeSearch map[reflect.Type]bool

func (s typeSearch) holds(t reflect.Type) bool {
	if s[t] {
		return false
	}
	s[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return s.isOrHolds(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && s.isOrHolds(f.Type) {
				return true
			}
		}
	}
	return false
}

func (s typeSearch) isOrHolds(t reflect.Type) bool {
	return t == reflect.TypeFor[any]() || isSymbolic(t) || s.holds(t)
}

func (d *describer) describeStructure(v reflect.Value) Arg {
	arg := Arg{Kind: Structure, Type: v.Type().String()}
	if v.Kind() == reflect.Pointer {
		switch address := v.Pointer(); {
		case address == 0:
			return Arg{Kind: Literal, Type: arg.Type, Value: "nil"}
		case d.seen[address]:
			return Arg{Kind: Opaque, Type: arg.Type}
		default:
			d.seen[address] = true
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			arg.Elems = append(arg.Elems, d.describe(v.Index(i)))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			e := d.describe(v.MapIndex(key))
			e.Name = "[" + keyText(key) + "]"
			arg.Elems = append(arg.Elems, e)
		}
		slices.SortFunc(arg.Elems, func(a, b Arg) int { return strings.Compare(a.String(), b.String()) })
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			e := d.describe(v.Field(i))
			e.Name = "." + field.Name
			arg.Elems = append(arg.Elems, e)
		}
	}
	return arg
}

// keyText returns a map's key in Go syntax, or its type if that has addresses
// in it.
func keyText(key reflect.Value) string {
	if budget := maxPlain; isPlain(key, &budget) {
		return fmt.Sprintf("%#v", key.Interface())
	}
	return key.Type().String()
}
