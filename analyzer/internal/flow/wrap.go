package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// loss is the way in which a wrapper's cache is lost.
type loss uint8

const (
	inLoop loss = iota + 1
	inHandler
	inMethod
)

type rebuiltKey struct {
	pos token.Pos
	way loss
}

// Why a rebuilt wrapper may be meant.
const (
	noteTestFile = "it stands in a test file"
	noteColdName = "nothing shows that the method is called often"
)

// coldName and hotName tell from a method's name how often it is called.
var (
	coldName = regexp.MustCompile(`^(New|Init|Load|Save|Close|String|Must(New|Init|Load)|init|load|save|close|new)`)
	hotName  = regexp.MustCompile(`^(?i)(forward|run|embed|predict|infer|matmul|generate|encode|decode|score|classify|` +
		`compute|eval|apply|call|step|transform|rerank|rank|sample|search|process|exec|logits|similarity|dot|normalize)`)
)

// made notes that the unit makes a wrapper, or runs a run-once helper, and drops it.
func (f *frame) made(known *engine.Func, node ast.Node, b *binding, once bool) {
	call, ok := node.(*ast.CallExpr)
	if !ok || b == nil || f.mode.miss {
		return
	}
	if !once {
		dropped, called := f.fate(call, map[*types.Var]bool{})
		if !dropped || !called {
			return
		}
	}
	made := &build{what: known.Name, once: once, leaf: call}
	f.lost(made, call, f.captured(known, b, once))
}

// lost decides whether a wrapper made (or whose maker is called) at node loses its cache there: vars
// are the local variables on which its function depends.
func (f *frame) lost(made *build, node ast.Node, vars []*types.Var) {
	if f.independentLoop(node, vars) {
		f.p.rebuild(made, inLoop, f.u)
		return
	}
	if f.u.handler(f.p) {
		f.p.rebuild(made, inHandler, f.u)
		return
	}
	up := &build{what: made.what, once: made.once, leaf: made.leaf, chain: made.chain}
	for _, v := range vars {
		index, ok := f.u.paramIndex(v)
		if !ok && f.p.index.owner[v] != f.u && f.u.within(f.p.index.owner[v]) {
			up.free = append(up.free, v)
			continue
		}
		if !ok {
			return // depends on something that callers do not see
		}
		if !slices.Contains(up.captures, index) {
			up.captures = append(up.captures, index)
		}
	}
	slices.Sort(up.captures)
	if made.leaf == node && !made.once && f.longLived() && (len(up.captures) == 0 || slices.Equal(up.captures, []int{summary.Recv})) {
		f.p.rebuild(made, inMethod, f.u)
	}
	if _, ok := f.u.builds.get(made.leaf.Pos()); !ok {
		f.u.builds.put(made.leaf.Pos(), up)
		f.p.changed = true
	}
}

func (p *pkg) rebuild(made *build, way loss, u *unit) {
	key := rebuiltKey{made.leaf.Pos(), way}
	if _, ok := p.rebuilt.get(key); !ok {
		p.rebuilt.put(key, &rebuilding{made, u})
		p.changed = true
	}
}

type rebuilding struct {
	made *build
	unit *unit
}

// bindBuilds carries the wrappers that a callee drops to the call.
func (f *frame) bindBuilds(u *unit, node ast.Node, b *binding) {
	if b == nil {
		return
	}
	if f.inLoop() {
		f.p.loopCalls[u] = true
	}
	for _, made := range u.builds.all {
		f.lost(made, node, append(f.dependencies(made.captures, node, b), made.free...))
	}
}

// importBuilds is bindBuilds for a function of another package.
func (f *frame) importBuilds(s *summary.Summary, step summary.Step, node ast.Node, b *binding) {
	if b == nil {
		return
	}
	for _, have := range s.Builds {
		made := &build{what: have.What, once: have.Once, leaf: node, chain: summary.Extend(step, have.Chain)}
		f.lost(made, node, f.dependencies(have.Captures, node, b))
	}
}

// dependencies lists the local variables in the arguments for some parameters of a call.
func (f *frame) dependencies(params []int, node ast.Node, b *binding) []*types.Var {
	var out []*types.Var
	for _, index := range params {
		if index == summary.Recv {
			if call, ok := node.(*ast.CallExpr); ok {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
					out = f.locals(sel.X, out)
				}
			}
			continue
		}
		if index < len(b.exprs) {
			out = f.locals(b.exprs[index], out)
		}
	}
	return out
}

