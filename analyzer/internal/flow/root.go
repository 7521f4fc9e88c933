package flow

import (
	"go/ast"
	"go/types"
	"regexp"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// root is a unit that an engine traces.
type root struct {
	unit      *unit
	how       traceFlags
	node      ast.Node // the call that has it traced; nil for one known by its signature
	at        *unit    // the unit of that call
	recv      value    // the receiver of a method value
	annotated bool     // a comment says that it is traced
}

type rootKey struct {
	unit *unit
	once bool
	test bool
}

type foreignKey struct {
	l    loc
	node ast.Node
}

// trace notes that a function value is traced.
func (f *frame) trace(l loc, how traceFlags, node ast.Node) {
	switch l.kind {
	case param:
		if have, ok := f.u.traces.get(l); !ok || have.once && !how.once {
			f.u.traces.put(l, how)
			f.p.changed = true
		}
		return
	case literal, function, bound, foreign, global:
	default:
		return
	}
	r := &root{unit: f.p.unitOf(l), how: how, node: node, at: f.u}
	if l.kind == bound {
		r.recv = f.p.heap[l][segRecv]
	}
	if r.unit == nil {
		// The function lies elsewhere: what it does happens at this call.
		key := foreignKey{l, node}
		r.unit = f.p.elsewhere[key]
		if r.unit == nil {
			r.unit = newUnit(f.u.name, node, nil, nil)
			r.unit.test = f.u.test
			f.p.elsewhere[key] = r.unit
			f.p.changed = true
		}
		inner := &frame{p: f.p, u: r.unit, stmts: f.stmts}
		inner.callLoc(l, node, nil, callFlags{})
	}
	if how.kept && r.unit.body != nil {
		f.wrapped(&wrapped{root: r.unit, node: node})
	}
	f.p.addRoot(r)
}

func (p *pkg) addRoot(r *root) {
	key := rootKey{r.unit, r.how.once, r.how.test}
	have, ok := p.roots.get(key)
	if !ok {
		p.roots.put(key, r)
		p.changed = true
		return
	}
	if grown := have.recv.with(r.recv...); len(grown) > len(have.recv) {
		have.recv = grown
		p.changed = true
	}
}

// Finding is an effect that stands in traced code.
type Finding struct {
	Rule   string
	What   string
	Chain  []summary.Step
	Note   string
	Node   ast.Node    // the expression or statement that has the effect
	Stmt   ast.Node    // the innermost statement around it
	Root   ast.Node    // the call that has the function traced; nil if its signature alone says that it is
	Engine string      // the engine that traces the function
	In     *types.Func // the function declaration around it, nil in initialisers
	Source string      // where another package does it, file.go:12; empty for this one
}

// Why an effect that is real is often intended.
const (
	noteRunOnce  = "the function runs as often as its run-once helper is called"
	noteUnwinds  = "this version of the engine survives the end of its goroutine"
	noteTest     = "the function runs in a test helper"
	noteReadBack = "the function that builds the wrapper reads the variable back"
	noteCounts   = "the name says that it counts traces"
)

// Findings lists the effects that stand in traced code, in no particular order, with several for a
// statement where several roots reach it.
func (pk *Package) Findings() []Finding {
	p := pk.p
	var out []Finding
	for _, find := range []func() []Finding{p.effectsTraced, p.staleReads, p.keptReads, pk.rebuilds} {
		p.steps.Do(func() { out = append(out, find()...) })
	}
	return out
}

// effectsTraced lists the effects of what is traced.
func (p *pkg) effectsTraced() []Finding {
	var out []Finding
	flow := map[*unit]bool{}
	for _, r := range p.roots.all {
		if p.marked(r.unit) {
			continue
		}
		p.reach(r.unit, flow)
		out = append(out, p.rootFindings(r)...)
	}
	for _, u := range p.units {
		if u.sig == nil || flow[u] || p.hosts[u] || !p.traced(u) {
			continue
		}
		out = append(out, p.signatureFindings(u)...)
	}
	return out
}

// marked reports whether a comment says that a root is host code all the same.
func (p *pkg) marked(u *unit) bool { return p.saidHost != nil && u.node != nil && p.saidHost(u.node) }

// traced reports whether a unit's signature, or the interface that it implements, says that it is
// traced.
func (p *pkg) traced(u *unit) bool {
	return p.engines.SignatureRoot(u.sig) || u.obj != nil && p.engines.TracedMethod(u.obj) != nil
}

// reach marks the units that run while u does.
func (p *pkg) reach(u *unit, seen map[*unit]bool) {
	if seen[u] {
		return
	}
	seen[u] = true
	for callee := range u.callees.all {
		p.reach(callee, seen)
	}
}

func (p *pkg) rootFindings(r *root) []Finding {
	var out []Finding
	for _, e := range r.unit.effects.all {
		found := Finding{Rule: e.rule, What: e.what, Chain: e.chain, Note: e.note, Node: e.leaf, Stmt: e.stmt,
			Root: r.node, Engine: r.how.engine, In: p.declAt(e.leaf), Source: e.source}
		if e.kept != (loc{}) {
			continue
		}
		if e.on != (loc{}) {
			var ok bool
			if found.Rule, ok = p.outlives(e, r); !ok {
				continue
			}
		}
		switch found.Rule {
		case summary.Sequence:
			continue
		case summary.StateCreation:
			if !p.madeState(&found, e, r.unit) {
				continue
			}
		case summary.StaleRead:
			if r.how.once {
				continue // what it reads is as new as the call
			}
		case summary.Print, summary.Clock, summary.Random, summary.Environ, summary.IO, summary.Write:
			if r.how.once && found.Note == "" {
				found.Note = noteRunOnce
			}
		case summary.Abort:
			switch {
			case r.how.test:
				found.Note = noteTest
			case r.how.unwinds && e.class == classGoexit:
				found.Note = noteUnwinds
			}
		case summary.NestedWrap:
			if p.recursive(r, e) {
				found.Rule, found.Note = summary.RecursiveTrace, ""
			}
		}
		if found.Rule == summary.Write && found.Note == "" {
			found.Note = p.writeNote(r, e)
		}
		out = append(out, found)
	}
	return out
}

// outlives decides what an effect on some place is once it is known that a wrapper's function has it:
// the place is not the trace's own, unless it is one of the arguments that the engine passes.
func (p *pkg) outlives(e *effect, r *root) (rule string, ok bool) {
	if e.kept != (loc{}) {
		return "", false
	}
	places := value{e.on}
	if e.on.kind == param && e.on.unit == r.unit {
		if e.on.index != summary.Recv {
			return "", false
		}
		if len(r.recv) > 0 {
			places = p.follow(r.recv, e.on.path)
		}
	}
	if e.rule != summary.Print && e.rule != summary.IO {
		return e.rule, len(places) > 0
	}
	for _, l := range p.sinks(places) {
		switch {
		case l.kind == process:
			return e.rule, true
		case stdio(l):
			return summary.Print, true
		}
		class := e.class
		// The writer's own type may say more than the call's parameter.
		if v := l.varObj(); class == classWriter && v != nil && l.path == "" {
			class = sinkClass(v.Type())
		}
		switch {
		case class == classLogger && e.rule == summary.Print:
			return summary.Print, true
		case class == classFile:
			return summary.IO, true
		case class == classBuffer && e.rule == summary.Print:
			return summary.Write, true
		}
	}
	return "", false
}

// recursive reports whether a wrapper that an effect calls is, directly or through the functions of
// other wrappers, the one whose function is the root.
func (p *pkg) recursive(r *root, e *effect) bool {
	seen := map[*unit]bool{}
	var calls func(e *effect, recv value, at *unit) bool
	calls = func(e *effect, recv value, at *unit) bool {
		for _, w := range e.wrappers {
			held := value{w}
			if w.kind == param && w.unit == at && w.index == summary.Recv {
				held = p.follow(recv, w.path)
			}
			for _, l := range held {
				made := p.wrappers[l]
				if made == nil {
					continue
				}
				for _, u := range made.traced {
					if u == r.unit {
						return true
					}
					if seen[u] {
						continue
					}
					seen[u] = true
					for _, inner := range u.effects.all {
						if inner.rule == summary.NestedWrap && calls(inner, p.recvOf(u), u) {
							return true
						}
					}
				}
			}
		}
		return false
	}
	return calls(e, r.recv, r.unit)
}

// recvOf is what a root's receiver may be.
func (p *pkg) recvOf(u *unit) value {
	var out value
	for _, r := range p.roots.all {
		if r.unit == u {
			out = out.with(r.recv...)
		}
	}
	return out
}

// counter matches a write that counts traces or compilations and says so by the counter's name.
var counter = regexp.MustCompile(`(?i)(trac|compil)\w*(\+\+| \+=)|\.Add on .*(trac|compil)`)

// writeNote says why a write is often intended, empty if it is not.
func (p *pkg) writeNote(r *root, e *effect) string {
	if counter.MatchString(e.what) {
		return noteCounts
	}
	v := e.on.varObj()
	if v == nil {
		return ""
	}
	if e.plainSet && e.on.kind == cell && r.at != nil && e.on.unit != nil && r.at.within(e.on.unit) && r.node != nil {
		for _, use := range p.index.uses[v] {
			if use.Pos() > r.node.End() && p.index.unitAt(use.Pos()) == e.on.unit && !p.index.assigned(use) {
				return noteReadBack
			}
		}
	}
	return ""
}

// signatureFindings lists the effects of a function that its signature alone shows to be traced: the
// unconditional ones, and those on package variables.
func (p *pkg) signatureFindings(u *unit) []Finding {
	var out []Finding
	for _, e := range u.effects.all {
		rule := e.rule
		if e.kept != (loc{}) {
			continue
		}
		if e.on != (loc{}) {
			if e.on.kind != global {
				continue
			}
			var ok bool
			if rule, ok = p.outlives(e, &root{unit: u}); !ok {
				continue
			}
		}
		found := Finding{Rule: rule, What: e.what, Chain: e.chain, Note: e.note, Node: e.leaf, Stmt: e.stmt,
			Engine: p.engines.SignatureEngine(u.sig),
			In:     p.declAt(e.leaf), Source: e.source}
		if rule == summary.Sequence || rule == summary.StateCreation && !p.madeState(&found, e, u) {
			continue
		}
		out = append(out, found)
	}
	return out
}

// declAt is the function declaration around a node, nil if there is none.
func (p *pkg) declAt(n ast.Node) *types.Func {
	if u := p.index.unitAt(n.Pos()); u != nil {
		return u.decl.obj
	}
	return nil
}

func (p *pkg) testNode(n ast.Node) bool {
	u := p.index.unitAt(n.Pos())
	return u != nil && u.test
}
