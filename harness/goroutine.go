package harness

import (
	"sync"

	"github.com/tracelint/tracelint/harness/internal/goroutine"
)

// GoroutineID returns the number of the calling goroutine, by which traces find
// their parents; no other goroutine ever has it. It takes a few microseconds and
// is meant for adapters. 0 means that the number cannot be read, which may
// happen on versions of Go to come: then no two goroutines can be told apart.
func GoroutineID() uint64 { return goroutine.ID() }

// openSpans holds the innermost open span of each goroutine. It is split by
// goroutine, so that goroutines that trace at once do not wait for each other.
type openSpans struct {
	shards [64]struct {
		mu        sync.Mutex
		innermost map[uint64]*Span
	}
}

func (o *openSpans) init() {
	for i := range o.shards {
		o.shards[i].innermost = map[uint64]*Span{}
	}
}

// push makes a span the innermost of its goroutine and sets its parent.
func (o *openSpans) push(s *Span) {
	if s.goroutine == 0 {
		return
	}
	shard := &o.shards[s.goroutine%uint64(len(o.shards))]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if parent := shard.innermost[s.goroutine]; parent != nil {
		s.parent, s.parentID = parent, parent.id
	}
	shard.innermost[s.goroutine] = s
}

// remove takes a span off its goroutine, with all that were started inside it
// and never ended.
func (o *openSpans) remove(s *Span) {
	shard := &o.shards[s.goroutine%uint64(len(o.shards))]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	for inner := shard.innermost[s.goroutine]; inner != nil; inner = inner.parent {
		if inner != s {
			continue
		}
		if s.parent == nil {
			delete(shard.innermost, s.goroutine)
		} else {
			shard.innermost[s.goroutine] = s.parent
		}
		s.parent = nil // so that a span that is kept keeps no other
		return
	}
}