// captured lists the local variables on which a wrapper's function and settings depend. The inputs
// of a run-once helper are no part of that.
func (f *frame) captured(known *engine.Func, b *binding, once bool) []*types.Var {
	var out []*types.Var
	for i, e := range b.exprs {
		if slices.Contains(known.Traced, i) {
			if lits := f.literals(b.operand(i)); lits != nil {
				for _, lit := range lits {
					out = f.locals(lit, out)
				}
				continue
			}
		} else if once && len(known.Traced) > 0 && i > known.Traced[len(known.Traced)-1] {
			continue
		}
		out = f.locals(e, out)
	}
	return out
}

// literals gives the literals that a value holds, nil if it may hold anything else.
func (f *frame) literals(v value) []ast.Expr {
	var out []ast.Expr
	for _, l := range v {
		if l.kind != literal || l.unit != f.u {
			return nil
		}
		out = append(out, l.node.(ast.Expr))
	}
	return out
}

// locals adds the local variables that an expression mentions and does not itself declare.
func (f *frame) locals(e ast.Expr, out []*types.Var) []*types.Var {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.p.info.Uses[id].(*types.Var)
		if ok && f.p.index.local(v) && !(e.Pos() <= v.Pos() && v.Pos() < e.End()) && !slices.Contains(out, v) {
			out = append(out, v)
		}
		return true
	})
	return out
}

// independentLoop reports whether node is repeated by a loop on whose turn none of the variables
// depends: each is declared outside of it and not assigned in it.
func (f *frame) independentLoop(node ast.Node, vars []*types.Var) bool {
	path := f.p.index.path(node)
	for i, n := range path {
		if n == f.u.node {
			return false
		}
		body := loopBody(n)
		if body == nil || i == 0 || path[i-1] != body && !isPost(n, path[i-1]) || f.benchmarkLoop(n) || leavesAtOnce(body) {
			continue
		}
		if !slices.ContainsFunc(vars, func(v *types.Var) bool { return f.turns(v, n) }) {
			return true
		}
	}
	return false
}

func loopBody(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	}
	return nil
}

func isPost(loop, n ast.Node) bool {
	s, ok := loop.(*ast.ForStmt)
	return ok && (s.Post == n || s.Cond == n)
}

// leavesAtOnce reports whether the loop's body ends by leaving it, so that it has no second turn.
func leavesAtOnce(body ast.Node) bool {
	list := body.(*ast.BlockStmt).List
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK
	}
	return false
}

// turns reports whether a variable's value may differ from one turn of a loop to the next.
func (f *frame) turns(v *types.Var, loop ast.Node) bool {
	if loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
		return true
	}
	for _, use := range f.p.index.uses[v] {
		if loop.Pos() <= use.Pos() && use.Pos() < loop.End() && f.p.index.assigned(use) {
			return true
		}
	}
	return false
}

// benchmarkLoop reports whether a loop repeats what a benchmark measures.
func (f *frame) benchmarkLoop(n ast.Node) bool {
	found := false
	inspect := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "N" || sel.Sel.Name == "Loop" || sel.Sel.Name == "Next") {
				t := f.p.info.TypeOf(sel.X)
				if t != nil && (types.TypeString(t, nil) == "*testing.B" || types.TypeString(t, nil) == "*testing.PB") {
					found = true
				}
			}
			return !found
		})
	}
	switch n := n.(type) {
	case *ast.ForStmt:
		if n.Cond != nil {
			inspect(n.Cond)
		}
	case *ast.RangeStmt:
		inspect(n.X)
	}
	return found
}

// fate follows a new wrapper: dropped is false if it may be kept anywhere, called says that it is
// called before it is dropped.
func (f *frame) fate(e ast.Expr, seen map[*types.Var]bool) (dropped, called bool) {
	path := f.p.index.path(e)
	for i := 1; i < len(path); i++ {
		switch n := path[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.SelectorExpr:
			if i+1 >= len(path) || n.X != path[i-1] {
				return false, false
			}
			call, ok := path[i+1].(*ast.CallExpr)
			if !ok || call.Fun != n {
				return false, false
			}
			known := f.p.engines.Func(f.p.staticCallee(call))
			if known == nil {
				return false, false
			}
			switch known.Kind {
			case engine.Call:
				return true, true
			case engine.Release:
				return true, false
			case engine.Configure:
				i++ // the call gives the wrapper back
				continue
			}
			return false, false
		case *ast.AssignStmt:
			index := slices.IndexFunc(n.Rhs, func(rhs ast.Expr) bool { return rhs == path[i-1] })
			if index < 0 {
				return false, false
			}
			return f.fateOf(n.Lhs[index], seen)
		case *ast.ValueSpec:
			return f.fateOf(n.Names[0], seen)
		case *ast.ExprStmt:
			return true, false
		default:
			return false, false
		}
	}
	return false, false
}

