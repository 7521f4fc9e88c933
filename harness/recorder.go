package harness

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Recorder collects traces. It may be used by any number of goroutines at
// once. Make one with [NewRecorder].
type Recorder struct {
	wrappers  atomic.Int64
	engines   engines
	open      openSpans
	histories sync.Map // Function -> *history

	mu        sync.Mutex
	spans     []*Span // that of ID n at n-1; elements never change
	listeners []*listener
}

type listener struct{ call func(Trace) }

// NewRecorder returns an empty recorder. It takes the frames of GoMLX for an
// engine's; see [Recorder.RegisterEngine] for others.
func NewRecorder() *Recorder {
	r := &Recorder{}
	r.open.init()
	r.engines.register(ownPackages)
	r.engines.register(gomlxPackages)
	return r
}

// RegisterEngine says that the packages whose import path is one of the
// prefixes, or lies below one, belong to an engine: the call site of a trace
// is the first frame outside of them. Examples, demos, commands and test
// packages below a prefix are user code all the same.
//
// It is meant for adapters, may be called again, and holds for traces that
// start later.
func (r *Recorder) RegisterEngine(prefixes ...string) { r.engines.register(prefixes) }

// NewWrapper returns the identity of a wrapper that is being built, for
// [Info.Wrapper]. The description is for people (`*graph.Exec`). Its
// construction site is the caller's first frame outside of harness and engine.
func (r *Recorder) NewWrapper(description string) Wrapper {
	return Wrapper{ID: int(r.wrappers.Add(1)), Description: description, Site: r.engines.callSite()}
}

// Info is what the caller of [Recorder.Start] knows of a trace that begins.
type Info struct {
	// Function is the traced function; see [FunctionOf]. The zero Function is
	// recorded as `unnamed`.
	Function Function
	// Wrapper is the wrapper whose call made the engine trace, if known; see
	// [Recorder.NewWrapper].
	Wrapper Wrapper
	// Args are the arguments that the wrapper's cache is keyed by, and what
	// else is in its key; see [SignatureOf]. Nil means unknown; a function
	// without arguments has an empty one. The recorder keeps it.
	Args Signature
	// Cause says why the engine traces. Nil lets the recorder infer it from the
	// earlier traces of the function.
	Cause *Cause
}

// Start says that a body begins to run. Its parent is the span that is open on
// the calling goroutine. [Span.End] must be called when the body is done, also
// if it panics: defer it.
func (r *Recorder) Start(info Info) *Span {
	if info.Function == (Function{}) {
		info.Function.Name = "unnamed"
	}
	s := &Span{
		recorder:  r,
		goroutine: goroutineID(),
		function:  info.Function,
		wrapper:   info.Wrapper,
		args:      info.Args,
		site:      r.engines.callSite(),
		start:     time.Now(),
	}
	r.open.push(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cause = r.history(info.Function).add(s)
	if info.Cause != nil {
		s.cause = *info.Cause
	}
	return s
}

// publish numbers a span and puts it into the list.
func (r *Recorder) publish(s *Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spans = append(r.spans, s)
	s.id = len(r.spans)
}

// history returns the traces so far of a function.
func (r *Recorder) history(f Function) *history {
	if h, ok := r.histories.Load(f); ok {
		return h.(*history)
	}
	h, _ := r.histories.LoadOrStore(f, newHistory())
	return h.(*history)
}

// OnTrace registers a function that is called once with each trace that ends,
// on the goroutine that ends it, after the trace was recorded. Calls for traces
// of several goroutines may overlap. It must not panic, since it runs inside of
// the engine's trace. The function returned undoes the registration.
func (r *Recorder) OnTrace(call func(Trace)) (remove func()) {
	l := &listener{call}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listeners = append(slices.Clip(r.listeners), l) // a copy: End reads without the lock
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.listeners = slices.DeleteFunc(slices.Clone(r.listeners), func(o *listener) bool { return o == l })
	}
}

func (r *Recorder) currentListeners() []*listener {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.listeners
}

// Traces returns all traces so far in the order in which they started, those
// that still run included.
func (r *Recorder) Traces() []Trace { return r.TracesSince(0) }

// LastID returns the ID of the trace that started last, 0 if there is none.
func (r *Recorder) LastID() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.spans)
}

// TracesSince returns the traces whose ID is greater than the one given, in the
// order in which they started. With [Recorder.LastID] it tells which traces
// started within a block of code.
func (r *Recorder) TracesSince(id int) []Trace {
	r.mu.Lock()
	spans := r.spans[min(max(id, 0), len(r.spans)):]
	r.mu.Unlock()
	traces := make([]Trace, len(spans))
	for i, s := range spans {
		traces[i] = s.trace()
	}
	return traces
}

// Functions returns the functions traced so far, sorted by package and name.
func (r *Recorder) Functions() []Function {
	var functions []Function
	r.histories.Range(func(f, _ any) bool {
		functions = append(functions, f.(Function))
		return true
	})
	slices.SortFunc(functions, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
	return functions
}

// NameOf returns the name by which a function is shown and counted among those
// traced so far: the short one, or if another function shares it, the one with
// its package.
func (r *Recorder) NameOf(f Function) string {
	for _, other := range r.Functions() {
		if other.Name == f.Name && other != f {
			return f.String()
		}
	}
	return f.Name
}
