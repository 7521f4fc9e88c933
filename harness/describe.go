package harness

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of described structures, which may contain
// themselves through interfaces.
const maxDepth = 16

// SignatureOf describes the arguments of a traced function. Symbolic values of
// any engine are told by their methods, without importing it: either Shape,
// which returns a struct with the fields DType and Dimensions (all versions of
// GoMLX), or Shape, which returns a slice of integers, and DType. Slices, maps,
// structs and pointers to structs that hold such values are described by their
// exported fields and elements. Scalars and strings are literals; everything
// else is opaque, and shown by its type.
func SignatureOf(args ...any) Signature {
	s := make(Signature, len(args))
	for i, a := range args {
		s[i] = describe(reflect.ValueOf(a), 0)
	}
	return s
}

// describe describes a value. What the value's own methods panic with stays
// here: a description must not end a trace.
func describe(v reflect.Value, depth int) (arg Arg) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return Arg{Kind: Literal, Type: "nil", Value: "nil"}
	}
	opaque := Arg{Kind: Opaque, Type: v.Type().String()}
	defer func() {
		if recover() != nil {
			arg = opaque
		}
	}()
	if isSymbolic(v.Type()) {
		return describeTensor(v)
	}
	if arg, ok := describeLiteral(v); ok {
		return arg
	}
	if depth == maxDepth || !holdsSymbolic(v.Type(), depth) {
		return opaque
	}
	return describeStructure(v, depth)
}

// isSymbolic reports whether a type has the methods of a symbolic value.
func isSymbolic(t reflect.Type) bool {
	result := resultOf(t, "Shape")
	switch {
	case result == nil:
		return false
	case result.Kind() == reflect.Struct:
		_, hasDType := result.FieldByName("DType")
		dimensions, ok := result.FieldByName("Dimensions")
		return hasDType && ok && isInts(dimensions.Type)
	default:
		return isInts(result) && resultOf(t, "DType") != nil
	}
}

// resultOf returns the type of what a method without parameters returns, nil if
// there is no such method.
func resultOf(t reflect.Type, method string) reflect.Type {
	m, ok := t.MethodByName(method)
	if !ok {
		return nil
	}
	receivers := 1
	if t.Kind() == reflect.Interface {
		receivers = 0
	}
	if m.Type.NumIn() != receivers || m.Type.NumOut() != 1 {
		return nil
	}
	return m.Type.Out(0)
}

func isInts(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().ConvertibleTo(reflect.TypeFor[int]()) && t.Elem().Kind() != reflect.String
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

func describeLiteral(v reflect.Value) (Arg, bool) {
	arg := Arg{Kind: Literal, Type: v.Type().String()}
	switch kind := v.Kind(); {
	case kind == reflect.String:
		arg.Value = strconv.Quote(v.String())
	case kind >= reflect.Bool && kind <= reflect.Complex128 && kind != reflect.Uintptr:
		arg.Value = fmt.Sprint(v.Interface())
	default:
		return Arg{}, false
	}
	return arg, true
}

// holdsSymbolic reports whether values of the type may hold symbolic values in
// elements or exported fields, at most one pointer away: what lies farther, such
// as the model behind a scope, is not an argument.
func holdsSymbolic(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return t.Elem().Kind() == reflect.Struct && holdsDirectly(t.Elem(), depth)
	default:
		return holdsDirectly(t, depth)
	}
}

func holdsDirectly(t reflect.Type, depth int) bool {
	if depth == maxDepth {
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return mayBeSymbolic(t.Elem(), depth+1)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && len(f.Index) == 1 && mayBeSymbolic(f.Type, depth+1) {
				return true
			}
		}
	}
	return false
}

func mayBeSymbolic(t reflect.Type, depth int) bool {
	return t == reflect.TypeFor[any]() || isSymbolic(t) || holdsDirectly(t, depth)
}

func describeStructure(v reflect.Value, depth int) Arg {
	arg := Arg{Kind: Structure, Type: v.Type().String()}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return Arg{Kind: Literal, Type: arg.Type, Value: "nil"}
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			arg.Elems = append(arg.Elems, describe(v.Index(i), depth+1))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			e := describe(v.MapIndex(key), depth+1)
			e.Name = fmt.Sprintf("[%#v]", key.Interface())
			arg.Elems = append(arg.Elems, e)
		}
		slices.SortFunc(arg.Elems, func(a, b Arg) int { return strings.Compare(a.Name, b.Name) })
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			e := describe(v.Field(i), depth+1)
			e.Name = "." + field.Name
			arg.Elems = append(arg.Elems, e)
		}
	}
	return arg
}
