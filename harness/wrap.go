package harness

import (
	"fmt"
	"reflect"
)

// Wrap returns a function of the same type as fn that records each run of fn
// as one trace and is otherwise fn: its results, panics and runtime.Goexit pass
// unchanged. Give it to an engine in place of fn.
//
// The name is fn's own ([FunctionOf]) if it is empty. Functions made by package
// reflect, such as results of Wrap, have no name of their own and are recorded
// as `unnamed 1` and so on: name them.
//
// Wrap panics if rec or fn is nil or if fn is not a function.
func Wrap[F any](rec *Recorder, name string, fn F) F {
	return WrapFunc(rec, fn, func([]any) Info { return Info{Function: Function{Name: name}} })
}

// WrapFunc is Wrap for adapters that know more of a trace than the function
// shows: info is called with the arguments of each run, a variadic one's as a
// slice, before the body. An info without Function stands for fn's own name,
// one with nil Args for [SignatureOf] the arguments. Arguments without a name
// get that of fn's parameter, if there is one for each.
func WrapFunc[F any](rec *Recorder, fn F, info func(args []any) Info) F {
	v := reflect.ValueOf(fn)
	switch {
	case rec == nil:
		panic("harness.Wrap: the recorder is nil; make one with harness.NewRecorder or tracecheck.Record")
	case !v.IsValid() || v.Kind() == reflect.Func && v.IsNil():
		panic("harness.Wrap: the function is nil; give the function to trace")
	case v.Kind() != reflect.Func:
		panic(fmt.Sprintf("harness.Wrap: %s is not a function; give the function to trace", v.Type()))
	case info == nil:
		panic("harness.WrapFunc: info is nil; use harness.Wrap if there is nothing to add")
	}
	b := body{rec, v, FunctionOf(fn), rec.ParameterNames(fn), info}
	if b.function.isNameless() {
		b.function = Function{Name: fmt.Sprintf("unnamed %d", rec.nameless.Add(1)), Nameless: true}
	}
	return reflect.MakeFunc(v.Type(), b.run).Interface().(F)
}

// A body is a function that is recorded.
type body struct {
	rec        *Recorder
	fn         reflect.Value
	function   Function
	parameters []string // nil if unknown
	info       func(args []any) Info
}

func (b body) run(in []reflect.Value) []reflect.Value {
	args := make([]any, len(in))
	for i, v := range in {
		args[i] = v.Interface()
	}
	info := b.info(args)
	if info.Function == (Function{}) {
		info.Function = b.function
	}
	if info.Args == nil {
		info.Args = SignatureOf(args...)
	}
	info.Args = info.Args.named(b.parameters)
	span := b.rec.Start(info)
	// Of the ways out, Goexit alone ends the span here: it runs deferred
	// functions and cannot be recovered.
	defer span.End(Exited())
	out, returned := b.call(span, in)
	if !returned {
		// Only with GODEBUG=panicnil=1 does recover hide a panic from call.
		span.End(Panicked(nil))
		panic(nil)
	}
	span.End(outcomeOf(out))
	return out
}

// call runs the body and ends the span if it panics. It raises the panic again
// while the stack of the first one is still there, so that a crash shows both.
func (b body) call(span *Span, in []reflect.Value) (out []reflect.Value, returned bool) {
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			span.End(Panicked(value))
			panic(value)
		}
	}()
	if b.fn.Type().IsVariadic() {
		out = b.fn.CallSlice(in)
	} else {
		out = b.fn.Call(in)
	}
	return out, true
}

// outcomeOf returns the outcome of a body that returned: an error if its last
// result is a non-nil one.
func outcomeOf(out []reflect.Value) Outcome {
	if len(out) > 0 {
		last := out[len(out)-1]
		if last.Type() == reflect.TypeFor[error]() && !last.IsNil() {
			return Failed(last.Interface().(error))
		}
	}
	return Returned()
}
