package report

import (
	"fmt"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A process is one that traced, while its log is read.
type process struct {
	origin
	records records
	seen    map[block]uint64
}

// An origin says where traces come from; number counts the processes as they
// are read.
type origin struct {
	tracelog.Process
	number int
}

// A block has a bit for each of 64 traces.
type block struct{ recorder, ids int }

func newProcess(p tracelog.Process, number int) *process {
	return &process{origin: origin{p, number}, seen: map[block]uint64{}}
}

// title names the process: `example.com/m.test (7)`.
func (o origin) title() string { return fmt.Sprintf("%s (%d)", o.Program, o.PID) }

// isNew reports whether a trace was not seen before, which it then was.
func (p *process) isNew(t *tracelog.Trace) bool {
	b, bit := block{t.Recorder, t.ID / 64}, uint64(1)<<(t.ID%64)
	if p.seen[b]&bit != 0 {
		return false
	}
	p.seen[b] |= bit
	return true
}
