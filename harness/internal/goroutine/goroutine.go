// Package goroutine tells goroutines apart.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
)

// ID returns the number of the calling goroutine, which is never used again for
// another, and never 0. The first line of its stack trace is the one public
// place that tells it: profiler labels, the other candidate, cannot be read back
// and are inherited by the goroutines that a body starts, which are no part of
// its trace. The cost is that of walking the stack, about 20 microseconds in a
// usual depth, without allocation or lock of ours.
//
// Should the form of that line change, it returns 0.
func ID() uint64 {
	var buf [64]byte
	header := buf[:runtime.Stack(buf[:], false)]
	header = bytes.TrimPrefix(header, []byte("goroutine "))
	digits, _, _ := bytes.Cut(header, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
