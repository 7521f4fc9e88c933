package flow

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// history is what happens while a unit runs, in no order: which functions it has wrapped, which memory
// it writes. What callees do counts where they are called.
type history struct {
	wraps  ordered[wrapKey, *wrapped]
	writes ordered[writeKey, ast.Node]
}

type wrapKey struct {
	root *unit
	pos  token.Pos
}

// wrapped is a place of a unit where a wrapper is made that is not dropped at once.
type wrapped struct {
	root     *unit // the function that the wrapper traces; nil if it lies in another package
	node     ast.Node
	callee   *unit  // the unit of this package that does it, called at node; nil if the engine is
	captures []int  // of a maker in another package: the parameters that the function captures
	maker    string // its name
}

type writeKey struct {
	at  loc
	pos token.Pos
}

// wrapped notes that a wrapper for root is made at node.
func (f *frame) wrapped(w *wrapped) {
	key := wrapKey{w.root, w.node.Pos()}
	if _, ok := f.u.history.wraps.get(key); !ok {
		f.u.history.wraps.put(key, w)
		f.p.changed = true
	}
}

// wrote notes that the memory at l is written at node, unless nothing but the unit can see it.
func (f *frame) wrote(l loc, node ast.Node) {
	switch l.kind {
	case cell:
		if v := l.varObj(); v == nil || !f.p.index.multi[v] {
			return
		}
	case global, param, site:
	default:
		return
	}
	key := writeKey{l, node.Pos()}
	if _, ok := f.u.history.writes.get(key); !ok {
		f.u.history.writes.put(key, node)
		f.p.changed = true
	}
}

// wroteBound notes what a callee's effect writes, as the caller sees it.
func (f *frame) wroteBound(e *effect, node ast.Node) {
	if e.rule == summary.Write || e.rule == summary.Leak {
		f.wrote(e.on, node)
	}
}

// wrotePart notes an assignment to lhs, which names the targets.
func (f *frame) wrotePart(targets value, s ast.Stmt) {
	for _, l := range targets {
		f.wrote(l, s)
	}
}

// hostWrites notes what a host callback writes: it runs at some time after it is registered.
func (f *frame) hostWrites(u *unit, node ast.Node) {
	for _, e := range u.effects.all {
		if (e.rule == summary.Write || e.rule == summary.Leak) && e.on.kind == cell {
			f.wrote(e.on, node)
		}
	}
}

// overlap reports whether one of two locations holds the other.
func overlap(a, b loc) bool {
	if a.base() != b.base() {
		return false
	}
	long, short := a.path, b.path
	if len(long) < len(short) {
		long, short = short, long
	}
	if long[:len(short)] != short {
		return false
	}
	rest := long[len(short):]
	return rest == "" || rest[0] == '.' || rest[0] == '['
}

// bindHistory carries the wrappers that a callee makes, and may hand over, to the call. What it writes
// comes with its effects.
func (f *frame) bindHistory(u *unit, node ast.Node) {
	for _, w := range u.history.wraps.all {
		if w.root != nil && u != f.u {
			f.wrapped(&wrapped{root: w.root, node: node, callee: u})
		}
	}
}

// importWraps is bindHistory for a function of another package.
func (f *frame) importWraps(s *summary.Summary, name string, node ast.Node) {
	for _, w := range s.Wraps {
		f.wrapped(&wrapped{node: node, captures: w.Captures, maker: name})
	}
}

// handedOver lists the wrappers that a unit makes with functions that capture its parameters.
func (p *pkg) handedOver(u *unit) []summary.Wrap {
	var out []summary.Wrap
	for _, w := range u.history.wraps.all {
		var captures []int
		for _, c := range p.captures(u, w, map[*wrapped]bool{}) {
			if pointerLike(p.info.TypeOf(c.id)) {
				continue // it says little of what it leads to
			}
			for _, e := range c.from {
				for _, index := range p.paramsIn(u, e) {
					if !slices.Contains(captures, index) {
						captures = append(captures, index)
					}
				}
			}
		}
		if w.root == nil {
			for _, index := range w.captures {
				if arg := argument(w.node, index); arg != nil {
					captures = append(captures, p.paramsIn(u, arg)...)
				}
			}
		}
		if len(captures) > 0 {
			slices.Sort(captures)
			out = append(out, summary.Wrap{Captures: slices.Compact(captures)})
		}
	}
	return out
}
