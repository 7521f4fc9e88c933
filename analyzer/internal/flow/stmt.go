package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// env maps a unit's own variables to what they hold at one point of its body.
type env map[*types.Var]value

func (e env) clone() env { return maps.Clone(e) }

// join merges two environments; a nil one is a path that does not get here.
func join(a, b env) env {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := a.clone()
	for v, val := range b {
		out[v] = out[v].with(val...)
	}
	return out
}

// mode is what is known of the way to a statement.
type mode struct {
	quiet  bool // only where logging is on
	miss   bool // only where something is not there yet
	locked bool // under a mutex
	once   bool // at most once a process
	// inSelect is the communication of a select clause.
	inSelect bool
}

// target is a statement that break and continue leave or repeat.
type target struct {
	label     *types.Label
	stmt      ast.Stmt
	loop      bool
	broken    env // joined over the breaks
	continued env
}

// frame is the interpretation of one unit's body.
type frame struct {
	p       *pkg
	u       *unit
	env     env // nil where no path leads
	mode    mode
	blocks  []*block
	targets []*target
	label   *types.Label // of the labelled statement about to run
	stmts   []ast.Stmt   // the statements around, outermost first
}

// block is a position in a list of statements.
type block struct {
	list []ast.Stmt
	next int  // the statement behind the one that runs
	loop bool // the list is a loop's body
	// ways says for each statement where the list leads from there; nil until asked for.
	ways []way
}

// way is where statements lead.
type way uint8

const (
	wayOn     way = iota
	wayEnds       // to a call that never returns
	wayLeaves     // to a statement that may leave the block before that
)

// body interprets the unit's body from its parameters on.
func (f *frame) body() {
	u := f.u
	f.env = env{}
	u.recovers = u.recovers || f.p.recovers(u)
	for v, l := range u.paramLocs() {
		f.env[v] = value{l}
		if f.p.index.multi[v] {
			f.p.share(v, value{l})
		}
	}
	f.list(u.body.List, false)
	if f.env != nil {
		u.returns = true
		f.namedResults()
	}
	// A function that only panics never returns; one without statements does.
	if noReturn := !u.returns && len(u.body.List) > 0; noReturn != u.noReturn {
		u.noReturn = noReturn
		f.p.changed = true
	}
}

// paramLocs gives each named parameter what it refers to when the unit starts.
func (u *unit) paramLocs() map[*types.Var]loc {
	out := map[*types.Var]loc{}
	if u.recv != nil {
		out[u.recv] = loc{kind: param, unit: u, index: summary.Recv}
	}
	for i, v := range u.params {
		out[v] = loc{kind: param, unit: u, index: i}
	}
	return out
}

func (f *frame) list(stmts []ast.Stmt, loop bool) {
	before := f.mode
	here := &block{list: stmts, loop: loop}
	f.blocks = append(f.blocks, here)
	for i, s := range stmts {
		if f.env == nil {
			break
		}
		here.next = i + 1
		f.stmt(s)
	}
	f.blocks = f.blocks[:len(f.blocks)-1]
	locked := f.mode.locked
	f.mode = before
	f.mode.locked = locked
}

func (f *frame) stmt(s ast.Stmt) {
	f.p.steps.Take(1 + len(f.env)/8) // where ways part and meet, what variables hold is copied
	f.stmts = append(f.stmts, s)
	defer func() { f.stmts = f.stmts[:len(f.stmts)-1] }()
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.eval(s.X)
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && f.neverReturns(call) {
			f.env = nil
		}
	case *ast.AssignStmt:
		f.assignStmt(s)
	case *ast.IncDecStmt:
		f.eval(s.X)
		f.assign(s.X, nil, nil, s.Tok, s)
	case *ast.DeclStmt:
		if gen, ok := s.Decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			f.varDecl(gen)
		}
	case *ast.BlockStmt:
		f.list(s.List, false)
	case *ast.LabeledStmt:
		f.label, _ = f.p.info.Defs[s.Label].(*types.Label)
		f.stmt(s.Stmt)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s)
	case *ast.RangeStmt:
		f.rangeStmt(s)
	case *ast.SwitchStmt:
		f.simple(s.Init)
		if s.Tag != nil {
			f.eval(s.Tag)
		}
		f.cases(s, s.Body, nil)
	case *ast.TypeSwitchStmt:
		f.simple(s.Init)
		var v value
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			v = f.eval(a.Rhs[0])
		case *ast.ExprStmt:
			v = f.eval(a.X)
		}
		f.cases(s, s.Body, v)
	case *ast.SelectStmt:
		f.effect(summary.Sync, "select", s)
		f.cases(s, s.Body, nil)
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.GoStmt:
		f.goStmt(s)
	case *ast.DeferStmt:
		f.eval(s.Call)
		f.mode.locked = f.mode.locked || f.deferredUnlock(s)
	case *ast.SendStmt:
		f.sendStmt(s)
	}
}

