package source_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/internal/source"
)

type model struct{ bias int }

func (m *model) Inference(tokens []int,
	mask bool) int {
	return len(tokens) + m.bias
}

func (m model) Loss(labels ...int) int { return len(labels) + m.bias }

type box[T any] struct{ value T }

func (b box[T]) Put(item T) box[T] { return box[T]{item} }

type scorer interface{ Score(x int) int }

func (m *model) Score(y int) int { return y }

func add(a, b int) int { return a + b }

// double begins with another function's code, which is inlined into it.
func double(number int) int {
	return add(number, number)
}

func unnamed(int, string) {}

func blank(_, second int) int { return second }

func generic[T any](value T) T { return value }

func none() {}

var global = func(g int) int { return g }

func TestParameters(t *testing.T) {
	m := &model{}
	var s scorer = m
	same, sameLine := func(x int) int { return x }, func(x int) int { return x + m.bias }
	one, other := func(x int) int { return x }, func(y int) int { return y + m.bias }
	short, long := func(x int) int { return x }, func(y, z int) int { return y + z + m.bias }
	var inner func(int, int) int
	func(outer int) {
		inner = func(
			left,
			right int) int {
			return add(left, right+outer)
		}
	}(1)
	made := reflect.MakeFunc(reflect.TypeOf(add), nil).Interface()
	for name, test := range map[string]struct {
		fn   any
		want []string
	}{
		"function":                          {add, []string{"a", "b"}},
		"function that begins with another": {double, []string{"number"}},
		"no names":                          {unnamed, []string{"", ""}},
		"blank":                             {blank, []string{"", "second"}},
		"generic":                           {generic[int], []string{"value"}},
		"no parameters":                     {none, []string{}},
		"method value":                      {m.Inference, []string{"tokens", "mask"}},
		"method value, not of a pointer":    {m.Loss, []string{"labels"}},
		"method expression":                 {(*model).Inference, []string{"m", "tokens", "mask"}},
		"promoted to a pointer":             {(*model).Loss, nil},
		"method of a generic type":          {box[int]{}.Put, []string{"item"}},
		"method of an interface":            {s.Score, nil},
		"literal":                           {func(tokens int) int { return tokens }, []string{"tokens"}},
		"literal in a literal":              {inner, []string{"left", "right"}},
		"literal of a variable":             {global, []string{"g"}},
		"two of a line that agree":          {same, []string{"x"}},
		"two of a line that agree, second":  {sameLine, []string{"x"}},
		"two of a line that differ":         {one, nil},
		"two of a line that differ, second": {other, nil},
		"two of a line, told by number":     {short, []string{"x"}},
		"two of a line, told by number, 2":  {long, []string{"y", "z"}},
		"made by reflect":                   {made, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var r source.Reader
			for range 2 {
				require.Empty(t, cmp.Diff(test.want, r.Parameters(reflect.ValueOf(test.fn))))
			}
		})
	}
}

func TestManyGoroutines(t *testing.T) {
	var r source.Reader
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := r.Parameters(reflect.ValueOf(add)); len(got) != 2 {
				t.Errorf("got %q", got)
			}
		})
	}
	all.Wait()
}
