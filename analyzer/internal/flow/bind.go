package flow

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// maxCopy bounds how deep the content of a result is copied to its caller.
const maxCopy = 3

// position is a node's place as facts may hold it: no directory, no column.
func (p *pkg) position(n ast.Node) string {
	pos := p.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}

// closure is the call that made a literal, if it came out of one.
func (p *pkg) closure(l loc) *binding {
	if l.via == nil {
		return nil
	}
	b := p.closures[l.via]
	return &b
}

// bindUnit interprets a call of a unit of this package: its effects become the caller's.
// maker is what was passed to the function that made the literal, for one that came out of a call.
func (f *frame) bindUnit(u *unit, node ast.Node, b, maker *binding, flags callFlags) []value {
	f.u.callees.put(u, true)
	step := summary.Step{Func: u.name, Pos: f.p.position(node)}
	bind := func(l loc) value { return f.bindLoc(l, u, b, maker) }
	for _, e := range u.effects.all {
		f.p.steps.Take(1)
		if flags.common != nil && !f.p.commonEffect(flags.common, e.rule) {
			continue
		}
		at := *e
		if u.obj != nil { // a literal is part of the function that it stands in
			at.path = summary.Extend(step, e.path)
		}
		if e.kept != (loc{}) && (e.kept.unit != u || !f.bindKept(&at, e.kept.index, b)) {
			continue
		}
		f.bindEffect(&at, node, bind, flags)
	}
	for l, how := range u.calls.all {
		how.once, how.quiet = how.once || flags.once, how.quiet || flags.quiet
		for _, held := range bind(l) {
			f.callLoc(held, node, nil, how)
		}
	}
	for l, how := range u.traces.all {
		for _, held := range bind(l) {
			f.trace(held, how, node)
		}
	}
	f.bindBuilds(u, node, b)
	f.bindHistory(u, node)
	out := make([]value, len(u.results))
	r := result{u, b, maker, node, map[copied]bool{}}
	for i, v := range u.results {
		for _, l := range v {
			made := loc{kind: site, unit: f.u, node: node, index: i, path: l.path}
			out[i] = out[i].with(f.bindResult(l, r, made, 0)...)
		}
	}
	return out
}

// bindEffect makes a callee's effect the unit's own.
func (f *frame) bindEffect(e *effect, node ast.Node, bind func(loc) value, flags callFlags) {
	quiet, once := f.mode.quiet, f.mode.once
	f.mode.quiet, f.mode.once = quiet || flags.quiet, once || flags.once
	defer func() { f.mode.quiet, f.mode.once = quiet, once }()
	if flags.exempt != nil && f.p.exempt(e.rule, flags.exempt) {
		return
	}
	if flags.recovered && e.rule == summary.Abort && e.class != classGoexit {
		return
	}
	if e.viaResult {
		switch f.reach(node) {
		case reachNothing:
			return
		case reachKept:
			e.viaResult = false
		}
	}
	if bind != nil {
		var wrappers value
		for _, w := range e.wrappers {
			wrappers = wrappers.with(bind(w)...)
		}
		e.wrappers = wrappers
	}
	f.guardState(e)
	if e.on == (loc{}) {
		f.emit(e)
		return
	}
	for _, l := range bind(e.on) {
		at := *e
		at.on = l
		f.wroteBound(&at, node)
		f.emit(&at)
	}
}

// bindLoc says what a location of a called unit is to the caller; nothing if it is the callee's own
// or not known.
func (f *frame) bindLoc(l loc, callee *unit, b, maker *binding) value {
	switch {
	case l.unit == nil || l.kind == wrapper:
		return value{l}
	case l.kind == param && l.unit == callee:
		return f.p.follow(b.operand(l.index), l.path)
	case l.unit.within(callee):
		return nil
	case f.u.within(l.unit):
		return value{l}
	case maker == nil || !f.u.within(maker.unit):
		return nil
	case l.kind == param && l.unit == callee.outer:
		return f.p.follow(maker.operand(l.index), l.path)
	}
	return nil
}

// follow walks a path down from each location of a value.
func (p *pkg) follow(v value, path string) value {
	for _, segment := range segments(path) {
		v = p.heap.load(v, segment)
	}
	return v
}

// result is a call whose results are bound.
type result struct {
	callee   *unit
	b, maker *binding
	node     ast.Node
	seen     map[copied]bool
}

// copied is memory of the callee and what stands for it in the caller.
type copied struct{ from, to loc }