// simple runs the optional statement in the head of if, for and switch.
func (f *frame) simple(s ast.Stmt) {
	if s != nil {
		f.stmt(s)
	}
}

func (f *frame) ifStmt(s *ast.IfStmt) {
	f.simple(s.Init)
	f.eval(s.Cond)
	yes, no := f.condition(s.Cond)
	if tv := f.p.info.Types[s.Cond]; tv.Value != nil {
		// A constant condition is a build-time switch: the other branch is never run.
		if tv.Value.String() == "true" {
			f.list(s.Body.List, false)
		} else if s.Else != nil {
			f.stmt(s.Else)
		}
		return
	}
	before, mode := f.env, f.mode
	f.env = before.clone()
	f.mode = mode.also(yes)
	f.list(s.Body.List, false)
	then := f.env
	f.env, f.mode = before.clone(), mode.also(no)
	if s.Else != nil {
		f.stmt(s.Else)
	}
	f.mode = mode
	// Where the body leaves, the rest of the block runs under the condition's opposite.
	if then == nil && s.Else == nil {
		f.mode = mode.also(no)
	}
	f.env = join(then, f.env)
}

func (f *frame) push(s ast.Stmt, loop bool) *target {
	t := &target{label: f.label, stmt: s, loop: loop}
	f.label = nil
	f.targets = append(f.targets, t)
	return t
}

func (f *frame) pop() { f.targets = f.targets[:len(f.targets)-1] }

// loop interprets a loop: its body sees what came before and what the body itself left in the pass
// before this one.
func (f *frame) loop(s ast.Stmt, endless bool, body func()) {
	t := f.push(s, true)
	before := f.env
	f.env = join(before.clone(), f.p.loopEnv[s])
	body()
	f.pop()
	after := join(f.env, t.continued)
	if after != nil {
		merged := join(f.p.loopEnv[s], after)
		if f.p.loopEnv[s].size() != merged.size() {
			f.p.changed = true
		}
		f.p.loopEnv[s] = merged
	}
	f.env = t.broken
	if !endless {
		f.env = join(join(before, after), f.env)
	}
}

func (e env) size() int {
	n := 0
	for _, v := range e {
		n += 1 + len(v)
	}
	return n
}

func (f *frame) forStmt(s *ast.ForStmt) {
	f.simple(s.Init)
	f.loop(s, s.Cond == nil, func() {
		if s.Cond != nil {
			f.eval(s.Cond)
		}
		f.list(s.Body.List, true)
		if f.env != nil {
			f.simple(s.Post)
		}
	})
}

func (f *frame) rangeStmt(s *ast.RangeStmt) {
	x := f.eval(s.X)
	var elem value
	switch f.under(s.X).(type) {
	case *types.Chan:
		f.effect(summary.Sync, "range over channel "+types.ExprString(s.X), s.X)
		elem = f.p.heap.load(x, segElem)
	case *types.Signature:
		f.callValues(x, s.X, nil)
	default:
		elem = f.p.heap.load(x, segElem)
	}
	f.accumulates(s)
	f.loop(s, false, func() {
		if s.Key != nil {
			f.assignRange(s, s.Key, nil)
		}
		if s.Value != nil {
			f.assignRange(s, s.Value, elem)
		}
		if s.Key != nil && s.Value == nil {
			if _, ok := types.Unalias(f.p.info.TypeOf(s.X)).Underlying().(*types.Chan); ok {
				f.assignRange(s, s.Key, elem)
			}
		}
		f.list(s.Body.List, true)
	})
}

func (f *frame) assignRange(s *ast.RangeStmt, lhs ast.Expr, v value) {
	f.assign(lhs, v, nil, s.Tok, s)
}

