package churn

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// freshKeys reports objects that are made anew for each batch or call, though the cache is keyed by their
// identity.
func (p *pkg) freshKeys(files []*ast.File) {
	for _, u := range p.units {
		if u.obj == nil {
			continue
		}
		if known := p.engines.YieldMethod(u.obj); known != nil {
			p.freshSpecs(u, known)
		}
	}
	p.hostCalls(files, func(call *ast.CallExpr) {
		known := p.engineFunc(call)
		if known == nil || known.Kind != engine.Call || !known.Identity || known.Inputs == nil || call.Ellipsis.IsValid() {
			return
		}
		obj, _, ok := p.receiver(call)
		if !ok {
			return
		}
		for _, arg := range call.Args[min(*known.Inputs, len(call.Args)):] {
			for _, key := range p.keysIn(arg) {
				if made := p.fresh(key, call); made != nil && p.repeated(call, obj) {
					p.report(summary.FreshKey, fmt.Sprintf("%s is keyed by the identity of %s, which is new at each call",
						types.ExprString(call.Fun), types.ExprString(key)), known.Engine, nil, call)
					return
				}
			}
		}
	})
}

// keysIn are the parts of an argument that are keyed by identity: itself, if it is a pointer, or the
// fields of a batch that the engine's profile names.
func (p *pkg) keysIn(arg ast.Expr) []ast.Expr {
	if lit, ok := ast.Unparen(arg).(*ast.CompositeLit); ok {
		var out []ast.Expr
		for _, elt := range lit.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && p.isKey(kv.Key) {
				out = append(out, kv.Value)
			}
		}
		return out
	}
	return []ast.Expr{arg}
}

func (p *pkg) isKey(e ast.Expr) bool {
	v, ok := p.holder(e).(*types.Var)
	if !ok || !v.IsField() {
		return false
	}
	known := p.engines.Var(v)
	return known != nil && known.Kind == engine.Key
}

// freshSpecs looks at what a method gives out with its batches.
func (p *pkg) freshSpecs(u *unit, known *engine.Func) {
	report := func(e ast.Expr) {
		if made := p.fresh(e, e); made != nil {
			p.report(summary.FreshKey, fmt.Sprintf("%s makes a new spec for each batch: %s is keyed by its identity",
				u.name, types.ExprString(e)), known.Engine, nil, e)
		}
	}
	ast.Inspect(u.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if known.Key != nil && len(n.Results) > *known.Key && p.byNodeOf(n) == u {
				report(n.Results[*known.Key])
			}
		case *ast.KeyValueExpr:
			if p.isKey(n.Key) {
				report(n.Value)
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
				named := known.Key != nil && u.sig.Results().At(*known.Key).Name() != "" && p.holder(lhs) == types.Object(u.sig.Results().At(*known.Key))
				if i < len(n.Rhs) && (ok && p.isKey(sel) || named) {
					report(n.Rhs[i])
				}
			}
		}
		return true
	})
}

func (p *pkg) byNodeOf(n ast.Node) *unit {
	for ; n != nil; n = p.parents[n] {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return p.byNode[n]
		}
	}
	return nil
}

// fresh is the expression that makes the object which e points to, if it is made where e is evaluated
// or since the last time that it was.
func (p *pkg) fresh(e ast.Expr, at ast.Node) ast.Expr {
	t := p.info.TypeOf(e)
	if t == nil {
		return nil
	}
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok || p.engines.Owned(t) || p.engines.HasSymbolic(t) {
		return nil
	}
	if st, ok := types.Unalias(ptr.Elem()).Underlying().(*types.Struct); ok && st.NumFields() == 0 {
		return nil // may all have one address
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if _, lit := ast.Unparen(e.X).(*ast.CompositeLit); lit && e.Op == token.AND {
			return e
		}
	case *ast.CallExpr:
		if p.builtin(e) == "new" {
			return e
		}
	case *ast.Ident:
		pl, ok := p.place(e)
		if !ok || !p.spend() {
			return nil
		}
		defs := p.reaching(pl, e)
		if len(defs) != 1 || defs[0].rhs == nil || defs[0].back != nil {
			return nil
		}
		// Made before a loop, or before the literal that gives out batches, it is the same for all of them.
		if len(p.loops(at)) != len(p.loops(defs[0].stmt)) || p.byNodeOf(at) != p.byNodeOf(defs[0].stmt) {
			return nil
		}
		return p.fresh(defs[0].rhs, defs[0].stmt)
	}
	return nil
}

