package report

import (
	"math"
	"time"
)

// A cost is the time that some traces took. Each moment counts for one trace
// alone, so the costs of a table's rows add up.
type cost struct {
	traces  int
	untimed int // those of the traces whose time nobody knows
	time    time.Duration
}

// add counts a trace.
func (c *cost) add(took time.Duration, untimed bool) {
	c.traces++
	if untimed {
		c.untimed++
	}
	c.time = sum(c.time, took)
}

// known reports whether the time of any of the traces is known.
func (c cost) known() bool { return c.untimed < c.traces }

// String returns the time, `≥ 5ms` if that of some traces is unknown.
func (c cost) String() string {
	switch {
	case !c.known():
		return none
	case c.untimed > 0:
		return "≥ " + duration(c.time)
	default:
		return duration(c.time)
	}
}

// none stands in tables for what is unknown or does not exist.
const none = "-"

// sum adds durations, none of them negative, of logs that may hold any.
func sum(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// duration returns a duration with three digits at most.
func duration(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