// bindResult says where a result of a called unit comes from, as the caller sees it. Memory that the
// callee made becomes memory made by the call: made stands for it.
func (f *frame) bindResult(l loc, r result, made loc, depth int) value {
	f.p.steps.Take(1)
	switch l.kind {
	case function, wrapper, process, guard, miss, global, foreign:
		return value{l}
	case literal:
		if call, ok := r.node.(*ast.CallExpr); ok && l.unit.within(r.callee) && r.b != nil {
			l.via = call
			f.p.closures[call] = *r.b
		}
		return value{l}
	}
	if !l.unit.within(r.callee) || l.kind == param {
		return f.bindLoc(l, r.callee, r.b, r.maker)
	}
	if l.kind == bound {
		made.kind, made.obj = bound, l.obj
	}
	if depth == maxCopy || r.seen[copied{l, made}] {
		return value{made}
	}
	r.seen[copied{l, made}] = true
	fields := f.p.heap[l]
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		below, ok := made.step(name)
		for _, held := range fields[name] {
			if held != l && ok {
				f.p.store(made, name, f.bindResult(held, r, below, depth+1))
			}
		}
	}
	return value{made}
}

// commonEffect reports whether every implementation of an interface's method has an unconditional
// effect of a rule.
func (p *pkg) commonEffect(method *types.Func, rule string) bool {
	for _, u := range p.implementations(method) {
		if !u.certain[rule] {
			return false
		}
	}
	return true
}

// bindSummary interprets a call of a function of another package by its fact.
func (f *frame) bindSummary(s *summary.Summary, name string, node ast.Node, b *binding, flags callFlags, sig *types.Signature) []value {
	step := summary.Step{Func: name, Pos: f.p.position(node)}
	resolve := func(o *summary.Operand) value { return f.p.follow(b.operand(o.Param), o.Path) }
	for _, have := range s.Effects {
		f.p.steps.Take(1)
		e := &effect{rule: have.Rule, what: have.What, class: have.Class, note: have.Note, viaResult: have.ViaResult, memo: have.Memo,
			leaf: node, chain: summary.Extend(step, have.Chain), source: have.Pos}
		if have.Kept != nil && !f.bindKept(e, have.Kept.Param, b) {
			continue
		}
		if have.On == nil {
			f.bindEffect(e, node, nil, flags)
			continue
		}
		on := resolve(have.On)
		if len(on) == 0 {
			continue
		}
		e.on = on[0] // any: bind replaces it
		f.bindEffect(e, node, func(loc) value { return on }, flags)
	}
	for _, c := range s.Calls {
		how := callFlags{once: flags.once || c.Once, quiet: flags.quiet || c.Quiet}
		for _, held := range resolve(&c.Operand) {
			f.callLoc(held, node, nil, how)
		}
	}
	for _, t := range s.Traces {
		for _, held := range resolve(&t.Operand) {
			f.trace(held, traceFlags{once: t.Once, how: t.How, engine: t.Engine, unwinds: t.Unwinds, kept: t.Kept}, node)
		}
	}
	f.importBuilds(s, step, node, b)
	f.importWraps(s, name, node)
	return f.summaryResults(s, name, node, b, sig)
}

// summaryResults lays out the results that a fact describes.
func (f *frame) summaryResults(s *summary.Summary, name string, node ast.Node, b *binding, sig *types.Signature) []value {
	if sig == nil {
		return nil
	}
	out := f.results(sig, node)
	touched := make([]bool, len(out))
	for _, r := range s.Results {
		if r.Index >= len(out) {
			continue
		}
		var v value
		switch {
		case r.From != nil:
			v = f.p.follow(b.operand(r.From.Param), r.From.Path)
		case r.Stdio != "":
			v = f.p.stdioVar(r.Stdio)
		case r.Func != nil:
			l := loc{kind: foreign, unit: f.u, node: node, index: r.Index, path: r.Path}
			f.p.foreign[l] = imported{r.Func, name, b}
			v = value{l}
		}
		if r.Path == "" {
			if !touched[r.Index] && !r.Fresh {
				out[r.Index] = nil
			}
			touched[r.Index] = true
			out[r.Index] = out[r.Index].with(v...)
			continue
		}
		at := loc{kind: site, unit: f.u, node: node, index: r.Index}
		all := segments(r.Path)
		for _, segment := range all[:len(all)-1] {
			at.path += segment
		}
		f.p.store(at, all[len(all)-1], v)
	}
	return out
}

// imported is a function literal that came out of a call of another package's function.
type imported struct {
	summary *summary.Summary
	name    string
	maker   *binding
}

// stdioProcess stands in facts for whatever the process owns.
const stdioProcess = "process"

// stdioVar is os.Stdout or os.Stderr, as far as this package can name them.
func (p *pkg) stdioVar(name string) value {
	if name == stdioProcess {
		return value{{kind: process}}
	}
	for _, imported := range p.types.Imports() {
		if imported.Path() == "os" {
			if v, ok := imported.Scope().Lookup(name).(*types.Var); ok {
				return value{{kind: global, obj: v}}
			}
		}
	}
	return nil
}
