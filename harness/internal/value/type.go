package value

import (
	"reflect"
	"strconv"
)

// TypeName returns a type with the import paths of what it consists of: types of
// two packages may share the text that people see. Types of one name that are
// declared inside of functions of one package share this one, too.
func TypeName(t reflect.Type) string {
	var e encoder
	e.typeOf(t)
	return Digest(e.out)
}

// IsPredeclared reports whether a type is one of the language's own, such as int.
func IsPredeclared(t reflect.Type) bool { return t.PkgPath() == "" && t.Name() != "" }

func (e *encoder) typeOf(t reflect.Type) {
	if t.Name() != "" {
		if path := t.PkgPath(); path != "" {
			e.write(path)
			e.write(".")
		}
		e.write(t.Name())
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		e.write("*")
		e.typeOf(t.Elem())
	case reflect.Slice:
		e.write("[]")
		e.typeOf(t.Elem())
	case reflect.Array:
		e.write("[" + strconv.Itoa(t.Len()) + "]")
		e.typeOf(t.Elem())
	case reflect.Map:
		e.write("map[")
		e.typeOf(t.Key())
		e.write("]")
		e.typeOf(t.Elem())
	case reflect.Struct:
		e.write("struct{")
		for i := range t.NumField() {
			e.write(t.Field(i).Name + " ")
			e.typeOf(t.Field(i).Type)
			e.write(";")
		}
		e.write("}")
	default: // functions, channels and interfaces
		e.write(t.String())
	}
}
