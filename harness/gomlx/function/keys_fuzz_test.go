package function_test

import (
	"io"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// A maker makes values of what a fuzzer gives.
type maker struct {
	data  []byte
	depth int
}

func (m *maker) next(n int) int {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return int(b) % n
}

type twoFields struct {
	A any
	b any
	_ int
}

type sameText int

func (sameText) GoString() string { return "sameText" }

type keyedBy struct{ key any }

func (k keyedBy) TraceKey() any { return k.key }

var (
	pool     = [3]fruit{{flavor: 1}, {flavor: 1}, {flavor: 2}}
	numbers  = []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0x7ff8000000000002), 1, math.Inf(1)}
	strings3 = []string{"", "a", "a\x00b", "\xff", "�", "1"}
)

// value returns a value of one of few types and contents.
func (m *maker) value() any {
	kind := m.next(24)
	if m.depth++; m.depth > 40 {
		return nil
	}
	switch kind {
	case 1:
		return m.next(3) - 1
	case 2:
		return int8(m.next(3))
	case 3:
		return mode(m.next(3))
	case 4:
		return sameText(m.next(3))
	case 5:
		return m.next(2) == 0
	case 6:
		return numbers[m.next(len(numbers))]
	case 7:
		return float32(numbers[m.next(len(numbers))])
	case 8:
		return complex(numbers[m.next(len(numbers))], numbers[m.next(len(numbers))])
	case 9:
		return strings3[m.next(len(strings3))]
	case 10:
		return &pool[m.next(len(pool))]
	case 11:
		return []*fruit{nil, &pool[0], &pool[1]}[m.next(3)]
	case 12:
		return twoFields{A: m.value(), b: m.value()}
	case 13:
		return [2]any{m.value(), m.value()}
	case 14:
		return m.list()
	case 15:
		out := map[any]any{}
		for range m.next(4) {
			if key := m.value(); key == nil || isComparable(key) {
				out[key] = m.value()
			}
		}
		return out
	case 16:
		out := map[float64]any{}
		for range m.next(4) {
			out[numbers[m.next(len(numbers))]] = m.value()
		}
		return out
	case 17:
		out := tree{}
		for range m.next(3) {
			out[strings3[m.next(len(strings3))]] = tree{}
		}
		return out
	case 18:
		return deep(m.next(4))
	case 19:
		return function.From(make([]float32, m.next(3)+1))
	case 20:
		return keyedBy{m.value()}
	case 21:
		return time.Unix(int64(m.next(2)), int64(m.next(2)))
	case 22:
		return []byte(strings3[m.next(len(strings3))])
	case 23:
		return []any{[]any(nil), []int(nil), map[string]int(nil), (*twoFields)(nil), reflect.TypeFor[int](), reflect.TypeFor[mode]()}[m.next(6)]
	}
	return nil
}

func (m *maker) list() []any {
	out := make([]any, 0, 3)
	for range m.next(4) {
		out = append(out, m.value())
	}
	return out
}

// isComparable reports whether a value can be a key of a map.
func isComparable(v any) (ok bool) {
	defer func() { ok = recover() == nil }()
	_ = map[any]bool{v: true}
	return
}

// same reports whether two values are equal by the rules of the documentation.
func same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	if a.Kind() == reflect.Interface {
		return same(a.Elem(), b.Elem())
	}
	if a.CanInterface() {
		switch x := a.Interface().(type) {
		case function.Tensor:
			return x.Spec().String() == b.Interface().(function.Tensor).Spec().String()
		case keyedBy:
			return same(reflect.ValueOf(x.key), reflect.ValueOf(b.Interface().(keyedBy).key))
		}
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return sameFloat(a.Float(), b.Float())
	case reflect.Complex128:
		return sameFloat(real(a.Complex()), real(b.Complex())) && sameFloat(imag(a.Complex()), imag(b.Complex()))
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Name != "_" && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return a.IsNil() == b.IsNil() && a.Len() == b.Len() && sameEntries(a, b)
	}
	return a.Equal(b)
}

// sameEntries reports whether each entry of a map has one of its own in another
// of the same length.
func sameEntries(a, b reflect.Value) bool {
	type entry struct{ key, value reflect.Value }
	var left []entry
	for pair := b.MapRange(); pair.Next(); {
		left = append(left, entry{pair.Key(), pair.Value()})
	}
	for pair := a.MapRange(); pair.Next(); {
		i := slices.IndexFunc(left, func(e entry) bool { return same(pair.Key(), e.key) && same(pair.Value(), e.value) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

func sameFloat(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

// Two arguments have one key, and one signature, exactly if they are the same.
func FuzzKeys(f *testing.F) {
	for kind := range byte(24) {
		f.Add([]byte{kind, 1, 2, 3, 4, 5, 6, 7}, []byte{kind, 1, 2, 3, 4, 5, 6, 7})
		f.Add([]byte{14, 2, kind, 1, 1, kind, 1, 1}, []byte{14, 2, kind, 1, 1, kind, 1, 2})
		f.Add([]byte{12, kind, 1, 1, kind, 1, 1}, []byte{12, kind, 1, 2, kind, 1, 1})
		f.Add([]byte{16, 2, 2, kind, 1, 2, kind, 2}, []byte{16, 2, 2, kind, 2, 2, kind, 1})
		f.Add([]byte{15, 1, kind, 1, 1, 1}, []byte{15, 1, kind, 2, 1, 1})
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		a, b := (&maker{data: first}).value(), (&maker{data: second}).value()
		rec := harness.NewRecorder()
		fn := function.New(newRuntime(t, rec, io.Discard), constant[any])
		for _, v := range []any{a, b, a, b} {
			if _, err := fn.Concrete(v); err != nil {
				require.ErrorIs(t, err, function.ErrUnkeyable)
				return
			}
		}
		if same(reflect.ValueOf(a), reflect.ValueOf(b)) {
			require.Equal(t, 1, fn.TraceCount(), "%#v and %#v", a, b)
			return
		}
		require.Equal(t, 2, fn.TraceCount(), "%#v and %#v", a, b)
		traces := rec.Traces()
		require.NotEqual(t, traces[0].Args.Key(), traces[1].Args.Key(), "%#v and %#v", a, b)
		require.Equal(t, harness.CauseNewSignature, traces[1].Cause.Kind, "%#v and %#v", a, b)
	})
}
