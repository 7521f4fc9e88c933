// Package goroutine tells goroutines apart.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
)

// ID returns the number of the calling goroutine, which is never used again for
// another, and never 0. Stack traces are the one public place that tells it:
// profiler labels, the other candidate, cannot be read back and are inherited by
// the goroutines that a body starts, which are no part of its trace.
//
// The first line of the caller's own trace has the number, but the runtime walks
// and prints the whole stack behind it, under a lock. So ID asks a goroutine that
// it starts for the one that created it. That takes a few microseconds at any
// depth, against 20 at 30 frames, 60 at 100 and hundreds at 1000.
//
// Should the form of stack traces change, it returns 0.
func ID() uint64 {
	creator := make(chan uint64)
	go func() {
		var buf [512]byte // two frames
		trace := buf[:runtime.Stack(buf[:], false)]
		creator <- numberAfter(trace, " in goroutine ")
	}()
	if id := <-creator; id != 0 {
		return id
	}
	// The names of the source directories did not fit.
	var buf [64]byte
	return numberAfter(buf[:runtime.Stack(buf[:], false)], "goroutine ")
}

// numberAfter returns the number after the last occurrence of a text, 0 if there
// is none.
func numberAfter(trace []byte, text string) uint64 {
	start := bytes.LastIndex(trace, []byte(text))
	if start < 0 {
		return 0
	}
	digits := trace[start+len(text):]
	end := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	id, err := strconv.ParseUint(string(digits[:max(end, 0)]), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
