package harness_test

import (
	"fmt"
	"math"
	"math/big"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

// symbol is a symbolic value in the other form: Shape is a slice.
type symbol struct {
	dims []int64
	kind string
}

func (s symbol) Shape() []int64 { return s.dims }
func (s symbol) DType() string  { return s.kind }

// broken panics if it is looked at.
type broken struct{ et.Node }

func (broken) Shape() et.Shape { panic("not in this trace") }

// scope leads to nodes, but none of them is an argument.
type scope struct{ Store *struct{ Nodes []*et.Node } }

type batch struct {
	Inputs, Labels []*et.Node
	Spec           any
	hidden         *et.Node
}

// failing panics if it is printed.
type failing int

func (failing) String() string { panic("no text") }

// failingSymbol has a dtype that panics if it is printed.
type failingSymbol struct{}

func (failingSymbol) Shape() []int   { return nil }
func (failingSymbol) DType() failing { return 7 }

type options struct {
	Name  string
	Sizes []int
}

// sum matches what tells texts apart that are cut.
var sum = regexp.MustCompile("#[0-9a-f]{8}")

func TestDescriptionOfArguments(t *testing.T) {
	x, y := et.NewNode(et.Float32, 3, 4), et.NewNode(et.Int64)
	b := batch{Inputs: []*et.Node{x, y}, Labels: []*et.Node{y}, Spec: "train", hidden: x}
	tests := []struct {
		arg  any
		kind harness.ArgKind
		want string
	}{
		{x, harness.Tensor, "float32[3,4]"},
		{y, harness.Tensor, "int64[]"},
		{et.NewNode(et.Float32, -1, 2), harness.Tensor, "float32[?,2]"},
		{symbol{[]int64{5}, "int64"}, harness.Tensor, "int64[5]"},
		{failingSymbol{}, harness.Tensor, "harness_test.failing(7)[]"},
		{(*et.Node)(nil), harness.Literal, "nil"},
		{nil, harness.Literal, "nil"},
		{[]*et.Node{x, y}, harness.Structure, "{float32[3,4], int64[]}"},
		{[]*et.Node{}, harness.Structure, "{}"},
		{[1]*et.Node{x}, harness.Structure, "{float32[3,4]}"},
		{map[string]*et.Node{"b": x, "a": y}, harness.Structure, `{["a"] int64[], ["b"] float32[3,4]}`},
		{map[*model]*et.Node{{}: x, {calls: 1}: y}, harness.Structure,
			"{[*harness_test.model] float32[3,4], [*harness_test.model] int64[]}"},
		{b, harness.Structure, `{.Inputs {float32[3,4], int64[]}, .Labels {int64[]}, .Spec "train"}`},
		{&b, harness.Structure, `{.Inputs {float32[3,4], int64[]}, .Labels {int64[]}, .Spec "train"}`},
		{(*batch)(nil), harness.Literal, "nil"},
		{[]any{x, 1}, harness.Structure, "{float32[3,4], 1}"},
		{4, harness.Literal, "4"},
		{true, harness.Literal, "true"},
		{"a b", harness.Literal, `"a b"`},
		{et.Int64, harness.Literal, "Int64 (enginetest.DType(1))"},
		{[]int{1, 2}, harness.Literal, "[]int{1, 2}"},
		{options{"o", []int{1}}, harness.Literal, `harness_test.options{Name:"o", Sizes:[]int{1}}`},
		{map[string]int{"b": 1, "a": 2}, harness.Literal, `map[string]int{"a":2, "b":1}`},
		{make([]float32, 1000), harness.Literal, "[]float32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …(1000 elements)…, 0, 0, 0, 0} #SUM"},
		{make([]float32, 1<<21), harness.Opaque, "[]float32"},
		{strings.Repeat("a", 3000), harness.Literal, `"` + strings.Repeat("a", 119) + "…(3000 bytes)…" + strings.Repeat("a", 119) + `" #SUM`},
		{failing(1), harness.Literal, "harness_test.failing(1)"},
		{time.Second, harness.Literal, "1s (time.Duration(1000000000))"},
		{big.Int{}, harness.Literal, "big.Int{neg:false, abs:big.nat(nil)}"},
		{net.CIDRMask(8, 32), harness.Literal, "ff000000 #SUM"},
		{struct{ f func() }{}, harness.Literal, "struct { f func() }{f:nil}"},
		{&options{}, harness.Opaque, "*harness_test.options"},
		{&scope{}, harness.Opaque, "*harness_test.scope"},
		{func() {}, harness.Opaque, "func()"},
		{broken{}, harness.Opaque, "harness_test.broken"},
		{&broken{}, harness.Opaque, "*harness_test.broken"},
	}
	for _, test := range tests {
		got := harness.SignatureOf(test.arg)
		require.Equal(t, test.want, sum.ReplaceAllString(got.String(), "#SUM"), "%T", test.arg)
		require.Equal(t, test.kind, got[0].Kind, "%T", test.arg)
	}
	require.NotNil(t, harness.SignatureOf())
	require.Empty(t, harness.SignatureOf())
}

type tree struct{ A, B, C, D, E, F, G, H, I, J []tree }

// Values and types that contain themselves have an end.
func TestDescriptionOfEndlessValues(t *testing.T) {
	endless := []any{nil, nil, nil}
	for i := range endless {
		endless[i] = endless
	}
	require.Equal(t, harness.Structure, harness.SignatureOf(endless)[0].Kind)
	require.Equal(t, "*harness_test.tree", harness.SignatureOf(&tree{}).String())
	type layer struct {
		Weights    *et.Node
		Next, Back *layer
	}
	first := &layer{Weights: et.NewNode(et.Float32, 2)}
	first.Next = &layer{Weights: et.NewNode(et.Float32, 3), Back: first}
	require.Equal(t,
		"{.Weights float32[2], .Next {.Weights float32[3], .Next nil, .Back *harness_test.layer}, .Back nil}",
		harness.SignatureOf(first).String())
	type list []list
	l := list{nil}
	l[0] = l
	other := list{nil}
	other[0] = other
	require.Equal(t, harness.Literal, harness.SignatureOf(l)[0].Kind)
	require.Equal(t, harness.SignatureOf(l).Key(), harness.SignatureOf(other).Key())

	var deep list
	var deeper any
	for range 100_000 {
		deep, deeper = list{deep}, []any{deeper}
	}
	require.Equal(t, harness.Opaque, harness.SignatureOf(deep)[0].Kind)
	require.Equal(t, harness.Structure, harness.SignatureOf(deeper)[0].Kind)
	var shared any
	for range 60 {
		shared = []any{shared, shared}
	}
	require.Equal(t, harness.Structure, harness.SignatureOf(shared)[0].Kind)
}

func TestDifferencesBetweenSignatures(t *testing.T) {
	x := func(dims ...int) *et.Node { return et.NewNode(et.Float32, dims...) }
	type args = []any
	tests := []struct {
		earlier, later args
		want           []string
	}{
		{args{x(3)}, args{x(3)}, nil},
		{args{x(3)}, args{x(4)}, []string{"arg 0: axis 0: 3 -> 4"}},
		{args{x(12, 1)}, args{x(1, 21)}, []string{"arg 0: axis 0: 12 -> 1", "arg 0: axis 1: 1 -> 21"}},
		{args{x(3)}, args{et.NewNode(et.Int64, 3)}, []string{"arg 0: dtype float32 -> int64"}},
		{args{x()}, args{x(1)}, []string{"arg 0: rank 0 -> 1"}},
		{args{1, x(3)}, args{1, x(5)}, []string{"arg 1: axis 0: 3 -> 5"}},
		{args{1}, args{2}, []string{"arg 0: 1 -> 2"}},
		{args{1}, args{1.5}, []string{"arg 0: type int -> float64", "arg 0: 1 -> 1.5"}},
		{args{x(3)}, args{3}, []string{"arg 0: float32[3] -> 3"}},
		{args{x(3)}, args{nil}, []string{"arg 0: float32[3] -> nil"}},
		{args{x(3)}, args{x(3), x(4)}, []string{"arg 1: none -> float32[4]"}},
		{args{x(3), x(4)}, args{x(3)}, []string{"arg 1: float32[4] -> none"}},
		{args{[]*et.Node{x(3), x(4)}}, args{[]*et.Node{x(3), x(5)}}, []string{"arg 0[1]: axis 0: 4 -> 5"}},
		{args{[]*et.Node{x(3)}}, args{[]*et.Node{x(3), x(3)}}, []string{"arg 0: {float32[3]} -> {float32[3], float32[3]}"}},
		{args{map[string]*et.Node{"a": x(3)}}, args{map[string]*et.Node{"b": x(3)}},
			[]string{`arg 0: {["a"] float32[3]} -> {["b"] float32[3]}`}},
		{args{batch{Inputs: []*et.Node{x(3)}, Spec: 1}}, args{batch{Inputs: []*et.Node{x(8)}, Spec: 2}},
			[]string{"arg 0.Inputs[0]: axis 0: 3 -> 8", "arg 0.Spec: 1 -> 2"}},
		{args{&scope{}}, args{&scope{}}, nil},
	}
	for _, test := range tests {
		var got []string
		for _, d := range harness.Diff(harness.SignatureOf(test.earlier...), harness.SignatureOf(test.later...)) {
			got = append(got, d.String())
		}
		require.Empty(t, cmp.Diff(test.want, got), "%v", test.later)
	}
}

func TestDifferenceNamesTheParameter(t *testing.T) {
	earlier := harness.Signature{{Name: "x", Kind: harness.Tensor, Type: "float32", Dims: []int{3}}}
	later := harness.Signature{{Name: "x", Kind: harness.Tensor, Type: "float32", Dims: []int{-1}}}
	require.Equal(t, "x: axis 0: 3 -> ?", fmt.Sprint(harness.Diff(earlier, later)[0]))
	object := func(id string) harness.Signature {
		return harness.Signature{{Name: "m", Kind: harness.Object, Type: "*Model", Value: id}}
	}
	require.Equal(t, "m: #1 -> #2", fmt.Sprint(harness.Diff(object("#1"), object("#2"))[0]))
	require.Equal(t, "m *Model #1", object("#1").String())
}

// Contexts stand among the arguments and are none: they do not count in the
// positions of others.
func TestDifferencesDoNotCountContexts(t *testing.T) {
	signature := func(mode string, a, b int) harness.Signature {
		return harness.Signature{
			{Name: "mode", Kind: harness.Context, Value: mode},
			{Kind: harness.Tensor, Type: "float32", Dims: []int{a}},
			{Name: "scope", Kind: harness.Context, Value: "s"},
			{Kind: harness.Tensor, Type: "float32", Dims: []int{b}},
		}
	}
	var got []string
	for _, d := range harness.Diff(signature("train", 1, 2), signature("eval", 3, 4)) {
		got = append(got, d.String())
	}
	require.Empty(t, cmp.Diff([]string{"mode: train -> eval", "arg 0: axis 0: 1 -> 3", "arg 1: axis 0: 2 -> 4"}, got))
}

// mode prints alike whatever it is, in two ways.
type mode int

func (mode) String() string   { return "mode" }
func (mode) GoString() string { return "mode" }

type config struct {
	X any
	n int
}

type dtype struct{ code int }

func (dtype) String() string { return "Float32" }

type typed struct{ dtype dtype }

func (typed) Shape() []int   { return []int{3} }
func (t typed) DType() dtype { return t.dtype }

// What prints alike, or differs in what is not exported, is told apart, in keys
// and for people.
func TestValuesThatPrintAlikeDiffer(t *testing.T) {
	long := strings.Repeat("a", 10_000)
	x := et.NewNode(et.Float32, 3)
	for _, pair := range [][2]any{
		{mode(1), mode(2)},
		{[]mode{1}, []mode{2}},
		{config{1, 1}, config{1, 2}},
		{config{1, 1}, config{int64(1), 1}},
		{config{x, 1}, config{x, 2}},
		{&config{x, 1}, &config{x, 2}},
		{struct{ a any }{[]any{mode(1)}}, struct{ a any }{[]any{mode(2)}}},
		{long + "b" + long, long + "c" + long},
		{make([]int, 1000), append(append(make([]int, 500), 1), make([]int, 499)...)},
		{map[float64]string{math.NaN(): "a"}, map[float64]string{math.NaN(): "b"}},
		{map[float64]*et.Node{math.NaN(): x}, map[float64]*et.Node{}},
		{map[any]*et.Node{1: x}, map[any]*et.Node{int64(1): x}},
		{map[string]*et.Node{long + "b" + long: x}, map[string]*et.Node{long + "c" + long: x}},
		{typed{dtype{1}}, typed{dtype{2}}},
		{symbol{kind: "Int64"}, symbol{kind: "int64"}},
		{[]func(){func() {}}, []func(){func() { panic(1) }}},
		{[]*int{new(int)}, []*int{new(int)}},
	} {
		rec := harness.NewRecorder()
		f := harness.Wrap(rec, "f", func(any) {})
		f(pair[0])
		f(pair[1])
		f(pair[0])
		traces := rec.Traces()
		require.Equal(t, harness.CauseNewSignature, traces[1].Cause.Kind, "%T", pair[0])
		require.NotEmpty(t, traces[1].Cause.Differences, "%T", pair[0])
		for _, d := range traces[1].Cause.Differences {
			require.NotEqual(t, d.From, d.To)
		}
		require.Equal(t, harness.CauseSameSignature, traces[2].Cause.Kind, "%T", pair[0])
		require.Equal(t, 1, traces[2].Cause.Earlier)
	}
}

func TestDifferenceBetweenTextsThatAreAlike(t *testing.T) {
	rec := harness.NewRecorder()
	f := harness.Wrap(rec, "f", func(m any) {})
	f(mode(1))
	f(mode(2))
	f([]*int{new(int)})
	f([]*int{new(int)})
	require.Equal(t, []string{
		"first trace",
		"new signature: m: mode (harness_test.mode(1)) -> mode (harness_test.mode(2)) (nearest: trace 1)",
		"new signature: m: type harness_test.mode -> []*int, m: mode (harness_test.mode(2)) -> []*int{*int} (nearest: trace 2)",
		"new signature: m: []*int{*int} -> another []*int{*int} (nearest: trace 3)",
	}, causes(rec))
}

// The keys of a map have an order of their own, whatever they print.
func TestMapsHaveOneSignature(t *testing.T) {
	x, y := et.NewNode(et.Float32, 3), et.NewNode(et.Int64)
	for range 20 {
		m := map[any]*et.Node{mode(1): x, mode(2): y, &config{}: x, &config{}: y, math.NaN(): x}
		want := harness.SignatureOf(map[any]*et.Node{mode(2): y, mode(1): x, &config{}: y, &config{}: x, math.NaN(): x})
		require.Empty(t, cmp.Diff(want, harness.SignatureOf(m)))
	}
}
