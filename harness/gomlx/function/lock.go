package function

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
)

// A traceLock lets one goroutine trace at a time. It is not re-entrant: calls
// inside a trace carry its context, which shows that the lock is held. The
// holder is kept to tell a call that lost the context, which would wait for
// itself for ever.
type traceLock struct {
	mu     sync.Mutex
	holder atomic.Uint64
}

// acquire takes the lock, unless the calling goroutine holds it already.
func (l *traceLock) acquire() bool {
	me := goroutineID()
	if l.holder.Load() == me {
		return false
	}
	l.mu.Lock()
	l.holder.Store(me)
	return true
}

func (l *traceLock) release() {
	l.holder.Store(0)
	l.mu.Unlock()
}

// goroutineID returns the number of the calling goroutine, which the first line
// of its stack trace tells, and which is never 0. It takes some microseconds and
// is called once a trace.
func goroutineID() uint64 {
	var buf [64]byte
	header := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	id := uint64(0)
	for _, digit := range header {
		if digit < '0' || digit > '9' {
			break
		}
		id = id*10 + uint64(digit-'0')
	}
	return id
}
