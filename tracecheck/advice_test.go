package tracecheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

// advice returns what a failure advises after traces with the arguments.
func advice(wrapper harness.Wrapper, args ...harness.Arg) []string {
	return adviceOn(func(rec *harness.Recorder) {
		for _, arg := range args {
			arg.Name = "x"
			rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Wrapper: wrapper, Args: harness.Signature{arg}}).End(harness.Returned())
		}
	})
}

func adviceOn(block func(rec *harness.Recorder)) []string {
	fake := &recordingT{}
	rec := record(fake)
	tracecheck.ExpectNoTraces(fake, rec, func() { block(rec) })
	_, text, _ := strings.Cut(fake.errors[0], "\n  to trace less:\n")
	return strings.Split(text, "\n")
}

func tensor(dtype string, dims ...int) harness.Arg {
	return harness.Arg{Kind: harness.Tensor, Type: dtype, Dims: dims}
}

func TestAdviceOnSignatures(t *testing.T) {
	known := harness.Wrapper{ID: 1}
	dynamic := harness.Wrapper{ID: 1, DynamicAxes: "name the axis with WithDynamicAxes"}
	literal := func(typ, value string) harness.Arg {
		return harness.Arg{Kind: harness.Literal, Type: typ, Value: value}
	}
	aliased := tensor("float32")
	aliased.Value = "variable, the same as y"
	for name, test := range map[string]struct {
		wrapper harness.Wrapper
		args    []harness.Arg
		want    string
	}{
		"sizes below one power of two": {known, []harness.Arg{tensor("float32", 5, 2), tensor("float32", 7, 2), tensor("float32", 6, 2)},
			"axis 0 of x had 3 sizes from 5 to 7: pad it to 8, the power of two that fits"},
		"sizes of several powers of two": {known, []harness.Arg{tensor("float32", 8), tensor("float32", 1000)},
			"axis 0 of x had 2 sizes from 8 to 1000: pad it to 1024, the power of two that fits, or each size to its own power of two"},
		"powers of two": {known, []harness.Arg{tensor("float32", 4), tensor("float32", 8)},
			"axis 0 of x had 2 sizes from 4 to 8: pad it to 8, the power of two that fits, or each size to its own power of two"},
		"sizes none and one": {known, []harness.Arg{tensor("float32", 0), tensor("float32", 1)},
			"axis 0 of x had 2 sizes from 0 to 1: pad it to 1, the power of two that fits"},
		"dynamic axes": {dynamic, []harness.Arg{tensor("float32", 3), tensor("float32", 4)},
			"axis 0 of x had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, or name the axis with WithDynamicAxes"},
		"dynamic axes of an unknown wrapper": {harness.Wrapper{}, []harness.Arg{tensor("float32", 3), tensor("float32", 4)},
			"axis 0 of x had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, or make it dynamic if the engine's backend can"},
		"sizes, then any": {known, []harness.Arg{tensor("float32", 5), tensor("float32", -1)},
			"axis 0 of x had 1 size, then any: the trace for any serves all further ones"},
		"sizes, then any, and an engine that could begin so": {dynamic, []harness.Arg{tensor("float32", 5), tensor("float32", 6), tensor("float32", -1)},
			"axis 0 of x had 2 sizes, then any: the trace for any serves all further ones; for a single trace, name the axis with WithDynamicAxes"},
		"any size of an unknown wrapper": {harness.Wrapper{}, []harness.Arg{tensor("float32", 5), tensor("float32", -1)},
			"axis 0 of x had 1 size, then any: the trace for any serves all further ones"},
		"any size, then one": {known, []harness.Arg{tensor("float32", -1), tensor("float32", 5)},
			"axis 0 of x was ?, 5: keep it the same at each call"},
		"a size that is not fixed": {known, []harness.Arg{tensor("float32", -1), tensor("float32", -2)},
			"axis 0 of x was ?: keep it the same at each call"},
		"flags": {known, []harness.Arg{literal("bool", "true"), literal("bool", "false")},
			"x had values true, false: where Go code decides by it, make a function of each; else pass a tensor, and select by it in the graph"},
		"enumerated values": {known, []harness.Arg{literal("train.Mode", "eval"), literal("train.Mode", "fit")},
			"x had values eval, fit: where Go code decides by it, make a function of each; else pass a tensor, and select by it in the graph"},
		"strings": {known, []harness.Arg{literal("string", `"a"`), literal("string", `"b"`)},
			`x had values "a", "b": where Go code decides by it, make a function of each; else pass a tensor, and select by it in the graph`},
		"slices of numbers": {known, []harness.Arg{literal("[2][]int", "1"), literal("[2][]int", "2")},
			"x had values 1, 2: pass a tensor instead of a literal, since its value is no part of the key"},
		"dtypes": {known, []harness.Arg{tensor("float32"), tensor("int64"), tensor("float64")},
			"x had dtypes float32, int64, float64: convert it to one of them before the call"},
		"ranks": {known, []harness.Arg{tensor("float32", 1), tensor("float32", 1, 1)},
			"x had ranks 1, 2: reshape it to one of them before the call"},
		"literals": {known, []harness.Arg{literal("int", "1"), literal("int", "2"), literal("int", "3"), literal("int", "4"), literal("int", "5"), literal("int", "6")},
			"x had values 1, 2, 3, 4 and 2 more: pass a tensor instead of a literal, since its value is no part of the key"},
		"literals, one more than are shown": {known, []harness.Arg{literal("int", "1"), literal("int", "2"), literal("int", "3"), literal("int", "4"), literal("int", "5")},
			"x had values 1, 2, 3, 4 and 1 more: pass a tensor instead of a literal, since its value is no part of the key"},
		"types": {known, []harness.Arg{literal("int", "1"), literal("float64", "1")},
			"x had types int, float64: pass one of them, or a tensor"},
		"literal and tensor": {known, []harness.Arg{literal("int", "20"), tensor("int32")},
			"x was 20, int32[]: pass a tensor each time"},
		"objects": {known, []harness.Arg{{Kind: harness.Object, Type: "*T", Value: "#1"}, {Kind: harness.Object, Type: "*T", Value: "#2"}},
			"x was #1, #2: pass the same object each time, since the key has its identity"},
		"contexts": {known, []harness.Arg{{Kind: harness.Context, Value: "train"}, {Kind: harness.Context, Value: "eval"}},
			"x was train, eval: each needs a trace of its own; keep it the same where it can be"},
		"structures": {known, []harness.Arg{{Kind: harness.Structure, Elems: []harness.Arg{tensor("float32")}}, {Kind: harness.Structure}},
			"x had elements {float32[]}, {}: keep their number and names the same"},
		"aliasing": {known, []harness.Arg{tensor("float32"), aliased},
			"x was variable, the same as y: keep it the same at each call"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, cmp.Diff([]string{"    f: " + test.want}, advice(test.wrapper, test.args...)))
		})
	}
}

