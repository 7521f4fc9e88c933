package report

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// A group holds traces of a function that differ in their places alone.
type group struct {
	function       *function
	first          order
	key            digest // of the signature, which tells apart what reads alike
	signature      []piece
	cause, outcome string
	alike          string // tells it from groups that read as it does

	all             cost
	sites, wrappers tally[string]
	within, holds   tally[*function]
	inUnended       int // traces that are part of one that never ended
}

// place counts where a trace was called, and through what.
func (g *group) place(t *tracelog.Trace, places places, most int) {
	if site := places.show(t.Site); site != "" {
		g.sites.add(site, 1, most)
	}
	if wrapper := places.wrapper(t.Wrapper); wrapper != "" {
		g.wrappers.add(wrapper, 1, most)
	}
}

// furtherGroup holds the traces of groups beyond the limit.
func (f *function) furtherGroup() *group {
	if f.furtherGroups == nil {
		f.furtherGroups = &group{function: f}
	}
	return f.furtherGroups
}

// tellAlikeApart marks the groups whose signatures read alike and are not.
func (f *function) tellAlikeApart() {
	byText := map[string]map[digest]bool{}
	for _, g := range f.groups {
		text := plain(g.signature)
		if byText[text] == nil {
			byText[text] = map[digest]bool{}
		}
		byText[text][g.key] = true
	}
	for _, g := range f.groups {
		if len(byText[plain(g.signature)]) > 1 {
			g.alike = "key " + hex.EncodeToString(g.key[:4])
		}
	}
}

// An order tells which trace started first, as far as logs tell: over processes
// by their start, over the recorders of a process by their numbers.
type order struct {
	start                time.Time
	program              string
	number, recorder, id int
}

func (o origin) order(t *tracelog.Trace) order {
	return order{o.Start, o.Program, o.number, t.Recorder, t.ID}
}

func (o order) compare(p order) int {
	return cmp.Or(o.start.Compare(p.start), strings.Compare(o.program, p.program),
		o.number-p.number, cmp.Compare(o.recorder, p.recorder), cmp.Compare(o.id, p.id))
}

// A tally counts of how many traces something is true, for the first few things.
type tally[K comparable] struct {
	counts map[K]int
	others int
}

func (t *tally[K]) add(key K, n, most int) {
	if _, known := t.counts[key]; !known && len(t.counts) >= most {
		t.others += n
		return
	}
	if t.counts == nil {
		t.counts = map[K]int{}
	}
	t.counts[key] += n
}

// items returns what was counted with its text, the most frequent first.
func (t tally[K]) items(text func(K) string) []pageItem {
	items := []pageItem{}
	for key, n := range t.counts {
		items = append(items, pageItem{text(key), n})
	}
	slices.SortFunc(items, func(a, b pageItem) int {
		return cmp.Or(b.Traces-a.Traces, strings.Compare(a.Text, b.Text))
	})
	if t.others > 0 {
		items = append(items, pageItem{"further ones", t.others})
	}
	return items
}
