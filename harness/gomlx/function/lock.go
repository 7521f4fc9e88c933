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
	me := harness.GoroutineID()
	if me != 0 && l.holder.Load() == me {
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
