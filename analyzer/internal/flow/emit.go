package flow

import (
	"go/ast"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Notes: why an effect is often intended.
const (
	noteOnce   = "it happens once a process, inside sync.Once"
	noteShapes = "it shows nothing but shapes in a test"
	noteFold   = "it folds constants"
)

// effect adds an unconditional effect of the node.
func (f *frame) effect(rule, what string, node ast.Node) {
	f.emit(&effect{rule: rule, what: what, leaf: node})
}

// emitOn adds an effect on each of several places.
func (f *frame) emitOn(e effect, on value) {
	for _, l := range on {
		on := e
		on.on = l
		f.emit(&on)
	}
}

// emit adds an effect to the unit unless the way to it makes it harmless or what it acts on is the
// unit's own.
func (f *frame) emit(e *effect) {
	if e.stmt == nil {
		e.stmt = e.leaf
		if len(f.stmts) > 0 {
			e.stmt = f.stmts[len(f.stmts)-1]
		}
	}
	e.memo = e.memo || f.mode.miss || f.mode.once
	switch e.rule {
	case summary.Print:
		if f.mode.quiet || f.deadEnd() {
			return
		}
		if f.mode.once {
			e.note = noteOnce
		}
	case summary.Write:
		if f.mode.once || f.mode.miss && f.mode.locked {
			return
		}
	case summary.Sequence:
		f.repeatedInMapOrder(e)
	case summary.Sync:
		if f.mode.inSelect {
			return
		}
	case summary.Abort:
		if f.u.recovers && e.class != classGoexit {
			return
		}
	}
	if e.on == (loc{}) {
		f.keep(e)
		return
	}
	switch e.rule {
	case summary.Print, summary.IO:
		f.emitSink(e)
	default:
		f.keepOn(e)
	}
}

// emitSink adds output to a writer, logger or file once it is known what it leads to.
func (f *frame) emitSink(e *effect) {
	for _, l := range f.p.sinks(value{e.on}) {
		at := *e
		at.on = l
		switch {
		case l.kind == process:
			at.on = loc{}
			f.keep(&at)
		case stdio(l):
			at.rule, at.on = summary.Print, loc{}
			f.keep(&at)
		case l.kind == global && e.class == classLogger:
			at.on = loc{}
			f.keep(&at)
		case l.kind == global && f.p.onlyStdio(l):
			at.rule, at.on = summary.Print, loc{}
			f.keep(&at)
		default:
			f.keepOn(&at)
		}
	}
}

// keepOn adds an effect on a place, unless the place is the unit's own.
func (f *frame) keepOn(e *effect) {
	if f.p.born(e.on, f.u) || e.on.kind == guard || e.on.kind == miss {
		f.freshLayer(e)
		return
	}
	if v, ok := e.on.obj.(*types.Var); ok && e.on.kind == global && f.p.engines.Var(v) != nil {
		return
	}
	f.keep(e)
}

func (f *frame) keep(e *effect) {
	if f.u.add(e) {
		f.p.changed = true
		f.p.steps.Take(perEffect)
	}
}

// sinks follows writers and loggers that act through others to the ones at the end.
func (p *pkg) sinks(v value) value {
	var out value
	seen := map[loc]bool{}
	for len(v) > 0 {
		l := v[0]
		v = v[1:]
		if seen[l] {
			continue
		}
		seen[l] = true
		if inner := p.heap[l][segWrap]; len(inner) > 0 {
			v = v.with(inner...)
			continue
		}
		if l.kind == global && len(p.shared[l.varObj()]) > 0 && !l.exported() {
			if inner := p.shared[l.varObj()]; p.onlyStdio(l) {
				v = v.with(inner...)
				continue
			}
		}
		out = out.with(l)
	}
	return out
}

func (l loc) varObj() *types.Var {
	v, _ := l.obj.(*types.Var)
	return v
}

func (l loc) exported() bool { return l.obj != nil && l.obj.Exported() }

// stdio reports whether the location is the process's standard output or error.
func stdio(l loc) bool {
	return l.kind == process || l.kind == global && l.path == "" && l.obj.Pkg() != nil && l.obj.Pkg().Path() == "os" &&
		(l.obj.Name() == "Stdout" || l.obj.Name() == "Stderr")
}

// onlyStdio reports whether an unexported package variable only ever holds standard output, standard
// error, or something that acts through them.
func (p *pkg) onlyStdio(l loc) bool {
	v := l.varObj()
	if l.path != "" || v == nil || v.Exported() || v.Pkg() != p.types || len(p.shared[v]) == 0 || len(p.shared[v]) < p.index.writes[v] {
		return false
	}
	for _, held := range p.shared[v] {
		if held == l {
			continue
		}
		for _, end := range p.sinksOf(held, map[loc]bool{}) {
			if !stdio(end) {
				return false
			}
		}
	}
	return true
}

// sinksOf is sinks for one location that is no package variable of this package.
func (p *pkg) sinksOf(l loc, seen map[loc]bool) value {
	inner := p.heap[l][segWrap]
	if len(inner) == 0 {
		return value{l}
	}
	seen[l] = true
	var out value
	for _, next := range inner {
		if !seen[next] {
			out = out.with(p.sinksOf(next, seen)...)
		}
	}
	return out
}
