package function

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
)

func (a *arguments) keyer(v reflect.Value) error {
	if !v.CanInterface() {
		return newError(ErrUnkeyable, "a value with a TraceKey method in a field that is not exported cannot be an argument: export the field")
	}
	a.tag('k')
	a.typ(v.Type())
	if v.Kind() == reflect.Pointer && v.IsNil() {
		a.tag('n')
		return nil
	}
	key := reflect.ValueOf(v.Interface().(Keyer).TraceKey())
	before := len(a.tensors) + len(a.variables)
	if err := a.inside(key); err != nil {
		return fmt.Errorf("the key that %s gives: %w", v.Type(), err)
	}
	if len(a.tensors)+len(a.variables) != before {
		return newError(ErrUnkeyable, "the key that %s gives holds a tensor or variable", v.Type())
	}
	return nil
}

func (a *arguments) dynamic(v reflect.Value) error {
	a.tag('a')
	if v.IsNil() {
		a.tag('n')
		return nil
	}
	return a.inside(v.Elem())
}

// inside encodes a value by its dynamic type.
func (a *arguments) inside(v reflect.Value) error {
	if !v.IsValid() {
		a.tag('n')
		return nil
	}
	if a.nesting++; a.nesting > maxNesting {
		return newError(ErrUnkeyable, "type %s: more than %d values are nested: does it contain itself?", v.Type(), maxNesting)
	}
	defer func() { a.nesting-- }()
	c, err := a.fn.rt.codecOf(v.Type())
	if err != nil {
		return err
	}
	a.typ(v.Type())
	return a.value(c, v)
}

// maxNesting bounds how deep values behind interfaces may nest.
const maxNesting = 100

// typ adds a type: its descriptor is unique and lives for ever.
func (a *arguments) typ(t reflect.Type) { a.number(uint64(reflect.ValueOf(t).Pointer())) }

// codecOf returns the codec of a type, which it keeps.
func (r *Runtime) codecOf(typ reflect.Type) (*codec, error) {
	if c, ok := r.codecs.Load(typ); ok {
		return c.(*codec), nil
	}
	c, err := newCodec(typ)
	if err != nil {
		return nil, err
	}
	kept, _ := r.codecs.LoadOrStore(typ, c)
	return kept.(*codec), nil
}

func (a *arguments) pairs(c *codec, v reflect.Value) error {
	if v.IsNil() {
		a.tag('n')
		return nil
	}
	a.tag('m')
	a.number(uint64(v.Len()))
	entries, err := sortedEntries(a, c, v)
	if err != nil {
		return err
	}
	for _, e := range entries {
		a.key = append(a.key, e.encoded...)
		if err := a.value(c.elem, v.MapIndex(e.key)); err != nil {
			return fmt.Errorf("[%v]: %w", e.key, err)
		}
	}
	return nil
}

type mapEntry struct {
	encoded []byte
	key     reflect.Value
}

// sortedEntries returns the keys of a map in the order of their encodings.
func sortedEntries(a *arguments, c *codec, v reflect.Value) ([]mapEntry, error) {
	keys := arguments{ctx: a.ctx, fn: a.fn, nesting: a.nesting}
	entries := make([]mapEntry, 0, v.Len())
	for _, k := range v.MapKeys() {
		keys.key = nil
		if err := keys.value(c.key, k); err != nil {
			return nil, fmt.Errorf("key %v: %w", k, err)
		}
		entries = append(entries, mapEntry{keys.key, k})
	}
	if len(keys.tensors)+len(keys.variables)+len(keys.pointers) > 0 {
		return nil, newError(ErrUnkeyable, "a key of %s is neither a literal nor made of literals", v.Type())
	}
	slices.SortFunc(entries, func(x, y mapEntry) int { return bytes.Compare(x.encoded, y.encoded) })
	return entries, nil
}
