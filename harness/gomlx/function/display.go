package function

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What messages show of texts that users choose the length of.
const (
	maxText      = 200
	maxErrorText = 4000
)

// cut returns a text, or of one with more bytes than the limit, its beginning
// and its end with its length between them.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := ends(text, limit)
	return head + gap(len(text)) + tail
}

func gap(length int) string { return fmt.Sprintf("…(%d bytes)…", length) }

// ends returns the beginning and the end of a text, together about as long as
// the limit, without a part of a character.
func ends(text string, limit int) (head, tail string) {
	i, j := limit/2, len(text)-limit/2
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	for j < len(text) && !utf8.RuneStart(text[j]) {
		j++
	}
	return text[:i], text[j:]
}

// literalText returns a literal for people, and whether the text tells it from
// all others of its type. It calls no methods of the value: those may show
// different values alike, panic, or not return.
func literalText(v reflect.Value) (text string, complete bool) {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10), true
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()), true
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()), true
	}
	if s := v.String(); len(s) > maxText {
		head, tail := ends(s, maxText)
		return strconv.Quote(head) + gap(len(s)) + strconv.Quote(tail), false
	}
	return strconv.Quote(v.String()), true
}

// A textWriter writes values for the conversion log, until they are too long:
// without addresses, which change from run to run, and without calling methods
// of users' types.
type textWriter struct{ strings.Builder }

// argText returns an argument for people.
func argText(v reflect.Value) string {
	var w textWriter
	w.value(v)
	return w.String()
}

// full reports whether the text is long enough, and ends it then.
func (w *textWriter) full() bool {
	if w.Len() < maxErrorText {
		return false
	}
	if !strings.HasSuffix(w.String(), "…") {
		w.WriteString("…")
	}
	return true
}

func (w *textWriter) value(v reflect.Value) {
	if w.full() {
		return
	}
	if !v.IsValid() {
		w.WriteString("<nil>")
		return
	}
	if v.CanInterface() {
		switch known := v.Interface().(type) {
		case Tensor:
			w.WriteString(cut(known.String(), maxText))
			return
		case *Variable:
			if known != nil {
				w.WriteString(cut(known.String(), maxText))
				return
			}
		case Spec:
			w.WriteString(cut(known.String(), maxText))
			return
		case Dim:
			w.WriteString(known.String())
			return
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Slice, reflect.Array:
		w.WriteString("[")
		for i := range v.Len() {
			w.separator(i)
			w.value(v.Index(i))
			if w.full() {
				return
			}
		}
		w.WriteString("]")
	case reflect.Struct:
		w.fields(v)
	case reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		w.WriteString(v.Type().String())
	default:
		text, _ := literalText(v)
		w.WriteString(text)
	}
}

func (w *textWriter) fields(v reflect.Value) {
	w.WriteString(v.Type().String() + "{")
	shown := 0
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			w.separator(shown)
			w.WriteString(f.Name + ": ")
			w.value(v.Field(i))
			shown++
		}
	}
	w.WriteString("}")
}

func (w *textWriter) separator(before int) {
	if before > 0 {
		w.WriteString(", ")
	}
}
