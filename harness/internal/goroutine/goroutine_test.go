package goroutine_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/internal/goroutine"
)

// own returns the number in the first line of the caller's stack trace.
func own(t *testing.T) uint64 {
	var buf [64]byte
	var id uint64
	_, err := fmt.Sscanf(string(buf[:runtime.Stack(buf[:], false)]), "goroutine %d ", &id)
	require.NoError(t, err)
	return id
}

func TestIDTellsGoroutinesApart(t *testing.T) {
	mine := goroutine.ID()
	require.NotZero(t, mine)
	require.Equal(t, mine, goroutine.ID())
	require.Equal(t, own(t), mine)
	other := make(chan uint64)
	go func() { other <- goroutine.ID() }()
	require.NotEqual(t, mine, <-other)
}

func TestIDOfManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	seen := map[uint64]bool{}
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			id := goroutine.ID()
			mu.Lock()
			defer mu.Unlock()
			seen[id] = true
		})
	}
	all.Wait()
	require.Len(t, seen, 200)
}

func TestIDWhereGoroutinesAreSpecial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { require.Equal(t, own(t), goroutine.ID()) })

	done := make(chan [2]uint64)
	go func() {
		runtime.LockOSThread()
		done <- [2]uint64{own(t), goroutine.ID()}
	}()
	ids := <-done
	require.Equal(t, ids[0], ids[1])

	go func() {
		defer func() { done <- [2]uint64{own(t), goroutine.ID()} }()
		runtime.Goexit()
	}()
	ids = <-done
	require.Equal(t, ids[0], ids[1])
}