func TestAdviceOnOtherCauses(t *testing.T) {
	f := harness.Function{Name: "f"}
	for name, test := range map[string]struct {
		run  func(rec *harness.Recorder)
		want string
	}{
		"state": {func(rec *harness.Recorder) {
			rec.Start(harness.Info{Function: f, Args: harness.Signature{}}).End(harness.Returned())
			rec.Start(harness.Info{Function: f, Cause: &harness.Cause{Kind: harness.CauseState}}).End(harness.Returned())
		}, "build the layers, or what else makes state, before the first call: then one trace does"},
		"failure": {func(rec *harness.Recorder) {
			rec.Start(harness.Info{Function: f, Args: harness.Signature{}}).End(harness.Panicked("no"))
			rec.Start(harness.Info{Function: f, Args: harness.Signature{}}).End(harness.Returned())
		}, "a trace that failed is not kept, and each call makes another: mend the failure"},
		"cache": {func(rec *harness.Recorder) {
			w := rec.NewWrapper("a")
			rec.Start(harness.Info{Function: f, Args: harness.Signature{}, Wrapper: w}).End(harness.Returned())
			rec.Start(harness.Info{Function: f, Args: harness.Signature{}, Wrapper: w}).End(harness.Returned())
		}, "keep the cache between calls, or see why a call failed after its trace"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, cmp.Diff([]string{"    f: " + test.want}, adviceOn(test.run)))
		})
	}
}

func TestAdviceIsShort(t *testing.T) {
	var args []harness.Arg
	for n := range 8 {
		dims := make([]int, 8)
		dims[n] = 1
		args = append(args, tensor("float32", dims...))
	}
	require.Len(t, advice(harness.Wrapper{ID: 1}, args...), 5)
}

