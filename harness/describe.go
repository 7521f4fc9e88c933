package harness

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/harness/internal/value"
	"github.com/tracelint/tracelint/internal/clip"
)

const (
	// maxParts bounds the parts of a signature that are described one by one.
	maxParts = 1 << 16
	// maxDepth bounds how deep they nest.
	maxDepth = 100
)

// SignatureOf describes the arguments of a traced function. Symbolic values of
// any engine are told by their methods, without importing it: either Shape,
// which returns a struct with the fields DType and Dimensions (all versions of
// GoMLX), or Shape, which returns a slice of integers, and DType. Slices, maps,
// structs and pointers to structs that hold such values are described by their
// elements and fields.
//
// What holds none is a literal, told from others by its structure, unexported
// fields included, whatever its methods print. Inside of it pointers, channels
// and functions count by identity, functions by their code: those that one
// literal or method makes are the same. A pointer, channel or function that is
// an argument or element by itself is opaque, as GoMLX's scopes are: only an
// adapter knows whether an engine keys by it. So is what has more than a million
// parts or a thousand levels.
func SignatureOf(args ...any) Signature {
	s := make(Signature, len(args))
	d := describer{
		parts:    maxParts,
		literals: value.MaxParts,
		open:     map[uintptr]bool{},
		seen:     map[uintptr]bool{},
		kinds:    map[reflect.Type]ArgKind{},
	}
	for i, a := range args {
		s[i] = d.describe(reflect.ValueOf(a))
	}
	return s
}

// A describer describes values until its budgets are spent, and a struct behind
// a pointer once; it takes the rest for opaque.
type describer struct {
	parts    int // of structures
	literals int // their parts
	depth    int
	open     map[uintptr]bool // the slices and maps around
	seen     map[uintptr]bool // the structs behind pointers so far
	kinds    map[reflect.Type]ArgKind
}

// kind returns what values of a type are, Literal for those without symbolic
// values. Many have the same type, and asking for methods takes long.
func (d *describer) kind(t reflect.Type) ArgKind {
	kind, known := d.kinds[t]
	if !known {
		switch {
		case isSymbolic(t):
			kind = Tensor
		case holdsSymbolic(t):
			kind = Structure
		default:
			kind = Literal
		}
		d.kinds[t] = kind
	}
	return kind
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
	d.depth++
	defer func() { d.depth-- }()
	if d.parts--; d.parts < 0 || d.depth > maxDepth {
		return opaque
	}
	defer func() {
		if recover() != nil {
			arg = opaque
		}
	}()
	switch d.kind(v.Type()) {
	case Tensor:
		return describeTensor(v)
	case Structure:
		return d.describeStructure(v)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return opaque
	}
	if arg, _, ok := d.describeLiteral(v); ok {
		return arg
	}
	return opaque
}

// describeLiteral describes a value that holds nothing symbolic, and says whether
// identities are in it, unless it is too large.
func (d *describer) describeLiteral(v reflect.Value) (arg Arg, identity, ok bool) {
	key, ok := value.KeyOf(v, &d.literals)
	text, whole := value.Text(v)
	arg = Arg{Kind: Literal, Type: v.Type().String(), Key: key.Text}
	if whole && value.IsPredeclared(v.Type()) {
		arg.Key = "" // the text says it all
	}
	if own := ownText(v); own != "" && own != text {
		if v.Kind() < reflect.Array || v.Kind() == reflect.String {
			text = own + " (" + text + ")"
		} else {
			text, whole = own, false
		}
	}
	if !whole && !key.Identity {
		text += " " + value.Sum(key.Text) // so that budgets that are checked in tell, too
	}
	arg.Value = text
	return arg, key.Identity, ok
}

// ownText returns what a value's own method says of it, empty if it has none or
// if that panics.
func ownText(v reflect.Value) string {
	if !v.CanInterface() {
		return ""
	}
	stringer, ok := v.Interface().(fmt.Stringer)
	if !ok {
		return ""
	}
	text, _ := said(stringer.String)
	return clip.Middle(text, value.MaxText/2)
}

// said returns what a value's own method says, and false if it panics.
func said(method func() string) (text string, ok bool) {
	defer func() { _ = recover() }()
	return method(), true
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
	if v.Type().Name() != "" {
		arg.Key = value.TypeName(v.Type())
	}
	switch v.Kind() {
	case reflect.Struct:
		arg.Elems = d.fields(v)
	case reflect.Array:
		arg.Elems = d.elements(v)
	default:
		address := v.Pointer()
		if d.open[address] && v.Len() > 0 {
			return Arg{Kind: Opaque, Type: arg.Type}
		}
		d.open[address] = true
		defer delete(d.open, address)
		if v.Kind() == reflect.Map {
			arg.Elems = d.entries(v)
		} else {
			arg.Elems = d.elements(v)
		}
	}
	return arg
}

func (d *describer) elements(v reflect.Value) (elems []Arg) {
	for i := range v.Len() {
		elems = append(elems, d.describe(v.Index(i)))
	}
	return elems
}

// fields describes the fields of a struct, of those that are unexported what can
// be read: symbolic values cannot.
func (d *describer) fields(v reflect.Value) (elems []Arg) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		e := d.describe(v.Field(i))
		if e.Kind == Opaque && !field.IsExported() || field.Name == "_" {
			continue
		}
		e.Name = "." + field.Name
		elems = append(elems, e)
	}
	return elems
}

// entries describes the entries of a map, in an order that its keys and values
// have by themselves. Keys that are pointers count by their type, as opaque
// arguments do.
func (d *describer) entries(v reflect.Value) []Arg {
	type entry struct {
		Arg
		order string
	}
	var entries []entry
	for m := v.MapRange(); m.Next(); {
		e := d.describe(m.Value())
		key := d.mapKey(m.Key())
		e.Name = "[" + key.value() + "]"
		if key.Key != "" {
			e.Key = value.Digest([]byte(key.Key + ":" + e.Key))
		}
		entries = append(entries, entry{e, Signature{e}.Key()})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.order, b.order))
	})
	elems := make([]Arg, len(entries))
	for i, e := range entries {
		elems[i] = e.Arg
	}
	return elems
}

func (d *describer) mapKey(v reflect.Value) Arg {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if arg, identity, ok := d.describeLiteral(v); ok && !identity {
		return arg
	}
	return Arg{Kind: Opaque, Type: v.Type().String()}
}
