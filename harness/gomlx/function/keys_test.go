package function_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// randomValue returns a Go value of few enough kinds and sizes that equal ones
// are frequent.
func randomValue(random *rand.Rand, depth int) any {
	kinds := 7
	if depth == 0 {
		kinds = 4
	}
	switch random.IntN(kinds) {
	case 0:
		return random.IntN(3) - 1
	case 1:
		return int8(random.IntN(3))
	case 2:
		return []string{"", "a", "ab", "b"}[random.IntN(4)]
	case 3:
		return [2]bool{random.IntN(2) == 0, random.IntN(2) == 0}
	case 4:
		list := make([]any, random.IntN(3))
		for i := range list {
			list[i] = randomValue(random, depth-1)
		}
		return list
	case 5:
		m := map[string]any{}
		for range random.IntN(3) {
			m[[]string{"", "a", "ab"}[random.IntN(3)]] = randomValue(random, depth-1)
		}
		return m
	default:
		return struct {
			A any
			B float32
		}{randomValue(random, depth-1), float32(random.IntN(2))}
	}
}

// Arguments share a trace exactly if they are equal, types included.
func TestKeysTellValuesApart(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, constant[any])
	random := rand.New(rand.NewPCG(1, 2))
	var distinct []any
	for range 400 {
		value := randomValue(random, 2)
		known := false
		for _, other := range distinct {
			known = known || reflect.DeepEqual(value, other)
		}
		if !known {
			distinct = append(distinct, value)
		}
		f.Call(s.r.Host(), value)
		require.Equal(t, len(distinct), f.TraceCount(), "%#v", value)
	}
	require.Greater(t, len(distinct), 100)
	require.Less(t, len(distinct), 300, "equal values must occur")
}

// Of several general traces, the most special one serves a call.
func TestTheMostSpecialTraceServes(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(_ *function.Ctx, x function.Tensor) function.Tensor {
		return function.From(fmt.Sprint(x.Dim(0), x.Dim(1), x.Dim(2)) == "2 3 ?")
	})
	const u = function.Unknown
	s.counts(f, []int{1, 2, 3},
		concrete(s, f, function.SpecOf(dtypes.Float32, u, u, 4)),
		concrete(s, f, function.SpecOf(dtypes.Float32, 2, 3, u)),
		concrete(s, f, function.SpecOf(dtypes.Float32, u, u, u)))
	require.Equal(t, true, f.Call(s.r.Host(), f32(2, 3, 4)).Value())
	require.Equal(t, false, f.Call(s.r.Host(), f32(3, 3, 4)).Value())
	require.Equal(t, true, f.Call(s.r.Host(), f32(2, 3, 4)).Value(), "from then on too")
	require.Equal(t, 3, f.TraceCount())
}

type opaque struct {
	name   string
	tensor function.Tensor
}

func (o *opaque) TraceKey() any { return o.name }

type badKey struct{ x function.Tensor }

func (b badKey) TraceKey() any { return b.x }

// A Keyer's key decides alone, and holds no tensors.
func TestKeyer(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, func(c *function.Ctx, o *opaque) function.Tensor {
		if o == nil {
			return function.From(int32(0))
		}
		return o.tensor
	})
	one := &opaque{"one", function.From(int32(1))}
	s.counts(f, []int{1, 1, 2, 3},
		with(s, f, one), with(s, f, &opaque{"one", function.From(int32(2))}),
		with(s, f, &opaque{"two", function.From(int32(2))}), with(s, f, (*opaque)(nil)))
	_, err := function.New(s.r, constant[badKey]).Apply(s.r.Host(), badKey{f32(1)})
	require.ErrorIs(t, err, function.ErrUnkeyable)
	require.ErrorContains(t, err, "the key that function_test.badKey gives holds a tensor")
}

// An object that gets the address of one that is gone is another object.
func TestAddressesAreNoIdentity(t *testing.T) {
	s := newScenario(t)
	f := function.New(s.r, flavorOf)
	seen := map[string]bool{}
	reused := 0
	for calls := 1; reused < 3; calls++ {
		object := &fruit{flavor: float32(calls)}
		address := fmt.Sprintf("%p", object)
		if seen[address] {
			reused++
		}
		seen[address] = true
		require.Equal(t, float32(calls), f.Call(s.r.Host(), object).Value())
		require.Len(t, s.rec.Traces(), calls)
		require.Less(t, calls, 1000, "no address was used twice")
		runtime.GC()
	}
}
