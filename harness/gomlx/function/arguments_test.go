package function_test

import (
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

type list []list

type tree map[string]tree

// deep returns lists in lists.
func deep(n int) list {
	var l list
	for range n {
		l = list{l}
	}
	return l
}

// Values that contain themselves, or are too deep or too large for a key, are
// errors that name function, parameter and place.
func TestNoArgumentIsTooMuch(t *testing.T) {
	s := newScenario(t)
	cyclic := make(list, 1)
	cyclic[0] = cyclic
	loop := tree{}
	loop["a"] = loop
	twice := list{}
	for range 60 {
		twice = list{twice, twice}
	}
	for name, test := range map[string]struct {
		arg  any
		want string
	}{
		"cyclic slice": {cyclic, "more than 1000 values are nested: does it contain itself?"},
		"cyclic map":   {loop, `["a"]["a"]`},
		"deep":         {deep(2_000_000), "more than 1000 values are nested"},
		"doubled":      {twice, "more than 4 MB outside of tensors"},
		"empty parts":  {make([]struct{}, 1<<60), "more than 4 MB outside of tensors"},
		"long text":    {strings.Repeat("x", 1<<25), "more than 4 MB outside of tensors"},
		"its own key":  {ownKey{}, "more than 1000 values are nested"},
	} {
		t.Run(name, func(t *testing.T) {
			f := function.New(s.r, constant[any], function.WithName("f"), function.WithArgNames("data"))
			_, err := f.Apply(s.r.Host(), test.arg)
			require.ErrorIs(t, err, function.ErrUnkeyable)
			require.ErrorContains(t, err, test.want)
			require.Regexp(t, `^function "f": data`, err.Error())
			require.Less(t, len(err.Error()), 1000)
		})
	}
	typed := function.New(s.r, constant[list], function.WithName("typed"))
	require.ErrorIs(t, function.Try(func() { typed.Call(s.r.Host(), cyclic) }), function.ErrUnkeyable)
	typed.Call(s.r.Host(), deep(999))
	require.Error(t, function.Try(func() { typed.Call(s.r.Host(), deep(1000)) }))
	require.Equal(t, 1, typed.TraceCount())
}

type ownKey struct{}

func (k ownKey) TraceKey() any { return k }

// Entries under NaN count, though no look-up finds them.
func TestNotANumberInMaps(t *testing.T) {
	s := newScenario(t)
	nan := math.NaN()
	f := function.New(s.r, func(_ *function.Ctx, m map[float64]any) function.Tensor {
		sum := 0
		for _, v := range m {
			sum += v.(int)
		}
		return function.From(int32(sum))
	})
	for i := range 20 {
		a, b := map[float64]any{nan: 1, 1: 1}, map[float64]any{nan: 2, 1: 1}
		two, other := map[float64]any{nan: 1}, map[float64]any{nan: 3}
		two[nan], other[nan] = 2, 1
		require.Equal(t, []any{int32(2), int32(3), int32(3), int32(4)}, []any{
			f.Call(s.r.Host(), a).Value(), f.Call(s.r.Host(), b).Value(),
			f.Call(s.r.Host(), two).Value(), f.Call(s.r.Host(), other).Value(),
		})
		require.Equal(t, 4, f.TraceCount(), "turn %d", i)
	}
	apples := map[float64]any{nan: &fruit{}}
	apples[nan] = &fruit{}
	g := function.New(s.r, constant[map[float64]any])
	for range 20 {
		g.Call(s.r.Host(), apples)
	}
	require.Equal(t, 1, g.TraceCount())

	h := function.New(s.r, func(c *function.Ctx, m map[float64]function.Tensor) function.Tensor {
		sum := function.From(float32(0))
		for _, v := range m {
			sum = c.Add(sum, v)
		}
		return sum
	}, function.WithArgNames("m"))
	tensors := map[float64]function.Tensor{nan: function.From(float32(1)), 1: function.From(float32(2))}
	require.Equal(t, float32(3), h.Call(s.r.Host(), tensors).Value())
	tensors[nan] = function.From(float32(4))
	err := function.Try(func() { h.Call(s.r.Host(), tensors) })
	require.ErrorContains(t, err, "m[NaN]: there are tensors or variables under 2 keys that are NaN")
}

type mode int

func (mode) String() string { return "mode" }

type rude struct{ n int }

func (rude) String() string         { panic("String") }
func (rude) GoString() string       { panic("GoString") }
func (rude) Error() string          { panic(rude{}) }
func (rude) Format(fmt.State, rune) { panic("Format") }
func (r rude) Is(error) bool        { return false }

type rudeNumber int

func (rudeNumber) String() string { panic(rude{}) }

// Values decide about signatures, not what their methods print.
func TestValuesThatPrintAlike(t *testing.T) {
	type local struct{ N int }
	first := reflect.ValueOf(local{1}).Interface()
	second := func() any {
		type local struct{ N int }
		return local{1}
	}()
	long := strings.Repeat("x", 10_000)
	many, other := make([]int, 5000), make([]int, 5000)
	other[4000] = 1
	now := time.Now()
	for name, test := range map[string]struct {
		a, b any
		want string
	}{
		"String":            {mode(1), mode(2), "arg 0: 1 -> 2"},
		"panics":            {rudeNumber(1), rudeNumber(2), "arg 0: 1 -> 2"},
		"fields":            {rude{1}, rude{2}, "arg 0.n: 1 -> 2"},
		"times":             {now, now.Add(1), "arg 0.wall: "},
		"types":             {first, second, "type function_test.local -> function_test.local#2"},
		"descriptors":       {reflect.TypeOf(first), reflect.TypeOf(second), "type function_test.local -> type function_test.local#2"},
		"long texts":        {long + "a" + long, long + "b" + long, `xx"…(20001 bytes)…"xx`},
		"long lists":        {many, other, "arg 0: 5000 elements -> another 5000 elements"},
		"keys of maps":      {map[mode]int{1: 1}, map[mode]int{2: 1}, "arg 0: {[1] 1} -> {[2] 1}"},
		"mixed keys":        {map[any]int{int8(1): 1}, map[any]int{int16(1): 1}, "arg 0: "},
		"negative zero":     {0.0, math.Copysign(0, -1), "arg 0: 0 -> -0"},
		"float32":           {float32(0.1), math.Nextafter32(0.1, 1), "arg 0: 0.1 -> 0.10000001"},
		"nil and empty":     {[]int(nil), []int{}, "arg 0: "},
		"nil and a nil key": {(*nilKey)(nil), &nilKey{}, "arg 0: "},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t)
			f := function.New(s.r, constant[any])
			for range 2 {
				f.Call(s.r.Host(), test.a)
				f.Call(s.r.Host(), test.b)
			}
			traces := s.rec.Traces()
			require.Len(t, traces, 2)
			require.Equal(t, harness.CauseNewSignature, traces[1].Cause.Kind)
			require.Contains(t, traces[1].Cause.String(), test.want)
			require.NotEqual(t, traces[0].Args.Key(), traces[1].Args.Key())
			require.Less(t, len(traces[1].Cause.String()), 2000)
		})
	}
}

