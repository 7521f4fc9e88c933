package function

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute"

	"github.com/tracelint/tracelint/harness"
)

// A Runtime holds what several functions share: backend, recorder, dialect of
// keys, output, logger, and the one lock under which all of them trace. It may
// be used by any number of goroutines at once.
type Runtime struct {
	backend  compute.Backend
	recorder *harness.Recorder
	legacy   bool
	eager    bool
	logger   *slog.Logger

	outputLock sync.Mutex
	output     io.Writer

	host      *Ctx
	lock      traceLock
	active    atomic.Pointer[trace] // the innermost open trace
	codecs    sync.Map              // reflect.Type -> *codec, for values behind interfaces
	types     typeNames
	detectors sync.Map     // code address -> *detector
	variables atomic.Int64 // the number of variables made
	arguments sync.Pool    // of *arguments, so that cached calls allocate little
}

// A RuntimeOption changes a runtime that [NewRuntime] makes.
type RuntimeOption func(*Runtime)

// NewRuntime returns a runtime on a backend. A backend must be imported by the
// program, for example github.com/gomlx/compute/gobackend. It panics with an error
// if the backend, or what an option gives, is nil.
func NewRuntime(backend compute.Backend, options ...RuntimeOption) *Runtime {
	r := &Runtime{backend: backend, output: os.Stdout, logger: slog.Default()}
	r.host = &Ctx{rt: r}
	for i, option := range options {
		if option == nil {
			panic(newError(ErrSignature, "function.NewRuntime: option %d is nil", i))
		}
		option(r)
	}
	if backend == nil || r.output == nil || r.logger == nil {
		panic(newError(ErrSignature, "function.NewRuntime: backend, output or logger is nil: give one, or leave the option out"))
	}
	return r
}

// WithRecorder reports each trace to a recorder, with its cause.
func WithRecorder(rec *harness.Recorder) RuntimeOption {
	return func(r *Runtime) { r.recorder = rec }
}

// WithLegacyKeys selects the dialect of TensorFlow 1.x: a concrete argument of
// rank 1 or more has another key than a symbolic one of its dtype and
// dimensions, and a general trace serves a more special call only in functions
// made [WithReduceRetracing].
func WithLegacyKeys() RuntimeOption { return func(r *Runtime) { r.legacy = true } }

// WithEagerBodies switches tracing off: each call runs its body at once, op by
// op, which is slow and good for debugging. Gradients need a graph and fail.
func WithEagerBodies() RuntimeOption { return func(r *Runtime) { r.eager = true } }

// WithOutput sets where [Ctx.Print] writes; the default is os.Stdout. The
// runtime writes each line with one call, and never two at once.
func WithOutput(w io.Writer) RuntimeOption { return func(r *Runtime) { r.output = w } }

// WithLogger sets where warnings go (level Warn) and the conversion log (level
// Debug, see [NewTextHandler]); the default is slog.Default().
func WithLogger(l *slog.Logger) RuntimeOption { return func(r *Runtime) { r.logger = l } }

// Host returns the context of host code: ops run at once, calls of functions
// execute.
func (r *Runtime) Host() *Ctx { return r.host }

// Backend returns the backend that graphs are compiled for.
func (r *Runtime) Backend() compute.Backend { return r.backend }

func (r *Runtime) write(text string) error {
	r.outputLock.Lock()
	defer r.outputLock.Unlock()
	_, err := io.WriteString(r.output, text)
	return err
}
