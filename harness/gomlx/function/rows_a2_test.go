package function_test

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA2(t *testing.T) { runRows(t, rowsA2()) }

// repeat adds a number, of Go or a tensor, to 0 as often as it says.
func repeat(c *function.Ctx, n any) function.Tensor {
	sum := function.From(int32(0))
	switch n := n.(type) {
	case int:
		for range n {
			sum = c.Add(sum, function.From(int32(1)))
		}
	case function.Tensor:
		sum = c.Add(sum, n)
	}
	return sum
}

// metadata is an argument with a part that is a tensor and one that is not.
type metadata struct {
	X    function.Tensor
	Flag bool
}

// A fruit holds a pointer, so that the allocator gives it memory of its own.
type fruit struct {
	flavor float32
	_      *fruit
}

func flavorOf(c *function.Ctx, f *fruit) function.Tensor { return function.From(f.flavor) }

// keyedFruit has the key of its class, whatever its flavor.
type keyedFruit struct{ flavor float32 }

func (keyedFruit) TraceKey() any { return "fruit" }

type matrix [][]float32 // a named type, as a subclass of ndarray

// rowsA2: literals, containers, None, host arrays, objects.
func rowsA2() []row {
	return []row{
		{"TF-13", "", func(s *scenario) {
			f := function.New(s.r, repeat)
			s.counts(f, []int{1, 2, 3, 3},
				with[any](s, f, 10),
				with[any](s, f, 20),
				with[any](s, f, function.From(int32(10))),
				with[any](s, f, function.From(int32(20))))
			s.causes("first trace",
				"new signature: n: 10 -> 20 (nearest: trace 1)",
				"new signature: n: 20 -> int32[] (nearest: trace 2)")
		}},
		{"TF-14", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, x int) function.Tensor {
				printf(s.out, "traced with %d\n", x)
				c.Print("executed with", x)
				return function.From(int32(x))
			})
			s.counts(f, []int{1, 1, 2}, with(s, f, 1), with(s, f, 1), with(s, f, 2))
			require.Equal(s, "traced with 1\nexecuted with 1\nexecuted with 1\ntraced with 2\nexecuted with 2\n", s.out.String())
			s.causes("first trace", "new signature: x: 1 -> 2 (nearest: trace 1)")
		}},
		{"TF-15", "literals are keyed by type and value, so 1, 1.0 and true differ: 1, 2, 3 in place of 1, 1, 1, which is a graph for the wrong type", func(s *scenario) {
			f := function.New(s.r, constant[any])
			s.counts(f, []int{1, 2, 3}, with[any](s, f, 1), with[any](s, f, 1.0), with[any](s, f, true))
			s.causes("first trace",
				"new signature: arg 0: type int -> float64 (nearest: trace 1)",
				"new signature: arg 0: type float64 -> bool, arg 0: 1 -> true (nearest: trace 2)")
		}},
		{"TF-16", "as in the newer copy of TensorFlow's source, where all NaNs are one literal", func(s *scenario) {
			f := function.New(s.r, constant[float64])
			otherNaN := math.Float64frombits(math.Float64bits(math.NaN()) + 1)
			s.counts(f, []int{1, 1, 1}, with(s, f, math.NaN()), with(s, f, math.NaN()), with(s, f, otherNaN))
			s.causes("first trace")
		}},
		{"TF-17", "", func(s *scenario) {
			f := function.New(s.r, constant[[]int])
			s.counts(f, []int{1, 2, 3, 3},
				with(s, f, []int{1, 2, 3, 4}),
				with(s, f, []int{1, 2, 2, 4}),
				with(s, f, []int{1, 2, 3}),
				with(s, f, []int{1, 2, 3, 4}))
			s.causes("first trace",
				"new signature: arg 0[2]: 3 -> 2 (nearest: trace 1)",
				"new signature: arg 0: {[0] 1, [1] 2, [2] 2, [3] 4} -> {[0] 1, [1] 2, [2] 3} (nearest: trace 2)")
		}},
		{"TF-18", "", func(s *scenario) {
			f := function.New(s.r, constant[map[int]int])
			s.counts(f, []int{1, 2, 3, 3},
				with(s, f, map[int]int{1: 2, 3: 4}),
				with(s, f, map[int]int{1: 2, 3: 2}),
				with(s, f, map[int]int{1: 2, 3: 0}),
				with(s, f, map[int]int{3: 4, 1: 2}))
			s.causes("first trace",
				"new signature: arg 0[3]: 4 -> 2 (nearest: trace 1)",
				"new signature: arg 0[3]: 2 -> 0 (nearest: trace 2)")
		}},
		{"TF-21", "a struct in the place of a dataclass", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, m metadata) function.Tensor {
				if m.Flag {
					return m.X
				}
				return c.Add(m.X, m.X)
			})
			s.counts(f, []int{1, 1, 2, 2},
				concrete(s, f, metadata{f32(1), true}),
				concrete(s, f, metadata{f32(1), true}),
				concrete(s, f, metadata{function.SpecOf(dtypes.Int32, function.Unknown, function.Unknown).Tensor(), false}),
				concrete(s, f, metadata{zeros(dtypes.Int32, 2, 1), false}))
			s.causes("first trace",
				"new signature: m.X: dtype float32 -> int32, m.X: rank 1 -> 2, m.Flag: true -> false (nearest: trace 1)")
		}},
		{"TF-22", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, x, y function.Tensor) function.Tensor {
				if y.IsNone() {
					return x
				}
				return c.Add(x, y)
			})
			x := f32(2)
			s.counts(f, []int{1, 1, 2},
				with2(s, f, x, function.Tensor{}), with2(s, f, x, function.Tensor{}), with2(s, f, x, x))
			s.causes("first trace", "new signature: y: None -> float32[2] (nearest: trace 1)")
		}},
		{"TF-23", "Go slices in the place of arrays: only Apply converts them", func(s *scenario) {
			f := function.New(s.r, double)
			apply := func(v any) func() {
				return func() {
					_, err := f.Apply(s.r.Host(), v)
					require.NoError(s, err)
				}
			}
			changed := []float32{1}
			s.counts(f, []int{1, 1, 2, 2, 2, 2, 3, 3, 3},
				apply([][]float32{{1, 2}, {3, 4}}), apply([][]float32{{5, 6}, {7, 8}}),
				apply(float32(1)), apply(float32(0)),
				with(s, f, function.From(float32(1))), with(s, f, function.From(float32(0))),
				apply(changed), func() { changed[0] = 2; apply(changed)() },
				apply(matrix{{1, 2}, {3, 4}}))
			s.causes("first trace",
				"new signature: x: rank 2 -> 0 (nearest: trace 1)",
				"new signature: x: rank 0 -> 1 (nearest: trace 2)")
		}},
		{"TF-24", "a map in the place of **kwargs", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, args map[string]function.Tensor) function.Tensor {
				return c.Add(args["x"], args["y"])
			})
			s.counts(f, []int{1, 1},
				with(s, f, map[string]function.Tensor{"x": f32(2, 2), "y": f32(2, 2)}),
				with(s, f, map[string]function.Tensor{"y": function.From([][]float32{{1, 2}, {3, 4}}), "x": f32(2, 2)}))
			s.causes("first trace")
		}},
		{"TF-25", "Go has no hash to collide: two objects of equal content", func(s *scenario) {
			f := function.New(s.r, flavorOf)
			one, two := &fruit{flavor: 42}, &fruit{flavor: 42}
			s.counts(f, []int{1, 2, 2}, with(s, f, one), with(s, f, two), with(s, f, one))
			s.causes("first trace", "new signature: f: #1 -> #2 (nearest: trace 1)")
		}},
		{"TF-26", "", func(s *scenario) {
			f := function.New(s.r, flavorOf)
			objects := make([]*fruit, 100)
			var calls sync.WaitGroup
			for i := range objects {
				objects[i] = &fruit{flavor: float32(i)}
				calls.Go(func() {
					got := f.Call(s.r.Host(), objects[i])
					if got.Value() != float32(i) {
						s.Errorf("object %d gave %v", i, got)
					}
				})
			}
			calls.Wait()
			require.Equal(s, 100, f.TraceCount())
			runtime.KeepAlive(objects)
			got := causes(s.rec.Traces())
			require.Equal(s, "first trace", got[0])
			for _, cause := range got[1:] {
				require.Contains(s, cause, "new signature: f: #")
			}
		}},
		{"TF-27", "traces for objects that are gone are dropped: 1, 1 in place of 1, 2", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, a, b *fruit) function.Tensor {
				return function.From(a.flavor + b.flavor)
			})
			call := func() {
				f.Call(s.r.Host(), &fruit{flavor: 1}, &fruit{flavor: 2})
				runtime.GC() // the temporaries die, and others may get their addresses
			}
			s.counts(f, []int{1, 1}, call, call)
			s.causes("first trace", "new signature: a: #1 -> #3, b: #2 -> #4 (nearest: trace 1)")
		}},
		{"TF-28", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx, a, b keyedFruit) function.Tensor {
				return function.From(a.flavor + b.flavor)
			})
			s.counts(f, []int{1, 1},
				func() { f.Call(s.r.Host(), keyedFruit{1}, keyedFruit{2}) },
				func() { f.Call(s.r.Host(), keyedFruit{3}, keyedFruit{4}) })
			s.causes("first trace")
		}},
		{"TF-29", "", func(s *scenario) {
			f := function.New(s.r, flavorOf)
			object := &fruit{flavor: 1}
			s.counts(f, []int{1}, with(s, f, object))
			object.flavor = 2
			require.Equal(s, float32(1), f.Call(s.r.Host(), object).Value(), "the value of the first call is frozen")
			require.Equal(s, 1, f.TraceCount())
			s.causes("first trace")
		}},
		{"TF-30", "a pointer in the place of an object without equality: when it is gone, its address gives no hit, and its trace is dropped at the next one: 1 in place of 2", func(s *scenario) {
			f := function.New(s.r, flavorOf)
			object := &fruit{flavor: 1}
			gone := weak.Make(object)
			s.counts(f, []int{1, 1}, with(s, f, object), with(s, f, object))
			object = nil
			for gone.Value() != nil {
				runtime.GC()
			}
			require.Equal(s, 1, f.TraceCount())
			s.counts(f, []int{1}, with(s, f, &fruit{flavor: 2}))
			s.causes("first trace", "new signature: f: #1 -> #2 (nearest: trace 1)")
		}},
		{"TF-31", "refused when the function is made: weak pointers, channels and functions cannot be keyed; a set is a map in Go and can", func(s *scenario) {
			refused := func(err error, typ string) {
				require.ErrorIs(s, err, function.ErrUnkeyable)
				require.ErrorContains(s, err, `function "constant[...]": arg0: `)
				require.ErrorContains(s, err, typ)
			}
			_, err := function.TryNew(s.r, constant[weak.Pointer[fruit]])
			refused(err, "unsafe.Pointer")
			_, err = function.TryNew(s.r, constant[chan int])
			refused(err, "chan int")
			_, err = function.TryNew(s.r, constant[func()])
			refused(err, "func()")
			_, err = function.TryNew(s.r, constant[*struct{}])
			refused(err, "no size")
			f := function.New(s.r, constant[map[string]struct{}])
			s.counts(f, []int{1, 1},
				with(s, f, map[string]struct{}{"a": {}, "b": {}}),
				with(s, f, map[string]struct{}{"b": {}, "a": {}}))
			s.causes("first trace")
		}},
		{"TF-32", "", func(s *scenario) {
			f := function.New(s.r, double)
			z := f32(2, 3)
			of, err := f.Concrete(z.Spec())
			require.NoError(s, err)
			again, err := f.Concrete(z)
			require.NoError(s, err)
			require.Same(s, of, again)
			require.Equal(s, 1, f.TraceCount())
			s.causes("first trace")
		}},
	}
}

func TestRowsA3(t *testing.T) { runRows(t, rowsA3()) }

// rowsA3: keyword and positional arguments.
func rowsA3() []row {
	return []row{
		{"TF-35", "Go has no keyword arguments: the fields of a struct, in any order", func(s *scenario) {
			type pair struct{ A, B function.Tensor }
			f := function.New(s.r, func(c *function.Ctx, p pair) function.Tensor { return c.Add(p.A, p.B) })
			a, b := f32(), f32(2)
			calls := slices.Collect(func(yield func(func()) bool) {
				for _, p := range []pair{{a, b}, {A: a, B: b}, {B: b, A: a}, {b, a}, {A: b, B: a}, {B: a, A: b}} {
					yield(with(s, f, p))
				}
			})
			s.counts(f, []int{1, 1, 1, 2, 2, 2}, calls...)
			s.causes("first trace", "new signature: p.A: rank 0 -> 1, p.B: rank 1 -> 0 (nearest: trace 1)")
		}},
	}
}
