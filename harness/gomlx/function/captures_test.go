package function_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// A look-up looks at which arguments are variables that the body captures, so
// the signatures say it, and the causes name them.
func TestCapturedArgumentsAreInTheSignature(t *testing.T) {
	for name, test := range map[string]struct {
		calls []string // of f(a, b), which captures w and x
		want  []string
	}{
		"captured later":   {[]string{"v u", "w u", "v u", "u v"}, []string{"new signature: a: variable -> variable, the \"w\" (variable 3) that the body captures, b: variable -> variable, none that the body captures: \"w\" (variable 3), \"x\" (variable 4)"}},
		"captured first":   {[]string{"w u", "v u", "w u"}, []string{"new signature: a: variable -> variable, none that the body captures: \"w\" (variable 3), \"x\" (variable 4), b: variable -> variable, none that the body captures: \"w\" (variable 3), \"x\" (variable 4)"}},
		"one then another": {[]string{"w u", "x u"}, []string{"new signature: a: variable -> variable, the \"x\" (variable 4) that the body captures, b: variable -> variable, none that the body captures: \"w\" (variable 3), \"x\" (variable 4)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t)
			variables := map[string]*function.Variable{}
			for _, name := range []string{"v", "u", "w", "x"} {
				variables[name] = s.r.Host().Variable(name, function.Value(float32(1)))
			}
			f := function.New(s.r, func(c *function.Ctx, a, b *function.Variable) function.Tensor {
				return c.Add(c.Add(a.Read(c), b.Read(c)), c.Add(variables["w"].Read(c), variables["x"].Read(c)))
			}, function.WithArgNames("a", "b"))
			for _, call := range test.calls {
				f.Call(s.r.Host(), variables[call[:1]], variables[call[2:]])
			}
			var got []string
			for _, trace := range s.rec.Traces()[1:] {
				require.Equal(t, harness.CauseNewSignature, trace.Cause.Kind)
				cause := trace.Cause
				cause.Earlier = 0
				got = append(got, cause.String())
			}
			require.Equal(t, test.want, got)
		})
	}
}

// Every call that traces has a signature that no trace before had, whichever
// variables a call passes.
func TestSignaturesOfCapturedArgumentsDiffer(t *testing.T) {
	s := newScenario(t)
	var variables []*function.Variable
	for range 4 { // of one name
		variables = append(variables, s.r.Host().Variable("v", function.Value(float32(1))))
	}
	f := function.New(s.r, func(c *function.Ctx, a, b *function.Variable, captureBoth bool) function.Tensor {
		sum := c.Add(c.Add(a.Read(c), b.Read(c)), variables[0].Read(c))
		if captureBoth {
			sum = c.Add(sum, variables[1].Read(c))
		}
		return sum
	})
	for _, both := range []bool{true, false} {
		for _, a := range variables {
			for _, b := range variables {
				f.Call(s.r.Host(), a, b, both)
			}
		}
	}
	seen := map[string]bool{}
	for i, trace := range s.rec.Traces() {
		require.False(t, seen[trace.Args.Key()], "trace %d: %s", i, trace.Args)
		seen[trace.Args.Key()] = true
		require.NotEqual(t, harness.CauseSameSignature, trace.Cause.Kind)
	}
	require.Equal(t, 15, len(seen))
}
