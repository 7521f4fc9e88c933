package function

import "sync"

// The retracing warning follows TensorFlow's _FrequentTracingDetector: when 5
// calls of the last 10 or so traced, at most twice.
const (
	warnAtTracings = 5
	warnHistory    = 10
	maxWarnings    = 2
)

// A detector counts the calls of one piece of code that host code made. Several
// functions made of the same code share one, so that it also sees functions that
// are made anew for each call.
type detector struct {
	mu sync.Mutex
	// sinceTracing holds, for each recent call that traced, how many calls there
	// were from it to the next one that did; calls is their sum.
	sinceTracing []int
	calls        int
	warnings     int
}

func (r *Runtime) detectorOf(code uintptr) *detector {
	d, _ := r.detectors.LoadOrStore(code, &detector{})
	return d.(*detector)
}

// called notes a call and warns if too many of the latest ones traced.
func (d *detector) called(f *core, traced bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if !traced {
		if len(d.sinceTracing) == 0 {
			d.sinceTracing = append(d.sinceTracing, 0)
		}
		d.sinceTracing[len(d.sinceTracing)-1]++
		return
	}
	d.sinceTracing = append(d.sinceTracing, 1)
	for d.calls-d.sinceTracing[0] > warnHistory {
		d.calls -= d.sinceTracing[0]
		d.sinceTracing = d.sinceTracing[1:]
	}
	if d.warnings == maxWarnings || len(d.sinceTracing) < warnAtTracings {
		return
	}
	d.warnings++
	f.rt.logger.Warn("frequent retracing",
		"function", f.name,
		"tracings", len(d.sinceTracing),
		"calls", d.calls,
		"advice", "make the function once and outside of loops, pass tensors in place of Go numbers, or use WithReduceRetracing for shapes that change",
	)
}