type nilKey struct{ _ int }

func (*nilKey) TraceKey() any { return nil }

// What the methods of users' values panic with reaches nobody.
func TestMethodsThatPanic(t *testing.T) {
	var log strings.Builder
	s := newScenario(t, function.WithLogger(slog.New(function.NewTextHandler(&log, slog.LevelDebug))))
	for _, inBody := range []bool{true, false} {
		failing := function.New(s.r, func(*function.Ctx, rude) (function.Tensor, error) {
			if inBody {
				panic(rude{})
			}
			return function.Tensor{}, rude{}
		}, function.WithName("failing"))
		_, err := failing.Call(s.r.Host(), rude{1})
		require.EqualError(t, err, `function "failing": function_test.rude, whose method Error panics`)
		require.ErrorAs(t, err, &rude{})
	}
	printing := function.New(s.r, func(c *function.Ctx, m map[rudeNumber]rude) function.Tensor {
		c.Print("rude:", rudeNumber(1), m[1])
		return function.From(float32(1))
	})
	printing.Call(s.r.Host(), map[rudeNumber]rude{1: {2}})
	require.Equal(t, "rude: function_test.rudeNumber %!v(PANIC=Format method: Format)\n", s.out.String())
	require.Equal(t, "m {[1] {.n 2}}", s.rec.Traces()[2].Args.String())
	require.Contains(t, log.String(), "args: (\"rude:\", 1, function_test.rude{})")
}

// What a body returns is frozen at the trace, whatever is done with it afterwards.
func TestResultsAreFrozen(t *testing.T) {
	s := newScenario(t)
	var kept map[string]any
	f := function.New(s.r, func(_ *function.Ctx, x function.Tensor) map[string]any {
		kept = map[string]any{"x": x}
		return kept
	})
	f.Call(s.r.Host(), function.From(float32(1)))
	kept["itself"] = kept
	got := f.Call(s.r.Host(), function.From(float32(2)))
	require.Len(t, got, 1)
	require.Equal(t, float32(2), got["x"].(function.Tensor).Value())
}
