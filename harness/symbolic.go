package harness

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/harness/internal/value"
)

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
	name := dtypeName(dtype)
	arg := Arg{Kind: Tensor, Type: strings.ToLower(name), Key: dtypeKey(dtype, name)}
	for i := range dimensions.Len() {
		arg.Dims = append(arg.Dims, int(dimensions.Index(i).Int()))
	}
	return arg
}

// dtypeName returns a dtype for people.
func dtypeName(dtype reflect.Value) string {
	if own := ownText(dtype); own != "" {
		return own
	}
	if dtype.Kind() == reflect.String {
		return dtype.String()
	}
	text, _ := value.Text(dtype)
	return text
}

// dtypeKey returns what tells a dtype from others of the same name, empty if the
// name in lower case is all of it.
func dtypeKey(dtype reflect.Value, name string) string {
	switch {
	case dtype.CanInt():
		return strconv.FormatInt(dtype.Int(), 10)
	case dtype.Kind() == reflect.String && dtype.String() == name && strings.ToLower(name) == name:
		return ""
	}
	budget := maxParts
	key, _ := value.KeyOf(dtype, &budget)
	return key.Text
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
