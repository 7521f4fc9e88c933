package harness

import (
	"slices"
	"sync"
)

// listeners are functions that are told of traces.
type listeners struct {
	mu   sync.Mutex
	list []*listener
}

type listener struct{ call func(Trace) }

// add registers a function; the one returned undoes that.
func (l *listeners) add(call func(Trace)) (remove func()) {
	added := &listener{call}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(slices.Clip(l.list), added) // a copy: tell reads without the lock
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.list = slices.DeleteFunc(slices.Clone(l.list), func(o *listener) bool { return o == added })
	}
}

// tell calls the functions registered with the trace as it is now.
func (l *listeners) tell(s *Span) {
	l.mu.Lock()
	list := l.list
	l.mu.Unlock()
	for _, listener := range list {
		listener.call(s.trace())
	}
}