// fateOf follows a wrapper that is assigned to a variable of the unit.
func (f *frame) fateOf(lhs ast.Expr, seen map[*types.Var]bool) (dropped, called bool) {
	id, ok := ast.Unparen(lhs).(*ast.Ident)
	if !ok {
		return false, false
	}
	if id.Name == "_" {
		return true, false
	}
	v, ok := f.p.info.ObjectOf(id).(*types.Var)
	if !ok || !f.p.index.local(v) || f.p.index.owner[v] != f.u {
		return false, false
	}
	if seen[v] {
		return true, false
	}
	seen[v] = true
	for _, use := range f.p.index.uses[v] {
		if use == id || f.p.plainTarget(use) || f.compared(use) {
			continue
		}
		if at := f.p.index.unitAt(use.Pos()); at != f.u && !f.deferred(at) {
			return false, false
		}
		useDropped, useCalled := f.fate(use, seen)
		if !useDropped {
			return false, false
		}
		called = called || useCalled
	}
	return true, called
}

func (f *frame) compared(use *ast.Ident) bool {
	path := f.p.index.path(use)
	if len(path) < 2 {
		return false
	}
	_, ok := path[1].(*ast.BinaryExpr)
	return ok
}

// deferred reports whether a literal is called by a defer statement of this unit.
func (f *frame) deferred(u *unit) bool {
	if u == nil || u.outer != f.u {
		return false
	}
	path := f.p.index.path(u.node)
	if len(path) < 3 {
		return false
	}
	_, ok := path[2].(*ast.DeferStmt)
	return ok
}

// longLived reports whether the unit is a method, hot or cold, of a value that lives beyond a call: a
// pointer receiver to a struct with a backend, a scope or a wrapper in its fields.
func (f *frame) longLived() bool {
	if f.u.obj == nil || f.u.recv == nil || !isPointer(f.u.recv.Type()) || coldName.MatchString(f.u.obj.Name()) {
		return false
	}
	st := structOf(f.u.recv.Type())
	if st == nil {
		return false
	}
	for field := range st.Fields() {
		t := field.Type()
		if f.p.engines.Backend(t) || f.p.engines.Scope(t) || f.p.engines.Wrapper(t) {
			return true
		}
	}
	return false
}

// handler reports whether the unit answers HTTP or gRPC requests.
func (u *unit) handler(p *pkg) bool {
	if u.sig == nil {
		return false
	}
	params := u.sig.Params()
	if params.Len() == 2 && types.TypeString(params.At(0).Type(), nil) == "net/http.ResponseWriter" &&
		types.TypeString(params.At(1).Type(), nil) == "*net/http.Request" {
		return true
	}
	if u.recv == nil || u.obj == nil || !u.obj.Exported() {
		return false
	}
	st := structOf(u.recv.Type())
	if st == nil || params.Len() == 0 {
		return false
	}
	for field := range st.Fields() {
		if field.Embedded() && grpcServer.MatchString(field.Name()) {
			return true
		}
	}
	return false
}

// grpcServer matches the type that generated code has servers embed.
var grpcServer = regexp.MustCompile(`^Unimplemented\w*Server$`)

// rebuilds lists the wrappers that host code makes where their cache is lost.
func (pk *Package) rebuilds() []Finding {
	p := pk.p
	traced := map[*unit]bool{}
	for _, r := range p.roots.all {
		p.reach(r.unit, traced)
	}
	var out []Finding
	for key, r := range p.rebuilt.all {
		if at := p.index.unitAt(r.made.leaf.Pos()); at != nil && traced[at] {
			continue
		}
		found := Finding{Rule: summary.Rewrap, Chain: r.made.chain, Node: r.made.leaf, Stmt: r.made.leaf,
			In: p.declAt(r.made.leaf)}
		again := "is built anew"
		if r.made.once {
			again = "traces anew"
		}
		switch key.way {
		case inLoop:
			again += " in each turn of a loop, though nothing that its function captures depends on the turn"
		case inHandler:
			again += " for each request"
		case inMethod:
			again += " in each call of " + r.unit.name + " and dropped"
			if !p.loopCalls[r.unit] && !hotName.MatchString(r.unit.obj.Name()) {
				found.Note = noteColdName
			}
		}
		found.What = r.made.what + " " + again
		if p.testNode(r.made.leaf) {
			found.Note = noteTestFile
		}
		out = append(out, found)
	}
	return out
}