// repeated reports whether a call may run more than once: it stands in a loop, in a function that others
// call, or it is not the only one of its wrapper.
func (p *pkg) repeated(call *ast.CallExpr, obj types.Object) bool {
	for _, loop := range p.loops(call) {
		if obj == nil || !p.remade(obj, loop) {
			return true
		}
	}
	u := p.unitAt(call)
	if u == nil || u.obj == nil {
		return false
	}
	if v, ok := obj.(*types.Var); ok && !v.IsField() && v.Parent() != p.types.Scope() {
		if _, param := u.paramIndex(v); !param {
			return p.callsOf(obj, u) > 1 // a wrapper of this very run
		}
	}
	return u.name != "main" && u.name != "init" && !p.inTest(u.node) || p.callsOf(obj, u) > 1
}

func (p *pkg) callsOf(obj types.Object, u *unit) int {
	count := 0
	ast.Inspect(u.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if known := p.engineFunc(call); known != nil && known.Kind == engine.Call {
				if have, _, ok := p.receiver(call); ok && have == obj {
					count++
				}
			}
		}
		return true
	})
	return count
}

// data is how a data set is used: by the variable or function that holds it.
type data struct {
	trains map[types.Object]bool
	to     map[types.Object][]types.Object
}

// raggedBatches reports batches to train on whose last one may be smaller.
func (p *pkg) raggedBatches(files []*ast.File) {
	d := p.collectData(files)
	p.hostCalls(files, func(call *ast.CallExpr) {
		known := p.engineFunc(call)
		if known == nil || known.Kind != engine.Batch || *known.Drop >= len(call.Args) {
			return
		}
		drop := p.info.Types[call.Args[*known.Drop]]
		if drop.Value == nil || drop.Value.Kind() != constant.Bool || constant.BoolVal(drop.Value) {
			return
		}
		if why := p.trainsOn(call, d); why != "" {
			p.report(summary.RaggedBatch, fmt.Sprintf("%s keeps a last, smaller batch of data %s: it traces the training step again",
				types.ExprString(call.Fun), why), known.Engine, nil, call)
		}
	})
}

// collectData notes which data is trained on, and where it goes.
func (p *pkg) collectData(files []*ast.File) data {
	d := data{trains: map[types.Object]bool{}, to: map[types.Object][]types.Object{}}
	flows := func(from, to types.Object) {
		if from != nil && to != nil && from != to {
			d.to[from] = append(d.to[from], to)
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						for _, from := range p.sources(n.Rhs[i], 0) {
							flows(from, p.holder(lhs))
						}
					} else {
						for _, from := range p.sources(n.Rhs[0], i) {
							flows(from, p.holder(lhs))
						}
					}
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) {
						for _, from := range p.sources(n.Values[i], 0) {
							flows(from, p.info.Defs[name])
						}
					}
				}
			case *ast.ReturnStmt:
				if u := p.byNodeOf(n); u != nil && len(n.Results) == u.sig.Results().Len() {
					for i, e := range n.Results {
						for _, from := range p.sources(e, 0) {
							flows(from, u.sig.Results().At(i))
						}
					}
				}
			case *ast.CallExpr:
				if u := p.calledUnit(n); u != nil && u.sig != nil {
					for i, arg := range n.Args {
						if i < u.sig.Params().Len() {
							for _, from := range p.sources(arg, 0) {
								flows(from, u.sig.Params().At(i))
							}
						}
					}
				}
				if known := p.engineFunc(n); known != nil {
					for _, i := range known.Trains {
						if i < len(n.Args) {
							for _, obj := range p.sources(n.Args[i], 0) {
								d.trains[obj] = true
							}
						}
					}
				}
			}
			return true
		})
	}
	return d
}

