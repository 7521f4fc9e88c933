package function

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tracelint/tracelint/harness"
)

// A Func is a polymorphic function: it traces its body once for each new
// signature of the arguments, and afterwards runs what the trace recorded. Make
// one with [New]. It may be used by any number of goroutines at once.
type Func[F any] struct {
	// Call calls the function. In host code it executes; inside a trace it adds
	// the function's ops to that trace. The first argument is the context in
	// which the call stands, the others are the body's.
	//
	// If the last result is an error, errors are returned as that. Else Call
	// panics with them, as GoMLX does; see [Try].
	Call F

	*core
}

// New returns the function of a body. F is a func type whose first parameter is
// *[Ctx]. The static types of the others decide what they are: a [Tensor] is
// symbolic, in structs, maps, slices and interfaces too; a *[Variable] is passed
// by reference; pointers are keyed by identity and held weakly; anything else is
// a Go value, keyed by type and value. Its results are tensors, structures that
// hold tensors, in which all else is frozen at the trace, and possibly a last one
// of type error.
//
// New panics with an error, which names function and parameter, if a parameter
// can be no part of a key. [TryNew] returns it.
func New[F any](r *Runtime, body F, options ...FuncOption) *Func[F] {
	f, err := TryNew(r, body, options...)
	check(err)
	return f
}

// TryNew is like [New] and returns the error.
func TryNew[F any](r *Runtime, body F, options ...FuncOption) (*Func[F], error) {
	c, err := newCore(r, reflect.TypeFor[F](), reflect.ValueOf(body), harness.FunctionOf(body), options)
	if err != nil {
		return nil, err
	}
	return &Func[F]{
		Call: reflect.MakeFunc(reflect.TypeFor[F](), c.typedCall).Interface().(F),
		core: c,
	}, nil
}

// A FuncOption changes a function that [New] makes.
type FuncOption func(*core)

// WithName names the function in place of its Go name, which it shares with the
// functions of other receivers of the same method, and of other instantiations of
// the same generic function: names of their own let them be counted apart.
func WithName(name string) FuncOption {
	return func(f *core) { f.function, f.name = harness.Function{Name: name}, name }
}

// WithArgNames names the arguments after the context in messages. Otherwise they
// have the names of the body's parameters where the runtime has a recorder that
// finds them in the source (see [harness.Recorder.ParameterNames]), and are
// called arg0, arg1, ... where not.
func WithArgNames(names ...string) FuncOption {
	return func(f *core) { f.argNames = names }
}

// WithInputSignature fixes what the tensors in the arguments may be, in their
// order. The function is traced for the specs, and other tensors are errors.
func WithInputSignature(specs ...Spec) FuncOption {
	return func(f *core) { f.signature, f.hasSignature = slices.Clone(specs), true }
}

// WithReduceRetracing makes the function trace for unknown dimensions where a
// call differs from earlier ones only in the sizes of dimensions.
func WithReduceRetracing() FuncOption { return func(f *core) { f.reduce = true } }

// unknownSizes says to people how one trace serves all sizes of a dimension.
func (f *core) unknownSizes() string {
	switch {
	case f.hasSignature:
		return ""
	case f.reduce:
		return "leave it unknown from the first call on with WithInputSignature"
	default:
		return "let it become unknown with WithReduceRetracing, or leave it so with WithInputSignature"
	}
}

// newCore checks a body and returns its function.
func newCore(r *Runtime, typ reflect.Type, body reflect.Value, function harness.Function, options []FuncOption) (*core, error) {
	if r == nil {
		return nil, newError(ErrSignature, "the runtime is nil: make one with NewRuntime")
	}
	f := &core{rt: r, body: body, typ: typ, function: function, name: function.Name, dispatch: map[string][]*Concrete{}, maxTraces: defaultMaxTraces}
	for i, option := range options {
		if option == nil {
			return nil, newError(ErrSignature, "function %q: option %d is nil", f.name, i)
		}
		option(f)
	}
	switch {
	case typ.Kind() != reflect.Func:
		return nil, newError(ErrUnkeyable, "%s: the body has type %s, which is no function", f.title(), typ)
	case body.IsNil():
		return nil, newError(ErrUnkeyable, "%s: the body is nil, which is no function", f.title())
	case typ.NumIn() == 0 || typ.In(0) != ctxType:
		return nil, newError(ErrUnkeyable, "function %q: the first parameter of a body is a *function.Ctx", f.name)
	case f.maxTraces < 1:
		return nil, newError(ErrSignature, "function %q: WithMaxTraces(%d) leaves no room for a trace, want 1 or more", f.name, f.maxTraces)
	}
	if f.argNames == nil && r.recorder != nil {
		if names := r.recorder.ParameterNames(body.Interface()); len(names) == typ.NumIn() {
			f.argNames = names[1:]
		}
	}
	for i := 1; i < typ.NumIn(); i++ {
		c, err := newCodec(typ.In(i))
		if err != nil {
			return nil, fmt.Errorf("function %q: %s: %w", f.name, f.argName(i-1), err)
		}
		f.params = append(f.params, c)
	}
	for i := range typ.NumOut() {
		if i == typ.NumOut()-1 && typ.Out(i) == errorType {
			f.returnsError = true
			break
		}
		c, err := newCodec(typ.Out(i))
		if err == nil && !c.symbolic {
			err = newError(ErrUnkeyable, "type %s holds no tensor, and would be frozen at the trace", typ.Out(i))
		}
		if err != nil {
			return nil, fmt.Errorf("function %q: result %d: %w", f.name, i, err)
		}
		f.results = append(f.results, c)
	}
	for _, spec := range f.signature {
		if err := spec.check(); err != nil {
			return nil, fmt.Errorf("function %q: input signature: %w", f.name, err)
		}
	}
	if len(f.argNames) > len(f.params) {
		return nil, newError(ErrSignature, "function %q: there are names for %d arguments, and %d parameters after the context", f.name, len(f.argNames), len(f.params))
	}
	if r.recorder != nil {
		f.wrapper = r.recorder.NewWrapper("*function.Func")
		f.wrapper.DynamicAxes = f.unknownSizes()
	}
	f.detector = r.detectorOf(body.Pointer())
	return f, nil
}

// title returns the function's name for an error, before it is sure that it has one.
func (f *core) title() string {
	if f.name == "" {
		return "function.New"
	}
	return fmt.Sprintf("function %q", f.name)
}

// argName returns the name of an argument after the context.
func (f *core) argName(i int) string {
	if name := f.knownArgName(i); name != "" {
		return name
	}
	return fmt.Sprintf("arg%d", i)
}

// knownArgName returns the name of an argument after the context, empty if it is
// not known.
func (f *core) knownArgName(i int) string {
	if i >= len(f.argNames) || f.argNames[i] == "_" {
		return ""
	}
	return f.argNames[i]
}

// typedCall is what the field Call of a Func runs.
func (f *core) typedCall(in []reflect.Value) []reflect.Value {
	c := in[0].Interface().(*Ctx)
	out, err := f.call(c, in[1:])
	if err == nil {
		if f.returnsError {
			out = append(out, reflect.Zero(errorType))
		}
		return out
	}
	if !f.returnsError {
		panic(err)
	}
	out = out[:0]
	for _, result := range f.results {
		out = append(out, reflect.Zero(result.typ))
	}
	return append(out, reflect.ValueOf(&err).Elem())
}
