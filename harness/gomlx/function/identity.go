package function

import (
	"runtime"
	"strconv"
	"unsafe"
	"weak"
)

// An identity tells a value that is keyed by its address from a later one that
// gets the same address. It does not keep the value alive.
//
// Only what Go allocated may have a weak pointer: for any other address, in
// read-only data, in C's memory or in a mapped file, the runtime ends the
// process. There the address itself is the identity, for as long as Go allocates
// nothing at it.
type identity struct {
	weak    weak.Pointer[byte] // of what Go allocated
	foreign unsafe.Pointer     // of what it did not
}

func identityOf(p unsafe.Pointer) identity {
	if isAllocated(p) {
		return identity{weak: weak.Make((*byte)(p))}
	}
	return identity{foreign: p}
}

// is reports whether a pointer points to the value.
func (i identity) is(p unsafe.Pointer) bool {
	if i.foreign != nil {
		return i.foreign == p && !isAllocated(p)
	}
	return i.weak.Value() == (*byte)(p)
}

// gone reports whether the value was collected: nothing has its identity any more.
func (i identity) gone() bool { return i.foreign == nil && i.weak.Value() == nil }

// isAllocated reports whether Go allocated what a pointer points to, as a
// variable of the program or on its heap. AddCleanup finds out before it does
// anything, and panics, which, other than what weak.Make does, can be recovered
// from.
func isAllocated(p unsafe.Pointer) (allocated bool) {
	defer func() { allocated = recover() == nil }()
	runtime.AddCleanup((*byte)(p), func(struct{}) {}, struct{}{}).Stop()
	return
}

// identities numbers the values that a function was traced for by identity.
type identities struct {
	numbers map[identity]int
	last    int
	// room is how many more values are numbered before those gone are looked for.
	room int
}

// number returns `#1` for the first value, and so on.
func (o *identities) number(p unsafe.Pointer) string {
	if o.numbers == nil {
		o.numbers = map[identity]int{}
	}
	i := identityOf(p)
	if _, ok := o.numbers[i]; !ok {
		o.forget()
		o.last++
		o.numbers[i] = o.last
	}
	return "#" + strconv.Itoa(o.numbers[i])
}

// forget drops the values that are gone, now and then.
func (o *identities) forget() {
	if o.room--; o.room >= 0 {
		return
	}
	for i := range o.numbers {
		if i.gone() {
			delete(o.numbers, i)
		}
	}
	o.room = len(o.numbers) + 16
}