// cases interprets the clauses of a switch or select, each from the same start.
func (f *frame) cases(s ast.Stmt, body *ast.BlockStmt, implicit value) {
	t := f.push(s, false)
	before := f.env
	mode := f.mode
	var out env
	exhaustive := false
	carried := env(nil) // from a fallthrough
	sw, _ := s.(*ast.SwitchStmt)
	rest := mode  // where none of the clauses before was chosen
	after := mode // what comes behind the statement
	leaving := true
	for _, clause := range body.List {
		if sw != nil && carried == nil && f.deadClause(sw, clause.(*ast.CaseClause)) {
			continue
		}
		f.env = join(before.clone(), carried)
		f.mode = rest
		carried = nil
		var list []ast.Stmt
		switch c := clause.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			for _, e := range c.List {
				if tv := f.p.info.Types[e]; !tv.IsType() {
					f.eval(e)
				}
			}
			if v, ok := f.p.info.Implicits[c].(*types.Var); ok {
				f.set(v, implicit)
			}
			if sw != nil && sw.Tag == nil {
				yes, no := f.clauseCondition(body, c)
				f.mode, rest = rest.also(yes), rest.also(no)
			}
			list = c.Body
		case *ast.CommClause:
			exhaustive = true
			f.comm(c.Comm)
			list = c.Body
		}
		f.list(list, false)
		if n := len(list); n > 0 {
			if b, ok := list[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				carried = f.env
				continue
			}
		}
		// As behind an if statement whose body leaves.
		if leaving = leaving && f.env == nil; leaving {
			after = rest
		}
		out = join(out, f.env)
	}
	f.pop()
	f.mode = after
	if !exhaustive {
		out = join(out, before)
	}
	f.env = join(out, t.broken)
}

// comm runs the communication of a select clause, whose select is the effect that counts.
func (f *frame) comm(s ast.Stmt) {
	f.mode.inSelect = true
	f.simple(s)
	f.mode.inSelect = false
}

func (f *frame) branch(s *ast.BranchStmt) {
	var label *types.Label
	if s.Label != nil {
		label, _ = f.p.info.Uses[s.Label].(*types.Label)
	}
	switch s.Tok {
	case token.FALLTHROUGH:
		return
	case token.GOTO:
		// Where a goto leads is not followed: what it skips counts as run.
		return
	}
	for i := len(f.targets) - 1; i >= 0; i-- {
		t := f.targets[i]
		if label != nil && t.label != label || label == nil && s.Tok == token.CONTINUE && !t.loop {
			continue
		}
		if s.Tok == token.BREAK {
			t.broken = join(t.broken, f.env)
		} else {
			t.continued = join(t.continued, f.env)
		}
		break
	}
	f.env = nil
}

func (f *frame) returnStmt(s *ast.ReturnStmt) {
	f.u.returns = true
	if len(s.Results) == 0 {
		f.namedResults()
	} else if len(s.Results) == 1 && len(f.u.results) > 1 {
		for i, v := range f.evalMulti(s.Results[0], len(f.u.results)) {
			f.result(i, v)
		}
	} else {
		for i, e := range s.Results {
			v := f.eval(e)
			if i < len(f.u.results) {
				f.result(i, v)
			}
		}
	}
	f.env = nil
}

func (f *frame) result(i int, v value) {
	old := f.u.results[i]
	f.u.results[i] = old.with(v...)
	if len(f.u.results[i]) > len(old) {
		f.p.changed = true
	}
}

// namedResults returns what the named results hold.
func (f *frame) namedResults() {
	if f.u.sig == nil {
		return
	}
	for i := range f.u.results {
		if v := f.u.sig.Results().At(i); v.Name() != "" {
			f.result(i, f.read(v))
		}
	}
}

// varDecl runs a var declaration, local or at package level.
func (f *frame) varDecl(gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		switch {
		case len(vs.Values) == 1 && len(vs.Names) > 1:
			for i, v := range f.evalMulti(vs.Values[0], len(vs.Names)) {
				f.define(vs.Names[i], v)
			}
		default:
			for i, name := range vs.Names {
				var v value
				if i < len(vs.Values) {
					v = f.eval(vs.Values[i])
				}
				f.define(name, v)
			}
		}
	}
}

func (f *frame) define(name *ast.Ident, v value) {
	if obj, ok := f.p.info.Defs[name].(*types.Var); ok {
		f.set(obj, v)
	}
}
