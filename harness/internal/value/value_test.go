package value_test

import (
	"math"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/internal/value"
)

type mode int

func (mode) String() string { return "mode" }

type shy struct{ a int }

func (shy) GoString() string { return "shy" }

type config struct {
	Any    any
	hidden int
	_      int
}

type list []list

type tree map[string]tree

func ring(length int) list {
	first := make(list, 1)
	last := first
	for range length - 1 {
		next := make(list, 1)
		last[0] = next
		last = next
	}
	last[0] = first
	return first
}

func deep(levels int) list {
	var l list
	for range levels {
		l = list{l}
	}
	return l
}

func key(t *testing.T, v any) value.Key {
	t.Helper()
	budget := value.MaxParts
	k, ok := value.KeyOf(reflect.ValueOf(v), &budget)
	require.True(t, ok)
	require.LessOrEqual(t, len(k.Text), 64)
	return k
}

func TestKeysOfDifferentValuesDiffer(t *testing.T) {
	p, q := new(int), new(int)
	c, d := make(chan int), make(chan int)
	nan := func(bits uint64) float64 { return math.Float64frombits(0x7ff8000000000000 | bits) }
	endless := tree{}
	endless["x"] = endless
	values := []any{
		1, 2, int64(1), uint8(1), uintptr(1), 1.0, float32(1), math.NaN(), math.Copysign(0, -1), 0.0, 1i, complex64(1i), true, false,
		"1", "", strings.Repeat("a", 1000), strings.Repeat("a", 1001), strings.Repeat("a", 1000) + "b",
		mode(1), mode(2), shy{1}, shy{2},
		config{1, 1, 0}, config{1, 2, 0}, config{int64(1), 1, 0}, config{nil, 1, 0}, config{mode(1), 1, 0},
		[]int(nil), []int{}, []int{1}, []int{1, 2}, []int{12}, []mode{1}, [1]int{1}, []string{"a,b"}, []string{"a", "b"}, []string{`a","b`},
		make([]float32, 1000), append(make([]float32, 999), 1), make([]float32, 1001),
		map[string]int(nil), map[string]int{}, map[string]int{"a": 1}, map[string]int{"a": 2}, map[string]int{"b": 1},
		map[float64]int{math.NaN(): 1}, map[float64]int{math.NaN(): 1, nan(2): 1}, map[float64]int{math.NaN(): 2},
		map[any]int{1: 1}, map[any]int{int64(1): 1},
		[]*int{p}, []*int{q}, []*int{nil}, []chan int{c}, []chan int{d}, []func(){nil}, []unsafe.Pointer{unsafe.Pointer(p)},
		[]any{p}, []any{c},
		rand.Zipf{}, randv2.Zipf{}, *big.NewInt(1), *big.NewInt(-1),
		ring(1), ring(2), list{ring(1)}, deep(900), deep(901), endless, tree{"x": endless},
		struct{ A int }{1}, struct{ B int }{1},
	}
	seen := map[string]int{}
	for i, v := range values {
		k := key(t, v)
		require.Equal(t, k, key(t, v), "%d", i)
		other, double := seen[k.Text]
		require.False(t, double, "values %d and %d have the key %s", i, other, k.Text)
		seen[k.Text] = i
	}
}

func TestKeysOfEqualValuesAreEqual(t *testing.T) {
	large := func(from, step int) map[int]string {
		m := map[int]string{}
		for i := range 500 {
			m[(from+i*step+5000)%500] = "x"
		}
		return m
	}
	for _, pair := range [][2]any{
		{[]int{1, 2}, append(make([]int, 0, 9), 1, 2)},
		{math.NaN(), math.Float64frombits(0xfff8000000000007)},
		{map[float64]int{math.NaN(): 1, 1: 2}, map[float64]int{1: 2, math.NaN(): 1}},
		{large(0, 1), large(499, -1)},
		{config{"a", 1, 0}, config{"a", 1, 7}},
		{[]any{[]int{1}, []int{1}}, []any{[]int{1}, []int{1}}},
		{ring(3), ring(3)},
	} {
		require.Equal(t, key(t, pair[0]), key(t, pair[1]))
	}
}

