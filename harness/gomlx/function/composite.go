package function

import (
	"reflect"
	"strconv"
	"strings"
)

// A composite is a struct, slice, array or map, and its elements in the order in
// which [arguments.encode] meets them.
type composite struct {
	c       *codec
	v       reflect.Value
	entries []mapEntry // of a map
}

// sort orders the elements. Encoding the value has checked all that may fail.
func (p *composite) sort(a *arguments) {
	if p.c.kind == mapCodec && !p.v.IsNil() {
		var err error
		p.entries, err = sortedEntries(a, p.c, p.v)
		check(err)
	}
}

func (p *composite) len() int {
	switch p.c.kind {
	case structCodec:
		return len(p.c.fields)
	case mapCodec:
		return len(p.entries)
	case sliceCodec, arrayCodec:
		return p.v.Len()
	}
	return 0
}

// at returns an element, and its name: `.Field`, `[0]` or `["key"]`.
func (p *composite) at(i int) (name string, c *codec, v reflect.Value) {
	switch p.c.kind {
	case structCodec:
		f := p.c.fields[i]
		return "." + f.name, f.codec, p.v.Field(f.index)
	case mapCodec:
		e := p.entries[i]
		return mapKeyText(p.c.key, e.key), p.c.elem, e.value
	}
	return "[" + strconv.Itoa(i) + "]", p.c.elem, p.v.Index(i)
}

// named reports whether the names of the elements tell them apart.
func (p *composite) named() bool {
	if p.c.kind != mapCodec {
		return true
	}
	if p.c.key.kind != literalCodec || p.c.key.typ == descriptorType {
		return false
	}
	for _, e := range p.entries {
		if _, complete := literalText(e.key); !complete {
			return false
		}
	}
	return true
}

// encode encodes the elements from one on, and before them the keys of a map
// whose names do not tell them apart.
func (p *composite) encode(a *arguments, from int) error {
	if !p.named() {
		for _, e := range p.entries {
			if err := a.value(p.c.key, e.key); err != nil {
				return err
			}
		}
	}
	for i := from; i < p.len(); i++ {
		_, c, v := p.at(i)
		if err := a.value(c, v); err != nil {
			return err
		}
	}
	return nil
}

// mapKeyText returns the name of a map's element.
func mapKeyText(c *codec, key reflect.Value) string {
	return "[" + cut(keyText(c, key, 3), maxText) + "]"
}

// keyText returns a map's key for people, so many levels deep.
func keyText(c *codec, v reflect.Value, depth int) string {
	switch {
	case v.Kind() == reflect.Interface && v.IsNil():
		return "nil"
	case c.kind == literalCodec && c.typ != descriptorType:
		text, _ := literalText(v)
		return text
	case depth == 0:
		return "…"
	case c.kind == structCodec || c.kind == arrayCodec:
		parts := composite{c: c, v: v}
		var texts []string
		for i := range min(parts.len(), 10) {
			_, inner, elem := parts.at(i)
			texts = append(texts, keyText(inner, elem, depth-1))
		}
		return "{" + strings.Join(texts, ", ") + "}"
	case c.kind == interfaceCodec:
		if inner, err := newCodec(v.Elem().Type()); err == nil {
			return keyText(inner, v.Elem(), depth-1)
		}
	}
	return c.typ.String()
}
