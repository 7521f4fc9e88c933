package summary

import "fmt"

// Keys is what a function has to do with the keys of wrappers' caches.
type Keys struct {
	Sizes   []Size
	Calls   []KeyedCall
	Wrapper *Wrapper // the one that it returns first, or that a field or package variable holds
}

// Empty reports whether there is nothing to say.
func (k *Keys) Empty() bool { return len(k.Sizes) == 0 && len(k.Calls) == 0 && k.Wrapper == nil }

// Size says that the size of a result, or its value if it is an integer, changes with parameters.
type Size struct {
	Result int
	Params []int
	// Contents says that it changes with what is in a parameter, as that of a text's tokens does, not with
	// the parameter's size alone.
	Contents bool
}

// KeyedCall says that a function calls a wrapper with dimensions that change with parameters.
type KeyedCall struct {
	Params   []int
	Contents bool
	Growing  bool   // they change with each call of the same receiver's
	What     string // the call and its argument
	Engine   string
	Chain    []Step
}

// Wrapper is how a wrapper was set up.
type Wrapper struct {
	Made    bool // it is known how it was made
	Sized   bool // the size of its cache was set
	Size    int  // to this, 0 if it has no bound or a computed one
	Dynamic bool // dimensions are no part of its key
	Engine  string
}

// texts shows what there is to say, as facts are compared.
func (k *Keys) texts() []string {
	var out []string
	for _, size := range k.Sizes {
		out = append(out, fmt.Sprintf("size of result %d changes with parameters %v", size.Result, size.Params))
	}
	for _, call := range k.Calls {
		out = append(out, fmt.Sprintf("shapes change with parameters %v: %s", call.Params, Describe(call.Chain, call.What)))
	}
	if k.Wrapper != nil {
		out = append(out, fmt.Sprintf("wrapper: dynamic %t, cache set %t to %d", k.Wrapper.Dynamic, k.Wrapper.Sized, k.Wrapper.Size))
	}
	return out
}