func TestIdentityIsKnown(t *testing.T) {
	for _, with := range []any{[]any{new(int)}, map[*int]int{new(int): 1}, struct{ f func() }{func() {}}} {
		require.True(t, key(t, with).Identity)
	}
	for _, without := range []any{[]any{1}, struct{ f func() }{}, (*int)(nil)} {
		require.False(t, key(t, without).Identity)
	}
}

func TestHugeValuesHaveNoKey(t *testing.T) {
	shared := []any{1}
	for range 60 {
		shared = []any{shared, shared}
	}
	for name, v := range map[string]any{
		"long":   make([]byte, value.MaxParts+1),
		"deep":   deep(500_000),
		"shared": shared,
		"array":  [2]any{make([]byte, value.MaxParts-1), make([]byte, 2)},
	} {
		budget := value.MaxParts
		_, ok := value.KeyOf(reflect.ValueOf(v), &budget)
		require.False(t, ok, name)
		text, whole := value.Text(reflect.ValueOf(v))
		require.LessOrEqual(t, len(text), value.MaxText, name)
		require.False(t, whole, name)
	}
}

func TestText(t *testing.T) {
	numbers := make([]int, 100)
	for i := range numbers {
		numbers[i] = i
	}
	nested := map[string]map[string]int{"a": {"b": 1}, "c": nil}
	for _, test := range []struct {
		value any
		want  string
		whole bool
	}{
		{1, "1", true},
		{int64(1), "int64(1)", true},
		{1.0, "1.0", true},
		{1e21, "1e+21", true},
		{math.NaN(), "NaN", true},
		{float32(0.1), "float32(0.1)", true},
		{2i, "complex128((0+2i))", true},
		{"a\"b", `"a\"b"`, true},
		{strings.Repeat("a", 5000), `"` + strings.Repeat("a", 119) + "…(5000 bytes)…" + strings.Repeat("a", 119) + `"`, false},
		{strings.Repeat("\x00", 5000), `"` + strings.Repeat(`\x00`, 55) + "…(5000 bytes)…" + strings.Repeat(`\x00`, 55) + `"`, false},
		{mode(1), "value_test.mode(1)", true},
		{shy{1}, "value_test.shy{a:1}", true},
		{config{int64(1), 2, 0}, "value_test.config{Any:int64(1), hidden:2, _:0}", true},
		{[]any{1, "a", nil, mode(1), []int{}, uint8(3)}, `[]interface {}{1, "a", nil, value_test.mode(1), []int{}, uint8(3)}`, true},
		{[]any{new(int)}, `[]interface {}{*int}`, false},
		{[]int(nil), "[]int(nil)", true},
		{numbers, "[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …(100 elements)…, 96, 97, 98, 99}", false},
		{map[int]int{10: 1, 9: 2}, "map[int]int{9:2, 10:1}", true},
		{map[string]int{"b": 1, "aa": 2}, `map[string]int{"aa":2, "b":1}`, true},
		{map[float64]int{math.NaN(): 2, math.Inf(1): 1}, `map[float64]int{NaN:2, +Inf:1}`, true},
		{nested, `map[string]map[string]int{"a":map[string]int{…(1 entries)…}, "c":map[string]int(nil)}`, false},
		{deep(20), strings.Repeat("value_test.list{", 9) + "…" + strings.Repeat("}", 9), false},
		{struct{ f func() }{func() {}}, "struct { f func() }{f:func()}", false},
		{struct{ f func() }{}, "struct { f func() }{f:nil}", true},
	} {
		got, whole := value.Text(reflect.ValueOf(test.value))
		require.Empty(t, cmp.Diff(test.want, got))
		require.Equal(t, test.whole, whole, test.want)
	}
}

func TestTypeNamesHaveImportPaths(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"int":                        reflect.TypeFor[int](),
		"math/rand.Rand":             reflect.TypeFor[rand.Rand](),
		"*math/rand/v2.Rand":         reflect.TypeFor[*randv2.Rand](),
		"map[string][]math/big.Int":  reflect.TypeFor[map[string][]big.Int](),
		"[3]struct{A math/big.Int;}": reflect.TypeFor[[3]struct{ A big.Int }](),
		"func(big.Int)":              reflect.TypeFor[func(big.Int)](),
	} {
		require.Equal(t, want, value.TypeName(typ))
	}
}
