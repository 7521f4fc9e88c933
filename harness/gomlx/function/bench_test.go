package function_test

import (
	"io"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

const chainLength = 20

// chain is a graph of 20 ops.
func chain(n *graph.Node) *graph.Node {
	for range chainLength / 2 {
		n = graph.Tanh(graph.Add(n, n))
	}
	return n
}

func tracedChain(c *function.Ctx, x function.Tensor) function.Tensor {
	for range chainLength / 2 {
		x = c.Tanh(c.Add(x, x))
	}
	return x
}

// cachedCalls returns a cached call of the same graph by GoMLX's wrapper and by
// this package's.
func cachedCalls(tb testing.TB) (exec, typed func()) {
	r := newRuntime(tb, harness.NewRecorder(), io.Discard)
	raw := graph.MustNewExec(r.Backend(), chain)
	f := function.New(r, tracedChain)
	x := tensors.FromScalarAndDimensions(float32(0.5), 4, 4)
	input, host := function.FromTensor(x), r.Host()
	exec = func() { raw.MustCall(x) }
	typed = func() { f.Call(host, input) }
	exec()
	typed()
	return exec, typed
}

// BenchmarkCachedCall compares a cached typed call with the raw Exec. Both run by
// turns, since the machine has other work too, and the medians are compared. It
// fails if the typed call takes more than 1.10 times as long.
func BenchmarkCachedCall(b *testing.B) {
	const most, least = 1.10, 200
	exec, typed := cachedCalls(b)
	var raw, ours []time.Duration
	for b.Loop() {
		raw = append(raw, timeOf(exec))
		ours = append(ours, timeOf(typed))
	}
	ratio := float64(median(ours)) / float64(median(raw))
	b.ReportMetric(ratio, "ratio")
	b.ReportMetric(float64(median(raw)), "exec-ns")
	b.ReportMetric(float64(median(ours)), "call-ns")
	if len(raw) >= least && ratio > most {
		b.Errorf("a cached typed call takes %.2f times as long as graph.Exec, want at most %.2f", ratio, most)
	}
}

func timeOf(call func()) time.Duration {
	start := time.Now()
	call()
	return time.Since(start)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
