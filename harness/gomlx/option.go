package gomlx

import "github.com/tracelint/tracelint/harness"

// An Option changes what a constructor records.
type Option func(*settings)

type settings struct{ name string }

// WithName names the function in place of its Go name, which a function literal
// has none of that lasts. GoMLX's own name of the wrapper stays.
func WithName(name string) Option { return func(s *settings) { s.name = name } }

// nameOf returns the name that the options choose, empty if none does.
func nameOf(options []Option) string {
	var s settings
	for _, option := range options {
		option(&s)
	}
	return s.name
}

// functionOf returns the function as it is recorded.
func functionOf(fn any, options []Option) harness.Function {
	if name := nameOf(options); name != "" {
		return harness.Function{Name: name}
	}
	return harness.FunctionOf(fn)
}
