package function

import (
	"slices"

	"github.com/tracelint/tracelint/harness"
)

// defaultMaxTraces is far more than a function that works as intended needs:
// GoMLX's own wrapper keeps 32 graphs, and then fails.
const defaultMaxTraces = 256

// WithMaxTraces sets how many traces the function keeps; the default is 256. A
// further one takes the place of the oldest, which a later call has to make
// again; see [Func.Evicted]. Traces for objects that are gone, to which no call
// can lead any more, are dropped before.
func WithMaxTraces(n int) FuncOption { return func(f *core) { f.maxTraces = n } }

// Evicted returns how many traces the function dropped because it had more than
// [WithMaxTraces] allows.
func (f *core) Evicted() int {
	check(f.made())
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.evicted
}

// A lostTrace is what remains of a trace that the function dropped: what tells
// the cause of a later one of the same signature.
type lostTrace struct {
	key    string // of the signature
	record int
	why    string
}

// lookup returns the trace that the exact key leads to, nil if there is none yet.
func (f *core) lookup(a *arguments) *Concrete {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, c := range f.dispatch[string(a.key)] {
		if c.matches(a) {
			return c
		}
	}
	return nil
}

// keep makes a key lead to a trace.
func (f *core) keep(key string, c *Concrete) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dispatch[key] = append(f.dispatch[key], c)
}

// add adds a trace, to which a key leads, and makes room for it.
func (f *core) add(key string, c *Concrete) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drop((*Concrete).gone)
	if over := len(f.traces) + 1 - f.maxTraces; over > 0 {
		oldest := slices.Clone(f.traces[:over])
		f.lose(oldest, "its trace was evicted")
		f.drop(func(c *Concrete) bool { return slices.Contains(oldest, c) })
		f.evicted += over
	}
	f.traces = append(f.traces, c)
	f.dispatch[key] = append(f.dispatch[key], c)
}

// gone reports whether an object that the trace was made for is: no call can
// lead to it any more.
func (c *Concrete) gone() bool {
	return slices.ContainsFunc(c.pointers, identity.gone)
}

// drop takes away traces, and the keys that lead to nothing else.
func (f *core) drop(which func(*Concrete) bool) {
	before := len(f.traces)
	f.traces = slices.DeleteFunc(f.traces, which)
	if len(f.traces) == before {
		return
	}
	for key, traces := range f.dispatch {
		if traces = slices.DeleteFunc(traces, which); len(traces) > 0 {
			f.dispatch[key] = traces
		} else {
			delete(f.dispatch, key)
		}
	}
}

// lose remembers traces that are dropped, the latest of them.
func (f *core) lose(traces []*Concrete, why string) {
	for _, c := range traces {
		f.lost = append(f.lost, lostTrace{c.signature.Key(), c.record, why})
	}
	f.lost = slices.Delete(f.lost, 0, max(0, len(f.lost)-f.maxTraces))
}

// lostCause returns the cause of a trace of the same signature as one that was
// dropped, nil if there is none.
func (f *core) lostCause(signature harness.Signature) *harness.Cause {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := signature.Key()
	i := slices.IndexFunc(f.lost, func(l lostTrace) bool { return l.key == key })
	if i < 0 {
		return nil
	}
	l := f.lost[i]
	f.lost = slices.Delete(f.lost, i, i+1)
	return &harness.Cause{Kind: harness.CauseSameSignature, Earlier: l.record, Wrapper: harness.WrapperSame, Detail: l.why}
}

// replace puts a trace, to which a key leads, in the place of another one.
func (f *core) replace(old, c *Concrete, key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replaced++
	i := slices.Index(f.traces, old)
	if i < 0 { // the cache was cleared, or the other trace evicted
		f.traces = append(f.traces, c)
		f.dispatch[key] = append(f.dispatch[key], c)
		return
	}
	f.traces[i] = c
	for _, traces := range f.dispatch {
		if i := slices.Index(traces, old); i >= 0 {
			traces[i] = c
		}
	}
}

// ClearCache forgets all traces. The next call is a first call again, which may
// make state. Call it in host code.
func (f *core) ClearCache() {
	check(f.made())
	if f.rt.lock.acquire() {
		defer f.rt.lock.release()
	} // else a body clears the cache, and its trace holds the lock
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lose(f.traces, "ClearCache forgot it")
	f.traces, f.replaced = nil, 0
	clear(f.dispatch)
	f.settled, f.places = false, nil
}