// sources are the variables and results whose data an expression gives out: itself, the receiver of a
// chain of settings, the data that a call wraps.
func (p *pkg) sources(e ast.Expr, index int) []types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if v, ok := p.holder(e).(*types.Var); ok {
			return []types.Object{v.Origin()}
		}
	case *ast.CallExpr:
		if u := p.calledUnit(e); u != nil {
			if u.sig != nil && index < u.sig.Results().Len() {
				return []types.Object{u.sig.Results().At(index)}
			}
			return nil
		}
		var out []types.Object
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name != "Copy" && p.info.Selections[sel] != nil {
			out = append(out, p.sources(sel.X, 0)...)
		}
		for _, arg := range e.Args {
			if _, ok := types.Unalias(p.info.TypeOf(arg)).(*types.Named); ok || isPointer(p.info.TypeOf(arg)) {
				out = append(out, p.sources(arg, 0)...)
			}
		}
		return out
	}
	return nil
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// trainsOn says why the batches that a call makes are trained on, empty if nothing shows that.
func (p *pkg) trainsOn(call *ast.CallExpr, d data) string {
	// The chain of settings around: mk.Shuffle().BatchSize(n, false).Infinite(true)
	top, chain := ast.Expr(call), []*ast.CallExpr{call}
	for {
		sel, ok := p.parents[top].(*ast.SelectorExpr)
		if !ok {
			break
		}
		up, ok := p.parents[sel].(*ast.CallExpr)
		if !ok || up.Fun != ast.Expr(sel) {
			break
		}
		top, chain = up, append(chain, up)
	}
	holders := p.given(top)
	for x := call; ; {
		sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		if !ok || p.info.Selections[sel] == nil {
			break
		}
		below, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			if v, ok := p.holder(sel.X).(*types.Var); ok {
				holders = append(holders, v.Origin())
			}
			break
		}
		if below, ok := ast.Unparen(below.Fun).(*ast.SelectorExpr); ok && below.Sel.Name == "Copy" {
			break
		}
		chain = append(chain, below)
		x = below
	}
	if slices.ContainsFunc(chain, p.shuffles) {
		return "that is shuffled or endless"
	}
	if p.trainedIn(top, d) {
		return "that is trained on"
	}
	for _, holder := range holders {
		if p.shuffled(holder) {
			return "that is shuffled or endless"
		}
		if d.reaches(holder) {
			return "that is trained on"
		}
	}
	return ""
}

func (d data) reaches(obj types.Object) bool {
	seen := map[types.Object]bool{}
	var visit func(types.Object) bool
	visit = func(obj types.Object) bool {
		if seen[obj] {
			return false
		}
		seen[obj] = true
		return d.trains[obj] || slices.ContainsFunc(d.to[obj], visit)
	}
	return visit(obj)
}

// given lists the variables and results that an expression's value is given to.
func (p *pkg) given(e ast.Expr) []types.Object {
	switch up := p.parents[e].(type) {
	case *ast.AssignStmt:
		for i, rhs := range up.Rhs {
			if rhs == e && i < len(up.Lhs) {
				if obj := p.holder(up.Lhs[i]); obj != nil {
					return []types.Object{obj}
				}
			}
		}
	case *ast.ValueSpec:
		for i, value := range up.Values {
			if value == e && i < len(up.Names) {
				return []types.Object{p.info.Defs[up.Names[i]]}
			}
		}
	case *ast.ReturnStmt:
		if u := p.byNodeOf(up); u != nil {
			if i := slices.Index(up.Results, e); i >= 0 && i < u.sig.Results().Len() {
				return []types.Object{u.sig.Results().At(i)}
			}
		}
	case *ast.CallExpr:
		if u := p.calledUnit(up); u != nil {
			if i := slices.Index(up.Args, e); i >= 0 && i < u.sig.Params().Len() {
				return []types.Object{u.sig.Params().At(i)}
			}
		}
		if up.Fun != e {
			return p.given(up) // wrapped in another data set
		}
	}
	return nil
}

// trainedIn reports whether an expression stands as the data of a call that trains.
func (p *pkg) trainedIn(e ast.Expr, d data) bool {
	up, ok := p.parents[e].(*ast.CallExpr)
	if !ok || up.Fun == e {
		return false
	}
	if known := p.engineFunc(up); known != nil && slices.Contains(known.Trains, slices.Index(up.Args, e)) {
		return true
	}
	return p.trainedIn(up, d)
}

// shuffles reports whether a call sets data up for training.
func (p *pkg) shuffles(call *ast.CallExpr) bool {
	known := p.engineFunc(call)
	if known == nil || known.Kind != engine.Shuffle {
		return false
	}
	if len(call.Args) == 1 {
		if tv := p.info.Types[call.Args[0]]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
			return constant.BoolVal(tv.Value)
		}
		return false
	}
	return true
}

// shuffled reports whether the data of a variable is set up for training by a statement of its own.
func (p *pkg) shuffled(obj types.Object) bool {
	u := p.unitAround(obj.Pos())
	if u == nil {
		return false
	}
	found := false
	ast.Inspect(u.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !p.shuffles(call) {
			return !found
		}
		for x := ast.Expr(call); ; {
			c, ok := ast.Unparen(x).(*ast.CallExpr)
			if !ok {
				found = found || p.holder(x) == obj
				break
			}
			sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
			if !ok || sel.Sel.Name == "Copy" {
				break
			}
			x = sel.X
		}
		return !found
	})
	return found
}
