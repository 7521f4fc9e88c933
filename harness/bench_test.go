package harness_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

// atDepth calls f below a stack of the depth that engines have.
//
//go:noinline
func atDepth(depth int, f func()) {
	if depth == 0 {
		f()
		return
	}
	atDepth(depth-1, f)
}

func BenchmarkTrace(b *testing.B) {
	for _, depth := range []int{30, 100, 1000} {
		b.Run(fmt.Sprint("depth=", depth), func(b *testing.B) {
			b.ReportAllocs()
			f := harness.Wrap(harness.NewRecorder(), "", identity)
			x := et.NewNode(et.Float32, 3)
			atDepth(depth, func() {
				for b.Loop() {
					f(x)
				}
			})
		})
	}
}

// BenchmarkNewSignature has no two traces of equal signatures, all of them at
// least two differences away from each other, so that the search for the nearest
// one is as long as it can be.
func BenchmarkNewSignature(b *testing.B) {
	b.ReportAllocs()
	f := harness.Wrap(harness.NewRecorder(), "", identity)
	n := 0
	for b.Loop() {
		n++
		f(et.NewNode(et.Float32, n, n, n))
	}
}

func BenchmarkTraceOn64Goroutines(b *testing.B) {
	b.ReportAllocs()
	f := harness.Wrap(harness.NewRecorder(), "", identity)
	x := et.NewNode(et.Float32, 3)
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		atDepth(30, func() {
			for pb.Next() {
				f(x)
			}
		})
	})
}

// A call that hits the cache does not reach the body, so it allocates the same.
func BenchmarkCachedCall(b *testing.B) {
	for name, f := range map[string]func(*et.Node) *et.Node{
		"raw":     identity,
		"wrapped": harness.Wrap(harness.NewRecorder(), "", identity),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			exec := et.NewExec(f)
			shape := et.Make(et.Float32, 3)
			for b.Loop() {
				exec.Call(shape)
			}
		})
	}
}

func identity(x *et.Node) *et.Node { return x }

// No two traces share anything: the most that a trace can keep.
func TestMemoryOf100000Traces(t *testing.T) {
	rec := harness.NewRecorder()
	before := heap()
	for i := range 100_000 {
		rec.Start(harness.Info{
			Function: harness.Function{Name: "f"},
			Wrapper:  rec.NewWrapper("*enginetest.Exec"),
			Args:     harness.SignatureOf(et.NewNode(et.Float32, i, 4)),
		}).End(harness.Returned())
	}
	megabytes := float64(heap()-before) / 1e6
	require.Equal(t, 100_000, rec.LastID())
	require.Less(t, megabytes, 200.0)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestCachedCallCostsNothing(t *testing.T) {
	allocations := func(f func(*et.Node) *et.Node) float64 {
		exec := et.NewExec(f)
		shape := et.Make(et.Float32, 3)
		exec.Call(shape)
		return testing.AllocsPerRun(100, func() { exec.Call(shape) })
	}
	raw := allocations(identity)
	wrapped := allocations(harness.Wrap(harness.NewRecorder(), "", identity))
	require.Equal(t, raw, wrapped)
}
