package function

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

func (a *arguments) keyer(v reflect.Value) error {
	if !v.CanInterface() {
		return newError(ErrUnkeyable, "a value with a TraceKey method in a field that is not exported cannot be an argument: export the field")
	}
	a.tag('k')
	a.typ(v.Type())
	if v.Kind() == reflect.Pointer && v.IsNil() {
		a.tag('0') // other than a key that is nil
		return nil
	}
	key := reflect.ValueOf(v.Interface().(Keyer).TraceKey())
	before := len(a.tensors) + len(a.variables)
	if err := a.inside(key); err != nil {
		return at(".TraceKey()", err)
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
	c, err := a.fn.rt.codecOf(v.Type())
	if err != nil {
		return err
	}
	a.typ(v.Type())
	return a.value(c, v)
}

// typ adds a type: its descriptor is unique and lives for ever.
func (a *arguments) typ(t reflect.Type) {
	a.tag('T')
	if a.shown != nil {
		a.text(a.fn.rt.types.name(t))
		return
	}
	a.number(uint64(reflect.ValueOf(t).Pointer()))
}

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

// pairs encodes a map in the order of its keys' encodings.
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
	for len(entries) > 0 {
		n := 1 // entries with equal keys: more than one only if those are not equal to themselves
		for n < len(entries) && bytes.Equal(entries[n].encoded, entries[0].encoded) {
			n++
		}
		if err := a.equalKeys(c, entries[:n]); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// equalKeys encodes the entries of a map that have the key of the first one.
// Where these are several, as NaNs are, nothing but their values orders them.
func (a *arguments) equalKeys(c *codec, entries []mapEntry) error {
	symbolic, start, pointers := len(a.tensors)+len(a.variables), len(a.key), len(a.pointers)
	var encodings [][]byte
	for _, e := range entries {
		before := len(a.key)
		a.key = append(a.key, e.encoded...)
		if err := a.value(c.elem, e.value); err != nil {
			return at(mapKeyText(c.key, e.key), err)
		}
		if len(a.key) > maxKey {
			return errTooLarge()
		}
		if len(entries) > 1 {
			encodings = append(encodings, bytes.Clone(a.key[before:]))
		}
	}
	if len(entries) == 1 {
		return nil
	}
	if len(a.tensors)+len(a.variables) != symbolic {
		return at(mapKeyText(c.key, entries[0].key), newError(ErrUnkeyable,
			"there are tensors or variables under %d keys that are NaN, which nothing tells apart", len(entries)))
	}
	slices.SortFunc(encodings, bytes.Compare)
	slices.SortFunc(a.pointers[pointers:], func(p, q unsafe.Pointer) int { return cmp.Compare(uintptr(p), uintptr(q)) })
	a.key = append(a.key[:start], bytes.Join(encodings, nil)...)
	return nil
}

type mapEntry struct {
	encoded    []byte
	key, value reflect.Value
}

// sortedEntries returns the entries of a map in the order of the encodings of
// their keys.
func sortedEntries(a *arguments, c *codec, v reflect.Value) ([]mapEntry, error) {
	keys := arguments{ctx: a.ctx, fn: a.fn, nesting: a.nesting}
	entries := make([]mapEntry, 0, v.Len())
	total := 0
	for pair := v.MapRange(); pair.Next(); {
		k := pair.Key()
		keys.key = nil
		if err := keys.value(c.key, k); err != nil {
			return nil, fmt.Errorf("a key of %s: %w", v.Type(), err)
		}
		if total += len(keys.key); total > maxKey {
			return nil, errTooLarge()
		}
		entries = append(entries, mapEntry{keys.key, k, pair.Value()})
	}
	if len(keys.tensors)+len(keys.variables)+len(keys.pointers) > 0 {
		return nil, newError(ErrUnkeyable, "a key of %s is neither a literal nor made of literals", v.Type())
	}
	slices.SortFunc(entries, func(x, y mapEntry) int { return bytes.Compare(x.encoded, y.encoded) })
	return entries, nil
}
