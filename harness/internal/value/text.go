package value

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// MaxText bounds the bytes of a text for people.
const MaxText = 512

const (
	maxString = 256 // bytes of a string or a type
	maxShown  = 64  // parts of a value
	maxNested = 8   // levels
	headShown = 12  // elements of a long list, and as many of its end as tailShown says
	tailShown = 4
)

// Text returns a value in Go syntax, its long parts cut in the middle, and
// whether that is all of it. Pointers, channels and functions are shown by their
// type.
func Text(v reflect.Value) (text string, whole bool) {
	var p printer
	for limit := maxString; ; limit /= 2 { // quoting may make four bytes of one
		p = printer{budget: maxShown, limit: limit}
		p.typedScalar(v)
		if p.text.Len() <= MaxText || v.Kind() != reflect.String {
			break
		}
	}
	text = clip.Middle(p.text.String(), MaxText)
	return text, !p.cut && len(text) == p.text.Len()
}

type printer struct {
	text   strings.Builder
	limit  int // of strings
	budget int
	depth  int
	inMap  bool
	cut    bool
}

// omit writes what stands for something left out.
func (p *printer) omit(text string) {
	p.text.WriteString(text)
	p.cut = true
}

// typedScalar writes a value, and the type of a scalar unless its syntax tells.
func (p *printer) typedScalar(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct,
		reflect.Pointer, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.value(v)
		return
	}
	switch v.Type() {
	case reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[bool]():
		p.value(v)
		return
	}
	p.text.WriteString(clip.Middle(v.Type().String(), maxString) + "(")
	p.value(v)
	p.text.WriteString(")")
}

func (p *printer) value(v reflect.Value) {
	if p.budget--; p.budget < 0 || p.depth > maxNested {
		p.omit("…")
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	switch v.Kind() {
	case reflect.String:
		p.text.WriteString(strconv.Quote(clip.Middle(v.String(), p.limit)))
		p.cut = p.cut || v.Len() > p.limit
	case reflect.Interface:
		p.dynamic(v)
	case reflect.Slice, reflect.Array:
		p.typed(v, p.elements)
	case reflect.Map:
		p.typed(v, p.entries)
	case reflect.Struct:
		p.typed(v, p.fields)
	case reflect.Pointer, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			p.text.WriteString("nil")
		} else {
			p.omit(clip.Middle(v.Type().String(), maxString))
		}
	default:
		p.scalar(v)
	}
}

// scalar writes a boolean or a number; a float64 is none of the integers.
func (p *printer) scalar(v reflect.Value) {
	one := 1
	e := encoder{budget: &one}
	e.value(v)
	text := string(e.out)
	if v.Type() == reflect.TypeFor[float64]() && !strings.ContainsAny(text, ".eIN") {
		text += ".0"
	}
	p.text.WriteString(text)
}

func (p *printer) dynamic(v reflect.Value) {
	if v.IsNil() {
		p.text.WriteString("nil")
	} else {
		p.typedScalar(v.Elem())
	}
}

// typed writes a composite value behind its type.
func (p *printer) typed(v reflect.Value, parts func(reflect.Value)) {
	p.text.WriteString(clip.Middle(v.Type().String(), maxString))
	p.cut = p.cut || len(v.Type().String()) > maxString
	if (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil() {
		p.text.WriteString("(nil)")
		return
	}
	p.text.WriteString("{")
	parts(v)
	p.text.WriteString("}")
}

// list writes the parts of a list, of a long one its beginning and end.
func (p *printer) list(length int, part func(i int)) {
	for i := 0; i < length; i++ {
		if i > 0 {
			p.text.WriteString(", ")
		}
		if i == headShown && length > headShown+tailShown {
			p.omit("…(" + strconv.Itoa(length) + " elements)…, ")
			i = length - tailShown
		}
		part(i)
	}
}

func (p *printer) elements(v reflect.Value) {
	p.list(v.Len(), func(i int) { p.value(v.Index(i)) })
}

func (p *printer) fields(v reflect.Value) {
	p.list(v.NumField(), func(i int) {
		p.text.WriteString(v.Type().Field(i).Name + ":")
		p.value(v.Field(i))
	})
}

// entries writes a map in the order of its keys' texts, numbers by size. Of a
// large one, and one inside of another, it writes the size alone, since order
// needs all of them.
func (p *printer) entries(v reflect.Value) {
	if v.Len() > maxShown || p.inMap && v.Len() > 0 {
		p.omit("…(" + strconv.Itoa(v.Len()) + " entries)…")
		return
	}
	type entry struct{ key, value string }
	var entries []entry
	for m := v.MapRange(); m.Next(); {
		entries = append(entries, entry{p.apart(m.Key()), p.apart(m.Value())})
	}
	isNumber := v.Type().Key().Kind() != reflect.String
	slices.SortFunc(entries, func(a, b entry) int {
		if isNumber && len(a.key) != len(b.key) {
			return cmp.Compare(len(a.key), len(b.key))
		}
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value))
	})
	p.list(len(entries), func(i int) { p.text.WriteString(entries[i].key + ":" + entries[i].value) })
}

// apart returns the text of a part. Its budget is its own, or which parts are
// shown would depend on the order of the map.
func (p *printer) apart(v reflect.Value) string {
	part := printer{budget: maxNested, limit: p.limit, depth: p.depth, inMap: true}
	part.value(v)
	p.cut = p.cut || part.cut
	return part.text.String()
}
