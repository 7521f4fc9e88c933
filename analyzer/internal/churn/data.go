package churn

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// data is how a data set is used: by the variable or function that holds it.
type data struct {
	trains map[types.Object]bool
	to     map[types.Object][]types.Object
}

// wholeSet matches a batch size that is the number of examples.
var wholeSet = regexp.MustCompile(`(?i)num_?examples|^len\(`)

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
		size := call.Args[*known.Size]
		if n := p.info.Types[size].Value; n != nil && constant.Compare(n, token.LEQ, constant.MakeInt64(1)) || wholeSet.MatchString(types.ExprString(size)) {
			return // one example each, or all in one batch
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
		if p.shuffled(holder, call) {
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

// shuffled reports whether the data of a variable is set up for training by a statement of its own,
// with no other data assigned to it in between.
func (p *pkg) shuffled(obj types.Object, call *ast.CallExpr) bool {
	u := p.unitAround(obj.Pos())
	if u == nil {
		return false
	}
	found := false
	ast.Inspect(u.body, func(n ast.Node) bool {
		if other, ok := n.(*ast.CallExpr); ok && p.shuffles(other) && p.chainRoot(other) == obj {
			found = found || !p.assignedBetween(obj, u, other, call)
		}
		return !found
	})
	return found
}

// chainRoot is the variable at the start of a chain of settings, nil if the chain starts with new data.
func (p *pkg) chainRoot(e ast.Expr) types.Object {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return p.holder(e)
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name == "Copy" {
			return nil
		}
		e = sel.X
	}
}

func (p *pkg) assignedBetween(obj types.Object, u *unit, a, b ast.Node) bool {
	if a.Pos() > b.Pos() {
		a, b = b, a
	}
	found := false
	ast.Inspect(u.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && a.End() <= s.Pos() && s.End() <= b.Pos() {
			found = found || slices.ContainsFunc(s.Lhs, func(lhs ast.Expr) bool { return p.holder(lhs) == obj })
		}
		return !found
	})
	return found
}
