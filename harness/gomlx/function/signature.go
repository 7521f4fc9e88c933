package function

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// checkPlaces returns an error if the tensors lie elsewhere in the arguments
// than in the first trace for a fixed input signature.
func (f *core) checkPlaces(places []string) error {
	if !f.hasSignature || f.places == nil || slices.Equal(f.places, places) {
		return nil
	}
	return newError(ErrSignature, "the input signature was first used for tensors at %s, and these are at %s: pass arguments of one structure",
		strings.Join(f.places, ", "), strings.Join(places, ", "))
}

// signatureValues returns arguments made of the specs of the input signature.
func (f *core) signatureValues([]any) ([]reflect.Value, error) {
	fill := filling{specs: f.signature}
	fixed := 0
	for i, c := range f.params {
		n, err := fill.count(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: pass the arguments", f.argName(i), err)
		}
		fixed += n
	}
	rest := len(f.signature) - fixed
	if rest < 0 || fill.slices == 0 && rest > 0 || fill.slices == 1 && rest%fill.perElement != 0 {
		return nil, newError(ErrSignature, "the input signature has %d tensors, which do not fit the parameters", len(f.signature))
	}
	if fill.slices == 1 {
		fill.length = rest / fill.perElement
	}
	values := make([]reflect.Value, len(f.params))
	for i, c := range f.params {
		values[i] = fill.value(c)
	}
	return values, nil
}

// A filling makes arguments out of the specs of a signature.
type filling struct {
	specs []Spec
	// slices counts the slices, among which the specs are to be divided: there is
	// no telling how if there are several.
	slices             int
	perElement, length int
}

// count returns how many tensors a value of the type holds, without those in the
// slice.
func (fill *filling) count(c *codec) (int, error) {
	switch c.kind {
	case tensorCodec, interfaceCodec:
		return 1, nil
	case structCodec:
		n := 0
		for _, f := range c.fields {
			inner, err := fill.count(f.codec)
			if err != nil {
				return 0, fmt.Errorf("field %s.%s: %w", c.typ, f.name, err)
			}
			n += inner
		}
		return n, nil
	case arrayCodec:
		n, err := fill.count(c.elem)
		return n * c.typ.Len(), err
	case sliceCodec:
		if fill.slices++; fill.slices > 1 {
			return 0, newError(ErrSignature, "the input signature does not tell how its tensors are divided among several slices")
		}
		n, err := fill.count(c.elem)
		if err == nil && n == 0 {
			err = newError(ErrSignature, "type %s holds no tensor", c.elem.typ)
		}
		fill.perElement = n
		return 0, err
	}
	return 0, newError(ErrSignature, "the input signature does not tell a value of type %s", c.typ)
}

func (fill *filling) value(c *codec) reflect.Value {
	out := reflect.New(c.typ).Elem()
	switch c.kind {
	case tensorCodec, interfaceCodec:
		out.Set(reflect.ValueOf(fill.specs[0].Tensor()))
		fill.specs = fill.specs[1:]
	case structCodec:
		for _, f := range c.fields {
			out.Field(f.index).Set(fill.value(f.codec))
		}
	case sliceCodec:
		out.Set(reflect.MakeSlice(c.typ, fill.length, fill.length))
		fallthrough
	case arrayCodec:
		for i := range out.Len() {
			out.Index(i).Set(fill.value(c.elem))
		}
	}
	return out
}
