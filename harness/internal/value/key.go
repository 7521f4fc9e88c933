// Package value tells Go values apart by their structure, and shows them to
// people. It calls no method of a value, reads unexported fields as well, and
// has an end whatever it is given.
package value

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"reflect"
	"slices"
	"strconv"
)

// MaxParts bounds the parts of a value that has a key, so that large data costs
// a trace milliseconds at most.
const MaxParts = 1 << 20

// maxDepth bounds how deep values nest that have a key.
const maxDepth = 1000

// maxKey is the length in bytes of the longest key that is no hash.
const maxKey = 64

// A Key tells a value from others.
type Key struct {
	// Text is equal exactly for values of one type and structure: NaN equals NaN,
	// maps have no order, and what contains itself does so in the same way.
	Text string
	// Identity is whether pointers, channels or functions are in it, which count
	// by address. Functions made from one literal have the same.
	Identity bool
}

// KeyOf returns the key of a value, and false if the value is too large or too
// deep to have one. It takes the parts of the value off the budget.
func KeyOf(v reflect.Value, budget *int) (Key, bool) {
	e := encoder{budget: budget, open: map[container]int{}}
	e.typeOf(v.Type())
	e.write(" ")
	e.value(v)
	return Key{e.text(), e.identity}, !e.failed
}

// Digest returns a text, or its hash if it is long.
func Digest(text []byte) string {
	if len(text) <= maxKey {
		return string(text)
	}
	sum := sha256.Sum256(text)
	return digest(sum[:])
}

// Sum returns a short text that tells texts apart for people.
func Sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:])[:9]
}

func digest(sum []byte) string { return "#" + hex.EncodeToString(sum[:16]) }

// A container is a slice or map on the way to the value that is encoded.
type container struct {
	address uintptr
	length  int
	typ     reflect.Type
}

type encoder struct {
	budget   *int
	open     map[container]int // their depths
	depth    int
	identity bool
	failed   bool

	out []byte
	sum hash.Hash // of what does not fit into out; nil if all does
}

// text returns what was written, or its hash.
func (e *encoder) text() string {
	if e.sum == nil {
		return Digest(e.out)
	}
	e.sum.Write(e.out)
	return digest(e.sum.Sum(nil))
}

// flush keeps the output short.
func (e *encoder) flush() {
	if len(e.out) < 4096 {
		return
	}
	if e.sum == nil {
		e.sum = sha256.New()
	}
	e.sum.Write(e.out)
	e.out = e.out[:0]
}

func (e *encoder) write(text string) { e.out = append(e.out, text...) }

func (e *encoder) value(v reflect.Value) {
	*e.budget--
	e.depth++
	defer func() { e.depth-- }()
	if *e.budget < 0 || e.depth > maxDepth {
		e.failed = true
		return
	}
	e.flush()
	switch v.Kind() {
	case reflect.Bool:
		e.out = strconv.AppendBool(e.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out = strconv.AppendInt(e.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.out = strconv.AppendUint(e.out, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		e.out = strconv.AppendFloat(e.out, v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		e.write(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		e.string(v.String())
	case reflect.Interface:
		e.dynamic(v)
	case reflect.Array:
		e.elements(v)
	case reflect.Slice, reflect.Map:
		e.container(v)
	case reflect.Struct:
		e.fields(v)
	default: // pointers, channels, functions
		e.address(v)
	}
}

func (e *encoder) string(s string) {
	if len(s) <= maxKey {
		e.out = strconv.AppendQuote(e.out, s)
		return
	}
	sum := sha256.Sum256([]byte(s))
	e.write(digest(sum[:]))
}

func (e *encoder) address(v reflect.Value) {
	if v.IsNil() {
		e.write("nil")
		return
	}
	e.identity = true
	e.write("@")
	e.out = strconv.AppendUint(e.out, uint64(v.Pointer()), 16)
}

func (e *encoder) dynamic(v reflect.Value) {
	if v.IsNil() {
		e.write("nil")
		return
	}
	e.typeOf(v.Elem().Type())
	e.write("(")
	e.value(v.Elem())
	e.write(")")
}

// container encodes a slice or map, or how far up the same one is.
func (e *encoder) container(v reflect.Value) {
	if v.IsNil() {
		e.write("nil")
		return
	}
	if v.Len() > *e.budget {
		e.failed = true
		return
	}
	this := container{v.Pointer(), v.Len(), v.Type()}
	if depth, open := e.open[this]; open {
		e.write("^")
		e.out = strconv.AppendInt(e.out, int64(e.depth-depth), 10)
		return
	}
	if this.length > 0 { // empty slices share an address
		e.open[this] = e.depth
		defer delete(e.open, this)
	}
	if v.Kind() == reflect.Map {
		e.entries(v)
	} else {
		e.elements(v)
	}
}

func (e *encoder) elements(v reflect.Value) {
	e.write("[")
	for i := 0; i < v.Len() && !e.failed; i++ {
		e.value(v.Index(i))
		e.write(",")
	}
	e.write("]")
}

func (e *encoder) fields(v reflect.Value) {
	e.write("{")
	for i := 0; i < v.NumField() && !e.failed; i++ {
		if v.Type().Field(i).Name == "_" {
			continue // == ignores it
		}
		e.value(v.Field(i))
		e.write(",")
	}
	e.write("}")
}

// entries encodes a map in the order of its encoded entries.
func (e *encoder) entries(v reflect.Value) {
	var entries []string
	for m := v.MapRange(); m.Next() && !e.failed; {
		entries = append(entries, e.apart(m.Key())+":"+e.apart(m.Value()))
	}
	slices.Sort(entries)
	e.write("{")
	for _, entry := range entries {
		e.write(entry)
		e.write(",")
		e.flush()
	}
	e.write("}")
}

// apart returns the encoding of a part, or its hash.
func (e *encoder) apart(v reflect.Value) string {
	part := encoder{budget: e.budget, open: e.open, depth: e.depth}
	part.value(v)
	e.identity = e.identity || part.identity
	e.failed = e.failed || part.failed
	return part.text()
}
