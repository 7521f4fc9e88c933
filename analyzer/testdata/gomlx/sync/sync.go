// Package sync holds the cases of rule sync: concurrency and waiting at trace time.
package sync

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"golang.org/x/sync/errgroup"

	"example.com/fixtures/helper"
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend, numbers chan int, done <-chan struct{}, group *sync.WaitGroup) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, parallel),
		graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
			numbers <- x.Rank()     // want `\bnumbers\b.*\(sync\)$`
			n := <-numbers          // want `\bnumbers\b.*\(sync\)$`
			for n = range numbers { // want `\bnumbers\b.*\(sync\)$`
				x = graph.AddScalar(x, n)
			}
			select { // want `select.*\(sync\)$`
			case <-done:
			case n = <-numbers:
			}
			close(numbers) // want `close.*\(sync\)$`
			group.Wait()   // want `Wait.*\(sync\)$`
			return x
		}),
	}
}

func parallel(x *graph.Node) *graph.Node {
	squares := make([]int, 4)
	var group sync.WaitGroup
	for i := range squares {
		group.Add(1)
		go func() { // want `go .*\(sync\)$`
			defer group.Done()
			squares[i] = i * i
		}()
	}
	group.Wait() // want `Wait.*\(sync\)$`
	var more sync.WaitGroup
	more.Go(func() { squares[0] = 1 }) // want `Go\b.*\(sync\)$`
	var errs errgroup.Group
	errs.Go(func() error { // want `Go\b.*\(sync\)$`
		squares[1] = 2
		return nil
	})
	helper.Must(errs.Wait())       // want `Wait.*\(sync\)$`
	time.Sleep(time.Millisecond)   // want `time\.Sleep.*\(sync\)$`
	<-time.After(time.Millisecond) // want `\(sync\)$`
	helper.Wait()                  // want `helper\.Wait: time\.Sleep.*\(sync\)$`
	return graph.AddScalar(x, squares[0])
}

var (
	lock     sync.Mutex
	rw       sync.RWMutex
	once     sync.Once
	widths   sync.Map
	perRank  = sync.OnceValue(func() int { return 3 })
	compiled atomic.Pointer[string]
)

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) *graph.Exec {
	exec := graph.MustNewExec(backend, guarded)
	go exec.MustCall1(float32(1)) // host code
	results := make(chan *tensors.Tensor)
	go func() { results <- exec.MustCall1(float32(2)) }() // host code
	<-results                                             // host code
	exec.SetSideParamsHook(func(*graph.Graph, []compute.Buffer, []bool) error {
		time.Sleep(time.Millisecond) // a host callback
		return nil
	})
	return exec
}

func guarded(x *graph.Node) *graph.Node {
	lock.Lock() // the cure for parallel traces
	defer lock.Unlock()
	rw.RLock()                              // the same
	rw.RUnlock()                            // the same
	once.Do(func() {})                      // the same
	x = graph.AddScalar(x, perRank())       // the same
	if _, ok := widths.Load(x.Rank()); ok { // the same
		x = graph.OnePlus(x)
	}
	if name := compiled.Load(); name != nil { // reads, waits for nothing
		x.SetLogged(*name)
	}
	ctx := context.WithValue(context.Background(), key{}, 1) // no timer
	queue := make(chan int, 4)                               // makes one, waits for nothing
	if ctx.Value(key{}) != nil && len(queue) < cap(queue) {  // reads, waits for nothing
		return x
	}
	return graph.OnePlus(x)
}

type key struct{}
