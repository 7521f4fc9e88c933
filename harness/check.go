package harness

import (
	"errors"
	"slices"
	"sync"
)

// checks are the functions that tell whether a recorder still sees all traces.
type checks struct {
	mu   sync.Mutex
	list []func() error
}

// AddCheck registers a function that tells whether an adapter still sees what it
// promised to: nil, or what it may miss and why. It is meant for adapters that
// observe a wrapper from outside, where others may get in the way.
func (r *Recorder) AddCheck(check func() error) {
	r.checks.mu.Lock()
	defer r.checks.mu.Unlock()
	r.checks.list = append(r.checks.list, check)
}

// Check returns what the recorder may miss by now, nil if nothing: who believes
// in the number of its traces should ask first.
func (r *Recorder) Check() error {
	r.checks.mu.Lock()
	list := slices.Clone(r.checks.list)
	r.checks.mu.Unlock()
	var all []error
	for _, check := range list {
		all = append(all, check())
	}
	return errors.Join(all...)
}
