package function

import (
	"sync"
	"sync/atomic"

	"github.com/tracelint/tracelint/harness"
)

// A traceLock lets one goroutine trace at a time. It is not re-entrant: calls
// inside a trace carry its context, which shows that the lock is held. The
// holder is kept to tell a call that lost the context, which would wait for
// itself for ever.
type traceLock struct {
	mu     sync.Mutex
	holder atomic.Uint64
}

// acquire takes the lock, unless the calling goroutine is known to hold it
// already.
func (l *traceLock) acquire() bool {
	if l.isHeld() {
		return false
	}
	l.mu.Lock()
	l.holder.Store(harness.GoroutineID())
	return true
}

// isHeld reports whether the calling goroutine is known to hold the lock.
func (l *traceLock) isHeld() bool {
	me := harness.GoroutineID()
	return me != 0 && l.holder.Load() == me
}

func (l *traceLock) release() {
	l.holder.Store(0)
	l.mu.Unlock()
}