// Each of two models of one method needs its own wrapper, and sizes of its own.
func TestAdviceNeverMergesTwoModels(t *testing.T) {
	step := harness.Function{Name: "(*model).step"}
	traceIn := func(rec *harness.Recorder, w harness.Wrapper, n int) {
		rec.Start(harness.Info{Function: step, Wrapper: w, Args: harness.Signature{tensor("float32", n)}}).End(harness.Returned())
	}
	t.Run("same signature", func(t *testing.T) {
		require.Equal(t, []string{"    (*model).step: the wrapper is built anew at tracecheck/advice_test.go:LINE: " +
			"build it once, outside of the loop or function, and keep it, or one for each model"},
			adviceOn(func(rec *harness.Recorder) {
				for range 2 {
					traceIn(rec, rec.NewWrapper("a"), 3)
				}
			}))
	})
	t.Run("signatures of their own", func(t *testing.T) {
		require.Equal(t, []string{
			"    (*model).step (the wrapper built at tracecheck/advice_test.go:LINE): axis 0 of arg 0 had 2 sizes from 3 to 4: pad it to 4, the power of two that fits",
			"    (*model).step: wrappers share no traces, and these were built at tracecheck/advice_test.go:LINE, tracecheck/advice_test.go:LINE: " +
				"build one and use it in all places, or one for each model",
			"    (*model).step (the wrapper built at tracecheck/advice_test.go:LINE): axis 0 of arg 0 had 2 sizes from 100 to 101: pad it to 128, the power of two that fits",
		}, adviceOn(func(rec *harness.Recorder) {
			a := rec.NewWrapper("a")
			b := rec.NewWrapper("a")
			for _, n := range []int{3, 4} {
				traceIn(rec, a, n)
			}
			for _, n := range []int{100, 101} {
				traceIn(rec, b, n)
			}
		}))
	})
	t.Run("the nearest signature is the other's", func(t *testing.T) {
		require.Contains(t, adviceOn(func(rec *harness.Recorder) {
			a, b := rec.NewFoundWrapper("a"), rec.NewFoundWrapper("a")
			traceIn(rec, a, 3)
			traceIn(rec, b, 100)
			traceIn(rec, a, 4)
		}), "    (*model).step: axis 0 of arg 0 had 2 sizes from 3 to 4: pad it to 4, the power of two that fits")
	})
	t.Run("instances that nobody can tell apart", func(t *testing.T) {
		for _, name := range []string{"(*model).step", "newModel.func1", "step[...]"} {
			require.Equal(t, []string{"    " + name + ": axis 0 of arg 0 had 2 sizes from 3 to 4: pad it to 4, the power of two that fits, " +
				"or make it dynamic if the engine's backend can (if one instance of it had them all)"},
				adviceOn(func(rec *harness.Recorder) {
					for _, n := range []int{3, 4} {
						rec.Start(harness.Info{Function: harness.Function{Package: "m", Name: name}, Args: harness.Signature{tensor("float32", n)}}).End(harness.Returned())
					}
				}))
		}
	})
	t.Run("contexts", func(t *testing.T) {
		require.Equal(t, []string{"    f: graph was train, eval: each needs a trace of its own; keep it the same where it can be"},
			adviceOn(func(rec *harness.Recorder) {
				for i, graph := range []string{"train", "eval"} {
					trace(rec, "f", rec.NewWrapper("executor"), tensor("float32", i+3), harness.Arg{Name: "graph", Kind: harness.Context, Value: graph})
				}
			}))
	})
}

// The most frequent reason comes first, not the first one.
func TestAdviceOnTheMostFrequentReasonComesFirst(t *testing.T) {
	got := adviceOn(func(rec *harness.Recorder) {
		for _, dtype := range []string{"float32", "int64"} {
			trace(rec, "rare", harness.Wrapper{}, tensor(dtype))
		}
		for n := range 4 {
			trace(rec, "frequent", harness.Wrapper{}, tensor("float32", n))
		}
	})
	require.Len(t, got, 2)
	require.Contains(t, got[0], "frequent: ")
}

// An engine may say why it traces without saying in what the signature differs.
func TestNoAdviceOnAnUnexplainedSignature(t *testing.T) {
	require.Equal(t, []string{""}, adviceOn(func(rec *harness.Recorder) {
		for range 2 {
			rec.Start(harness.Info{Function: harness.Function{Name: "f"}, Cause: &harness.Cause{Kind: harness.CauseNewSignature}}).End(harness.Returned())
		}
	}))
}
