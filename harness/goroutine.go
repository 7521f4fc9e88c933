package harness

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
)

// goroutineID returns the number of the calling goroutine, which is never used
// again for another. The first line of its stack trace is the one public place
// that tells it: profiler labels, the other candidate, cannot be read back and
// are inherited by the goroutines that a body starts, which are no part of its
// trace. It is most of what a trace costs, since the runtime walks the stack
// behind that line: about 20 microseconds at 30 frames and 60 at 100 frames,
// beyond which it prints no more.
func goroutineID() uint64 {
	var buf [64]byte
	header := buf[:runtime.Stack(buf[:], false)]
	header = bytes.TrimPrefix(header, []byte("goroutine "))
	digits, _, _ := bytes.Cut(header, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		// An unknown form of the header costs the parents, nothing else.
		return 0
	}
	return id
}

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
	s.parent = shard.innermost[s.goroutine]
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
		return
	}
}
