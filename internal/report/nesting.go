package report

import (
	"cmp"
	"sort"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A record is what is kept of a trace until its process is read, since only then
// is it known what the trace is part of, and what is part of it.
type record struct {
	recorder, id, parent int
	took                 time.Duration
	group                *group
	cause                *cause // nil if the trace is no retrace
	untimed              bool

	// Numbers of records: of the trace around this one, of the first right
	// inside of it, and of the next beside it.
	outer, firstInside, next int32

	inside     time.Duration // the time of the traces inside
	lostInside time.Duration // the time of the retraces among them
}

// noRecord is the number of none.
const noRecord int32 = -1

// records are those of one process, in pieces so that a growing list is not
// copied. They sort so that outer traces come before inner ones.
type records struct {
	pieces [][]record
	length int
}

const pieceSize = 1 << 12

func (r *records) add(t *tracelog.Trace, g *group, c *cause) {
	if r.length%pieceSize == 0 {
		r.pieces = append(r.pieces, make([]record, 0, pieceSize))
	}
	last := &r.pieces[len(r.pieces)-1]
	*last = append(*last, record{
		recorder: t.Recorder, id: t.ID, parent: t.Parent,
		took: t.Duration, group: g, cause: c, untimed: t.Untimed,
		outer: noRecord, firstInside: noRecord, next: noRecord,
	})
	r.length++
}

func (r *records) at(i int) *record { return &r.pieces[i/pieceSize][i%pieceSize] }

func (r *records) Len() int { return r.length }

func (r *records) Less(i, j int) bool { return r.at(i).compare(r.at(j).recorder, r.at(j).id) < 0 }

func (r *records) Swap(i, j int) {
	a, b := r.at(i), r.at(j)
	*a, *b = *b, *a
}

func (r *record) compare(recorder, id int) int {
	return cmp.Or(cmp.Compare(r.recorder, recorder), cmp.Compare(r.id, id))
}

// find returns the number of a trace's record; noRecord if it never ended.
func (r *records) find(recorder, id int) int32 {
	i, found := sort.Find(r.length, func(i int) int { return -r.at(i).compare(recorder, id) })
	if !found {
		return noRecord
	}
	return int32(i)
}

// count adds the traces to the tables, each with the time that is its alone.
func (r *records) count(report *Report) {
	sort.Sort(r)
	for i := r.length - 1; i >= 0; i-- { // inner traces before outer ones
		t := r.at(i)
		r.nest(int32(i), report.limits.items)
		took, lost := t.own()
		report.all.add(took, t.untimed)
		t.group.all.add(took, t.untimed)
		t.group.function.all.add(took, t.untimed)
		if t.cause != nil {
			report.lost.add(lost, t.untimed)
			t.cause.lost.add(lost, t.untimed)
			t.cause.function.lost.add(lost, t.untimed)
		}
		if t.outer != noRecord {
			o := r.at(int(t.outer))
			o.inside = sum(o.inside, sum(t.inside, took))
			o.lostInside = sum(o.lostInside, sum(t.lostInside, lost))
		}
	}
	r.countWithNested()
}

// nest puts a trace into the one that it is part of.
func (r *records) nest(i int32, most int) {
	t := r.at(int(i))
	if t.parent == 0 {
		return
	}
	t.outer = r.find(t.recorder, t.parent)
	if t.outer == noRecord {
		t.group.inUnended++
		return
	}
	o := r.at(int(t.outer))
	t.next, o.firstInside = o.firstInside, i
	t.group.within.add(o.group.function, 1, most)
	o.group.holds.add(t.group.function, 1, most)
}

// own returns how much of a trace's time lies in none of the traces inside of
// it, and in none of the retraces, if it is one itself.
func (t *record) own() (took, lost time.Duration) {
	took = max(0, t.took-t.inside)
	if t.cause != nil {
		lost = max(0, t.took-t.lostInside)
	}
	return took, lost
}

// countWithNested adds to each function the time of its outermost traces, that
// of the traces inside of them included.
func (r *records) countWithNested() {
	open := map[*function]int{} // traces around the current one
	for i := range r.length {
		if r.at(i).outer == noRecord {
			r.walk(int32(i), func(t *record) {
				f := t.group.function
				if open[f] == 0 {
					f.withNested = sum(f.withNested, max(t.took, t.inside))
				}
				open[f]++
			}, func(t *record) { open[t.group.function]-- })
		}
	}
}

// walk calls enter for a trace before those inside of it, leave after them. It
// does not recurse, since traces may be nested as deeply as there are any.
func (r *records) walk(root int32, enter, leave func(*record)) {
	for i := root; ; {
		t := r.at(int(i))
		enter(t)
		if t.firstInside != noRecord {
			i = t.firstInside
			continue
		}
		leave(t)
		for t.next == noRecord || i == root {
			if i == root {
				return
			}
			i = t.outer
			t = r.at(int(i))
			leave(t)
		}
		i = t.next
	}
}
