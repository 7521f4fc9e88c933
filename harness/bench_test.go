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

// BenchmarkTrace compares traces without and with a recorder.
func BenchmarkTrace(b *testing.B) {
	for _, depth := range []int{30, 100, 1000} {
		for _, variant := range variants() {
			b.Run(fmt.Sprintf("depth=%d/%s", depth, variant.name), func(b *testing.B) {
				b.ReportAllocs()
				exec := et.NewExec(variant.fn)
				atDepth(depth, func() {
					for b.Loop() {
						exec.Clear()
						exec.Call(et.Make(et.Float32, 3))
					}
				})
			})
		}
	}
}

type variant struct {
	name string
	fn   func(*et.Node) *et.Node
}

// variants returns a function as the engine gets it without and with a recorder.
func variants() []variant {
	return []variant{{"raw", identity}, {"recorded", harness.Wrap(harness.NewRecorder(), "", identity)}}
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

// BenchmarkTraceOnGoroutines has as much to do per trace on 64 goroutines as on
// one, so that waiting for each other would show.
func BenchmarkTraceOnGoroutines(b *testing.B) {
	for _, goroutines := range []int{1, 64} {
		for _, variant := range variants() {
			b.Run(fmt.Sprintf("goroutines=%d/%s", goroutines, variant.name), func(b *testing.B) {
				b.ReportAllocs()
				run := func(more func() bool) {
					exec := et.NewExec(variant.fn)
					atDepth(30, func() {
						for more() {
							exec.Clear()
							exec.Call(et.Make(et.Float32, 3))
						}
					})
				}
				if goroutines == 1 {
					run(b.Loop)
					return
				}
				b.SetParallelism(goroutines / runtime.GOMAXPROCS(0))
				b.RunParallel(func(pb *testing.PB) { run(pb.Next) })
			})
		}
	}
}

// BenchmarkCachedCall compares calls that hit the cache: they do not reach the
// body, so they allocate the same.
func BenchmarkCachedCall(b *testing.B) {
	for _, variant := range variants() {
		b.Run(variant.name, func(b *testing.B) {
			b.ReportAllocs()
			exec := et.NewExec(variant.fn)
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
	require.Len(t, rec.Traces(), harness.DefaultLimit)

	start(rec, "f").End(harness.Returned())
	require.Len(t, rec.TracesSince(harness.DefaultLimit-1), 2)
	require.Equal(t, 1, rec.Dropped())
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
