package freshkey

import (
	"github.com/tracelint/tracelint/harness/gomlx/function"
)

type settings struct{ Scale float32 }

func scaled(c *function.Ctx, x function.Tensor, s *settings) function.Tensor { return x }

func valued(c *function.Ctx, x function.Tensor, s settings) function.Tensor { return x }

// Objects are keyed by identity.
func Objects(r *function.Runtime, inputs []function.Tensor) {
	f := function.New(r, scaled)
	v := function.New(r, valued)
	kept := &settings{2}
	for _, x := range inputs {
		f.Call(r.Host(), x, &settings{2})  // want `f\.Call is keyed by the identity of &settings\{.*\}, which is new at each call.*\(fresh-key\)$`
		f.Call(r.Host(), x, new(settings)) // want `\(fresh-key\)$`
		f.Call(r.Host(), x, kept)          // one object for all
		v.Call(r.Host(), x, settings{2})   // a value, equal to the last
		v.Call(r.Host(), x, settings{Scale: 2})
	}
}

// Apply is called with each input.
func Apply(r *function.Runtime, f *function.Func[func(*function.Ctx, function.Tensor, *settings) function.Tensor], x function.Tensor) {
	f.Call(r.Host(), x, &settings{3}) // want `\(fresh-key\)$`
}

// Once calls a wrapper of its own once.
func Once(r *function.Runtime, x function.Tensor) {
	f := function.New(r, scaled)
	f.Call(r.Host(), x, &settings{3}) // the one trace that is needed
}

// Twice makes two objects that are equal.
func Twice(r *function.Runtime, x function.Tensor) {
	f := function.New(r, scaled)
	f.Call(r.Host(), x, &settings{3}) // want `\(fresh-key\)$`
	f.Call(r.Host(), x, &settings{3}) // want `\(fresh-key\)$`
}
