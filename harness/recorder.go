package harness

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/tracelint/tracelint/harness/internal/goroutine"
	"github.com/tracelint/tracelint/harness/internal/source"
)

// A Recorder collects traces. It may be used by any number of goroutines at
// once. Make one with [NewRecorder].
type Recorder struct {
	wrappers  atomic.Int64
	nameless  atomic.Int64  // functions that were given to Wrap
	goroutine func() uint64 // tells goroutines apart; 0 if it cannot
	engines   engines
	open      openSpans
	functions functions
	source    source.Reader
	started   listeners
	ended     listeners
	kept      keptSpans
	checks    checks
}

// NewRecorder returns an empty recorder. It knows the packages of the engines in
// the table engines.txt; see [Recorder.RegisterEngine] for others. It keeps the
// latest [DefaultLimit] traces; see [Recorder.SetLimit]. If the environment sets
// [LogVariable], its traces are logged.
func NewRecorder() *Recorder {
	r := &Recorder{goroutine: goroutine.ID, functions: newFunctions()}
	r.open.init()
	r.kept.limit = DefaultLimit
	r.engines.register(ownPackages)
	r.engines.register(tabledPackages())
	r.logToProcess()
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

// NewFoundWrapper returns the identity of a wrapper that was built before the
// adapter came to know it: it has no construction site.
func (r *Recorder) NewFoundWrapper(description string) Wrapper {
	return Wrapper{ID: int(r.wrappers.Add(1)), Description: description}
}

// Info is what the caller of [Recorder.Start] knows of a trace that begins.
type Info struct {
	// Function is the traced function; see [FunctionOf]. One without a name is
	// recorded as `unnamed`, or `unnamed (wrapper 3)` if the wrapper is known.
	Function Function
	// Wrapper is the wrapper whose call made the engine trace, if known; see
	// [Recorder.NewWrapper].
	Wrapper Wrapper
	// Args are the arguments that the wrapper's cache is keyed by, and what
	// else is in its key; see [SignatureOf]. Nil means unknown; a function
	// without arguments has an empty one. The recorder keeps it.
	Args Signature
	// Lost says why a trace of the same signature is no longer in a cache, if the
	// engine or adapter knows: `Finalize emptied it`. It is the detail of a cause
	// that the recorder infers.
	Lost string
	// Cause says why the engine traces. Nil lets the recorder infer it from the
	// earlier traces of the function.
	Cause *Cause
	// Untimed says that the adapter saw the trace only afterwards, so that what
	// lies between Start and End says nothing of how long the body took.
	Untimed bool
}

// Start says that a body begins to run. Its parent is the span that is open on
// the calling goroutine. [Span.End] must be called when the body is done, also
// if it panics: defer it.
func (r *Recorder) Start(info Info) *Span {
	if info.Function.isNameless() {
		info.Function = Function{Name: "unnamed", Nameless: true}
		if id := info.Wrapper.ID; id > 0 {
			info.Function.Name = fmt.Sprintf("unnamed (wrapper %d)", id)
		}
	}
	s := &Span{
		recorder:  r,
		goroutine: r.goroutine(),
		function:  info.Function,
		wrapper:   info.Wrapper,
		args:      info.Args.bounded(),
		lost:      info.Lost,
		site:      r.engines.callSite(),
		start:     time.Now(),
		untimed:   info.Untimed,
	}
	r.open.push(s)
	s.explain(info.Cause)
	r.started.tell(s)
	return s
}

// OnTrace registers a function that is called once with each trace that ends,
// on the goroutine that ends it, after the trace was recorded. Calls for traces
// of several goroutines may overlap. It must not panic, since it runs inside of
// the engine's trace. The function returned undoes the registration.
func (r *Recorder) OnTrace(call func(Trace)) (remove func()) { return r.ended.add(call) }

// Freeze declares the warm-up over: from now on each trace is reported when its
// body starts, with its cause and call site, and then goes on. It is meant for
// servers; tests have tracecheck.Freeze. The function returned lifts the freeze.
//
// What holds for the function of [Recorder.OnTrace] holds for report. In
// particular it must not end the goroutine, or GoMLX waits for the trace for ever.
func (r *Recorder) Freeze(report func(Trace)) (lift func()) { return r.started.add(report) }

// ParameterNames returns the names of a function's parameters, "" for those
// without one, for adapters that describe the arguments themselves. It reads
// them from the source file and returns nil if that cannot be read or if it
// does not tell which function is meant.
func (r *Recorder) ParameterNames(fn any) []string {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil
	}
	return r.source.Parameters(v)
}

// Trace returns the trace of the ID, and whether there is one that is kept.
func (r *Recorder) Trace(id int) (Trace, bool) {
	s := r.kept.get(id)
	if s == nil {
		return Trace{}, false
	}
	return s.trace(), true
}

// Traces returns all traces that are kept in the order in which they started,
// those that still run included.
func (r *Recorder) Traces() []Trace { return r.TracesSince(0) }

// LastID returns the ID of the trace that started last, 0 if there was none.
func (r *Recorder) LastID() int { return r.kept.lastID() }

// TracesSince returns the traces that are kept and whose ID is greater than the
// one given, in the order in which they started. With [Recorder.LastID] it tells
// which traces started within a block of code.
func (r *Recorder) TracesSince(id int) []Trace {
	spans := r.kept.since(id)
	traces := make([]Trace, len(spans))
	for i, s := range spans {
		traces[i] = s.trace()
	}
	return traces
}
