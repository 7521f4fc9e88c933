package function_test

import (
	"errors"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

func TestRowsA8(t *testing.T) { runRows(t, rowsA8()) }

// A counter counts in a variable, made in the first call unless it is there.
type counter struct {
	v      *function.Variable
	traces int
}

func (m *counter) count(c *function.Ctx) function.Tensor {
	m.traces++
	if m.v == nil {
		m.v = c.Variable("count", function.Value(int32(0)))
	}
	n := m.v.AssignAdd(c, function.From(int32(1)))
	c.Print("count", n)
	return n
}

// A network has a layer that is built on first use.
type network struct {
	dense  *function.Dense
	traces int
}

func (n *network) call(c *function.Ctx, x function.Tensor) function.Tensor {
	n.traces++
	return n.dense.Call(c, x)
}

// rowsA8: state made by the first call.
func rowsA8() []row {
	return []row{
		{"TF-79", "", func(s *scenario) {
			m := &counter{}
			f := function.New(s.r, m.count)
			call := func() { f.Call(s.r.Host()) }
			s.counts(f, []int{2, 2, 0, 2}, call, call, func() { f.ClearCache(); m.v = nil }, call)
			s.causes("first trace", stateMade("count", m.v),
				"same signature as trace 2: ClearCache forgot it", stateMade("count", m.v))
		}},
		{"TF-80", "the Go backend has no strings: bool in their place", func(s *scenario) {
			f := function.New(s.r, double)
			s.counts(f, []int{1, 2, 0, 1},
				with(s, f, function.From(int32(1))), with(s, f, function.From(true)),
				f.ClearCache, with(s, f, function.From(int32(1))))
			s.causes("first trace", "new signature: x: dtype int32 -> bool (nearest: trace 1)",
				"same signature as trace 1: ClearCache forgot it")
		}},
		{"TF-82", "", func(s *scenario) {
			f := function.New(s.r, func(c *function.Ctx) function.Tensor {
				return c.Variable("v", function.Value(float32(1))).Read(c)
			}, function.WithName("careless"))
			err := function.Try(func() { f.Call(s.r.Host()) })
			require.ErrorIs(s, err, function.ErrStateCreation)
			require.Regexp(s, `^function "careless": variable "v": it is made at function/rows_a8_test.go:\d+ in the second trace of the first call of "careless", and only the first trace may make state: make it once and keep it$`, err.Error())
			require.Equal(s, []int{0, 2}, []int{f.TraceCount(), s.bodies("careless")})
			require.True(s, s.rec.Traces()[1].Outcome.Failed())
			require.Contains(s, s.rec.Traces()[1].Cause.String(), "second trace of a first call, because state was made: variable \"v\" was made at function/rows_a8_test.go:")
		}},
		{"TF-83", "", func(s *scenario) {
			before := &counter{v: s.r.Host().Variable("count", function.Value(int32(0)))}
			within := &counter{}
			for _, m := range []*counter{before, within} {
				s.out.Reset()
				function.New(s.r, m.count).Call(s.r.Host())
				require.Equal(s, "count 1\n", s.out.String())
			}
			require.Equal(s, []int{1, 2}, []int{before.traces, within.traces})
			s.causes("first trace", "same signature as trace 1, of another wrapper", stateMade("count", within.v))
		}},
		{"TF-84", "an initialiser runs outside of the trace, so one that needs the argument is an error: 0, 0 in place of 2, 2", func(s *scenario) {
			var v *function.Variable
			f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				if v == nil {
					v = c.Variable("v", func(c *function.Ctx) function.Tensor { return c.Add(x, x) })
				}
				return v.Read(c)
			}, function.WithName("dependent"))
			call := s.failing(function.ErrTensorScope, with(s, f, f32(2)))
			s.counts(f, []int{0, 0}, call, call)
			require.Equal(s, 2, s.bodies("dependent"))
			require.ErrorContains(s, function.Try(with(s, f, f32(2))),
				`function "dependent": variable "v": op "add": operand 0: Tensor("x:0", shape=(2), dtype=float32) has no value while "dependent" is traced`)
			s.causes("first trace", "retrace after a failure of trace 1", "retrace after a failure of trace 2")
		}},
		{"TF-85", "", func(s *scenario) {
			n := &network{dense: function.NewDense(2)}
			inner := function.New(s.r, n.call, function.WithName("inner"))
			outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return inner.Call(c, x) }, function.WithName("outer"))
			s.counts(outer, []int{1, 1}, with(s, outer, f32(3, 4)), with(s, outer, f32(3, 4)))
			require.Equal(s, 2, inner.TraceCount())
			v := n.dense.Variables()
			s.causes("first trace", "first trace",
				stateMade("dense/kernel", v[0])+`, variable "dense/bias" was made at `+v[1].Site())
		}},
		{"TF-86", "", func(s *scenario) {
			for options, want := range map[string]int{"type-based": 2, "legacy": 3} {
				var dialect []function.RuntimeOption
				if options == "legacy" {
					dialect = append(dialect, function.WithLegacyKeys())
				}
				s := newScenario(s.T, dialect...)
				n := &network{dense: function.NewDense(2)}
				inner := function.New(s.r, n.call)
				outer := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor { return inner.Call(c, x) })
				outer.Call(s.r.Host(), f32(3, 4))
				s.counts(inner, []int{want, want}, with(s, inner, f32(3, 4)), with(s, inner, f32(3, 4)))
				require.Equal(s, want, n.traces)
				if want == 3 {
					require.Equal(s, "new signature: x: symbolic -> concrete (nearest: trace 2)", causes(s.rec.Traces())[3])
				}
			}
		}},
		{"TF-87", "", func(s *scenario) {
			n := &network{dense: function.NewDense(2)}
			n.dense.Build(s.r.Host(), 4)
			network := function.New(s.r, n.call, function.WithName("network"))
			var momentum []*function.Variable // the optimizer's, made by the first step
			train := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				loss := c.Mean(c.Square(network.Call(c, x)))
				weights := n.dense.Variables()
				gradients := c.Gradient(loss, weights[0].Read(c), weights[1].Read(c))
				for i, w := range weights {
					if len(momentum) <= i {
						momentum = append(momentum, c.Variable(w.Name()+"/momentum", function.Fill(w.Spec(), 0)))
					}
					step := momentum[i].AssignAdd(c, gradients[i])
					w.Assign(c, c.Sub(w.Read(c), c.Mul(step, function.From(float32(0.1)))))
				}
				return loss
			}, function.WithName("train"))
			x := function.From([][]float32{{1, 2, 3, 4}, {5, 6, 7, 8}})
			s.counts(train, []int{2, 2}, with(s, train, x), with(s, train, x))
			require.Equal(s, []int{1, 1}, []int{network.TraceCount(), n.traces})
			s.causes("first trace", "first trace", stateMade("dense/kernel/momentum", momentum[0])+`, variable "dense/bias/momentum" was made at `+momentum[1].Site())
		}},
		{"TF-88", "", func(s *scenario) {
			n := &network{dense: function.NewDense(32)}
			f := function.New(s.r, n.call)
			s.counts(f, []int{2, 2}, with(s, f, f32(60, 28, 28)), with(s, f, f32(60, 28, 28)))
			require.Equal(s, 2, n.traces)
			require.Equal(s, "first trace", causes(s.rec.Traces())[0])
			require.Contains(s, causes(s.rec.Traces())[1], "because state was made: variable \"dense/kernel\" was made at function/rows_a8_test.go:")
		}},
		{"TF-89", "", func(s *scenario) {
			failure, runs := errors.New("not today"), 0
			f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
				if runs++; runs == 1 {
					panic(failure)
				}
				return x
			})
			s.counts(f, []int{0, 1}, s.failing(failure, with(s, f, f32(2))), with(s, f, f32(2)))
			require.Equal(s, 2, runs)
			s.causes("first trace", "retrace after a failure of trace 1")
		}},
		{"TF-90", "the variable of the failed trace stays valid, and the retry counts as the first call, in place of an error or a silent None for ever after", func(s *scenario) {
			failure := errors.New("not today")
			var v *function.Variable
			runs := 0
			f := function.New(s.r, func(c *function.Ctx) function.Tensor {
				if v == nil {
					v = c.Variable("v", function.Value(float32(7)))
				}
				if runs++; runs == 1 {
					panic(failure)
				}
				return v.Read(c)
			})
			call := func() { f.Call(s.r.Host()) }
			s.counts(f, []int{0, 1}, s.failing(failure, call), call)
			require.Equal(s, float32(7), f.Call(s.r.Host()).Value())
			require.Equal(s, 2, runs)
			s.causes("first trace", "retrace after a failure of trace 1")
		}},
	}
}

func TestStateOfALaterCallIsRefused(t *testing.T) {
	s := newScenario(t)
	var v *function.Variable
	f := function.New(s.r, func(c *function.Ctx, x function.Tensor) function.Tensor {
		if x.DType() == dtypes.Int32 && v == nil {
			v = c.Variable("late", function.Value(int32(1)))
		}
		return x
	}, function.WithName("late"))
	f.Call(s.r.Host(), f32(2))
	err := function.Try(with(s, f, zeros(dtypes.Int32, 2)))
	require.ErrorIs(t, err, function.ErrStateCreation)
	require.ErrorContains(t, err, `in a trace after the first call of "late"`)
}
