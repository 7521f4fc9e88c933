package harness

import (
	"net/url"
	"reflect"
	"runtime"
	"strings"
)

// A Function names a traced function.
type Function struct {
	// Package is the function's import path; empty for a name chosen by hand.
	Package string
	// Name is the name inside the package: `square`, `(*Model).Inference`,
	// `TestX.func1`.
	Name string
	// Nameless is whether the function has no name, so that Name was made up: it
	// tells the function from others of one recorder alone.
	Nameless bool
}

// FunctionOf returns the name of a function value, with the package path and
// the suffix of method values cut off its name. It returns the zero Function
// for nil and for what is no function.
//
// All closures of one function literal have one name, all values of one method
// whatever their receivers, and all instantiations of a generic function, which
// is `Map[...]`. Give those that are to be told apart names of their own.
func FunctionOf(fn any) Function {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return Function{}
	}
	return FunctionNamed(runtime.FuncForPC(v.Pointer()).Name())
}

// FunctionNamed returns the function that a symbol names as package runtime
// shows it, for adapters of engines that keep a function's name only.
func FunctionNamed(symbol string) Function {
	slash := strings.LastIndexByte(symbol, '/') + 1
	path, name, found := strings.Cut(symbol[slash:], ".")
	if !found {
		return Function{Name: symbol}
	}
	// The linker escapes dots in the last element of an import path.
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return Function{Package: symbol[:slash] + path, Name: strings.TrimSuffix(name, "-fm")}
}

// String returns the name with its package, which no two functions share.
func (f Function) String() string {
	if f.Package == "" {
		return f.Name
	}
	return f.Package + "." + f.Name
}

// isNameless reports whether nobody named the function: package reflect makes
// functions that all have one name.
func (f Function) isNameless() bool { return f.Name == "" || f.Package == "reflect" }
