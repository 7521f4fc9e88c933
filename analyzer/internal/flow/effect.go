package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// Classes of what an effect on an operand uses it as.
const (
	classLogger    = "logger"
	classWriter    = "writer"
	classBuffer    = "buffer"
	classFile      = "file"
	classGenerator = "generator"
	classMemory    = "memory"
	classGoexit    = "goexit" // an abort that no recover stops
)

// effect is an effect of a unit, with the place in this package where it stands.
type effect struct {
	rule      string
	what      string
	on        loc // what it acts on; the zero loc if unconditional
	class     string
	leaf      ast.Node       // the expression or statement of this package that has the effect
	stmt      ast.Node       // the innermost statement around leaf
	path      []summary.Step // in this package: from the unit to the one that holds leaf
	chain     []summary.Step // outside: from the leaf's callee to the source
	note      string
	kept      loc // leak: the parameter whose value is kept, for the caller to say whether it is symbolic
	viaResult bool
	memo      bool   // it happens only where something is not there yet
	wrappers  value  // nested-wrap: the wrappers that may be called
	plainSet  bool   // write: a plain assignment to a variable
	source    string // where another package does it, empty for this one
}

type effectKey struct {
	leaf      token.Pos
	rule      string
	on        loc
	viaResult bool
}

func (e *effect) key() effectKey {
	return effectKey{e.leaf.Pos(), e.rule, e.on, e.viaResult}
}

// add records e as u's and reports whether that is news: a plain finding beats one that is often
// intended, and the shorter of two ways to the same leaf is kept.
func (u *unit) add(e *effect) bool {
	have, ok := u.effects.get(e.key())
	if ok {
		e.wrappers = have.wrappers.with(e.wrappers...)
		if len(e.wrappers) > len(have.wrappers) {
			have.wrappers = e.wrappers
			return true
		}
		if have.note == "" && e.note != "" {
			return false
		}
		if (have.note == "") == (e.note == "") && have.length() <= e.length() {
			return false
		}
	}
	if !ok && e.on != (loc{}) {
		// A recursive walk over a tree of structs reaches its root by ever more paths; a few tell the story.
		spread := e.key()
		spread.on = e.on.base()
		if u.spread[spread] == maxSpread {
			return false
		}
		if u.spread == nil {
			u.spread = map[effectKey]int{}
		}
		u.spread[spread]++
	}
	u.effects.put(e.key(), e)
	if e.on == (loc{}) || e.on.kind == global {
		if u.certain == nil {
			u.certain = map[string]bool{}
		}
		u.certain[e.rule] = true
	}
	return true
}

// maxSpread bounds the paths below one operand on which a unit keeps the same effect.
const maxSpread = 8

// settled is e with all that its callers decide taken as said.
func (e *effect) settled() *effect {
	out := *e
	out.kept = loc{}
	return &out
}

func (e *effect) length() int { return len(e.path) + len(e.chain) }

// callFlags says how a unit calls a function value that it was given.
type callFlags struct {
	once, quiet, recovered bool
	exempt                 *types.Func // the function of another package that is called, which settings may exempt
	common                 *types.Func // an interface's method: only what all its implementations do counts
}

// traceFlags says how a unit has a function value traced.
type traceFlags struct {
	once    bool
	test    bool   // traced by a test helper
	unwinds bool   // the engine survives runtime.Goexit
	how     string // the engine's function
	engine  string
	kept    bool // by a wrapper that outlives the call
}

// build is a wrapper that a unit makes and drops.
type build struct {
	what     string
	once     bool
	leaf     ast.Node
	chain    []summary.Step
	captures []int
	free     []*types.Var // of the units around: what a literal captures
}
