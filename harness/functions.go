package harness

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// functions holds what was traced so far, as far as traces of it are kept.
type functions struct {
	mu        sync.RWMutex
	histories map[Function]*history
	sharing   map[string]int // how many functions share a name
	removed   bool           // some functions were
}

func newFunctions() functions {
	return functions{histories: map[Function]*history{}, sharing: map[string]int{}}
}

// history returns the traces so far of a function.
func (f *functions) history(function Function) *history {
	f.mu.RLock()
	h, known := f.histories[function]
	f.mu.RUnlock()
	if known {
		return h
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if h, known = f.histories[function]; !known {
		h = newHistory(function, !f.removed)
		f.histories[function] = h
		f.sharing[function.Name]++
	}
	return h
}

// remove forgets a function. That a history is no longer there may have another
// reason: the recorder was reset.
func (f *functions) remove(h *history) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.histories[h.function] != h {
		return
	}
	f.removed = true
	delete(f.histories, h.function)
	if f.sharing[h.function.Name]--; f.sharing[h.function.Name] == 0 {
		delete(f.sharing, h.function.Name)
	}
}

func (f *functions) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.histories)
	clear(f.sharing)
	f.removed = false
}

// Functions returns the functions of the traces that are kept, sorted by package and name.
func (r *Recorder) Functions() []Function {
	r.functions.mu.RLock()
	defer r.functions.mu.RUnlock()
	return slices.SortedFunc(maps.Keys(r.functions.histories), func(a, b Function) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
}

// NameOf returns the name by which a function is shown and counted among those of
// [Recorder.Functions]: the short one, or if another function shares it, the one with
// its package.
func (r *Recorder) NameOf(f Function) string {
	r.functions.mu.RLock()
	defer r.functions.mu.RUnlock()
	others := r.functions.sharing[f.Name]
	if _, traced := r.functions.histories[f]; traced {
		others--
	}
	if others > 0 {
		return f.String()
	}
	return f.Name
}
