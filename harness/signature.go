package harness

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/harness/internal/value"
)

// A Signature is what a wrapper's cache is keyed by: the arguments of a call,
// in order, and what else the engine counts. A nil Signature is an unknown one.
type Signature []Arg

// An ArgKind says what an argument is.
type ArgKind int

// The kinds of arguments.
const (
	// Tensor is a value of the graph: Type is its dtype, Dims are its dimensions.
	Tensor ArgKind = iota
	// Literal is a value of the host that is part of the key: Type is its Go
	// type, Value the value.
	Literal
	// Object is an argument that the engine keys by identity: Type is its Go
	// type, Value tells it from others of the type (`#1`).
	Object
	// Structure is a slice, map or struct: Type is its Go type, Elems are its
	// elements, named `[0]`, `["key"]` or `.Field`.
	Structure
	// Context is no argument but a part of the key that the engine adds, such
	// as train or eval: Name says which, Value is its value.
	Context
	// Opaque is an argument that is no part of the key, such as a scope: Type
	// is its Go type.
	Opaque
)

// An Arg is one argument of a [Signature].
type Arg struct {
	// Name is the parameter's name if it is known; it is no part of the key.
	Name string
	// Kind says which of the other fields hold.
	Kind ArgKind
	// Type is a tensor's dtype in lower case, else a Go type.
	Type string
	// Dims are the dimensions of a tensor; a negative one is not fixed.
	Dims []int
	// Value is the value or identity as people read it. On a Tensor it is what
	// else the engine keys it by.
	Value string
	// Key is equal exactly if the values are the same to the engine, which texts
	// for people cannot promise. If it is empty, Value decides. It is compared
	// beside Kind, Type, Dims and Elems.
	Key string
	// Elems are the elements of a structure, and Omitted is how many more there
	// are: of large ones a recorder keeps the first ones and a Key.
	Elems   []Arg
	Omitted int
}

// String returns the signature for people: `float32[3], 4`.
func (s Signature) String() string {
	args := make([]string, len(s))
	for i, a := range s {
		args[i] = a.String()
	}
	return strings.Join(args, ", ")
}

// String returns the argument for people: `x float32[3]`.
func (a Arg) String() string {
	if a.Name == "" {
		return a.value()
	}
	return a.Name + " " + a.value()
}

// value returns the argument without its name.
func (a Arg) value() string {
	switch a.Kind {
	case Tensor:
		text := a.Type + dims(a.Dims)
		if a.Value != "" {
			text += " " + a.Value
		}
		return text
	case Literal, Context:
		return a.Value
	case Object:
		return a.Type + " " + a.Value
	case Structure:
		text := Signature(a.Elems).String()
		if a.Omitted > 0 {
			text += ", …(" + strconv.Itoa(a.Omitted) + " more)"
		}
		return "{" + strings.TrimPrefix(text, ", ") + "}"
	default:
		return a.Type
	}
}

// dims returns dimensions as `[3,?]`.
func dims(dims []int) string {
	texts := make([]string, len(dims))
	for i, d := range dims {
		texts[i] = dim(d)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// dim returns a dimension, `?` if it is not fixed.
func dim(d int) string {
	if d < 0 {
		return "?"
	}
	return strconv.Itoa(d)
}

// named returns the signature with names for the arguments that have none, if
// there is one for each argument, contexts aside.
func (s Signature) named(names []string) Signature {
	arguments := slices.DeleteFunc(slices.Clone(s), func(a Arg) bool { return a.Kind == Context })
	if len(arguments) != len(names) {
		return s
	}
	s = slices.Clone(s) // it may be the adapter's
	position := 0
	for i := range s {
		if s[i].Kind == Context {
			continue
		}
		if s[i].Name == "" {
			s[i].Name = names[position]
		}
		position++
	}
	return s
}

// Key returns a text that is equal for equal signatures only, and short whatever
// their size. It is not for people.
func (s Signature) Key() string {
	var key []byte
	for i := range s {
		key = s[i].appendKey(key)
	}
	return value.Digest(key)
}

// appendKey quotes texts and delimits numbers, so that [12,1] is not [1,21].
func (a *Arg) appendKey(key []byte) []byte {
	key = strconv.AppendInt(key, int64(a.Kind), 10)
	key = strconv.AppendQuote(key, a.Type)
	for _, d := range a.Dims {
		key = strconv.AppendInt(key, int64(d), 10)
		key = append(key, ',')
	}
	if a.Key == "" {
		key = strconv.AppendQuote(key, a.Value)
	} else {
		key = append(key, '=')
		key = strconv.AppendQuote(key, a.Key)
	}
	key = append(key, '{')
	for i := range a.Elems {
		key = strconv.AppendQuote(key, a.Elems[i].Name)
		key = a.Elems[i].appendKey(key)
	}
	return append(key, '}')
}

// sameValue reports whether two arguments have the same value to the engine,
// dimensions and elements aside.
func sameValue(a, b *Arg) bool {
	if a.Key != "" || b.Key != "" {
		return a.Key == b.Key
	}
	return a.Value == b.Value
}

// sameNames reports whether the elements of two structures have the same names.
func sameNames(a, b []Arg) bool {
	return slices.EqualFunc(a, b, func(a, b Arg) bool { return a.Name == b.Name })
}

// equal reports whether two signatures are the same to people, too.
func equal(a, b []Arg) bool {
	return slices.EqualFunc(a, b, func(a, b Arg) bool {
		return a.Name == b.Name && a.Kind == b.Kind && a.Type == b.Type && slices.Equal(a.Dims, b.Dims) &&
			a.Value == b.Value && a.Key == b.Key && a.Omitted == b.Omitted && equal(a.Elems, b.Elems)
	})
}
