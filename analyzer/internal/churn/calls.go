package churn

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// keyed is a call of a wrapper with dimensions that callers of the function decide.
type keyed struct {
	call   ast.Node // the call in this package
	what   string   // the call and its argument
	cause  string   // what the dimensions change with
	engine string
	pads   bool
	chain  []summary.Step
	deps   []dep // parameters, and each call
	// contents: it is what is in a parameter that counts, not its size alone.
	contents bool
}

// maxChain bounds how far a keyed call is carried to callers.
const maxChain = 4

func (k *keyed) fact() summary.KeyedCall {
	out := summary.KeyedCall{What: k.what, Engine: k.engine, Contents: k.contents, Chain: k.chain}
	for _, d := range k.deps {
		if d.kind == byCall {
			out.Growing = true
		} else {
			out.Params = append(out.Params, d.param)
		}
	}
	return out
}

// collectKeyed looks at all calls of wrappers.
func (p *pkg) collectKeyed(files []*ast.File) {
	p.hostCalls(files, func(call *ast.CallExpr) {
		if known := p.engineFunc(call); known != nil {
			if known.Kind == engine.Call && known.Inputs != nil {
				p.keyedCall(call, known)
			}
			return
		}
		p.importedKeyed(call)
	})
}

// input is one argument that a wrapper's call is keyed by.
type input struct {
	expr ast.Expr
	dims []value
}

func (p *pkg) inputs(call *ast.CallExpr, first int) []input {
	var out []input
	for i := first; i < len(call.Args); i++ {
		arg := call.Args[i]
		if _, basic := p.under(arg).(*types.Basic); basic {
			continue
		}
		p.fuel = maxFuel
		dims := p.shape(arg)
		if call.Ellipsis.IsValid() && i == len(call.Args)-1 && len(dims) > 0 {
			dims = dims[1:] // the arguments are its elements
		}
		out = append(out, input{arg, dims})
	}
	return out
}

func (p *pkg) keyedCall(call *ast.CallExpr, known *engine.Func) {
	obj, opts, ok := p.receiver(call)
	if !ok || opts.dynamic {
		return
	}
	inputs := p.inputs(call, *known.Inputs)
	if p.overflows(call, known, obj, opts, inputs) || opts.sized {
		return
	}
	for _, in := range inputs {
		if p.churns(call, known, obj, opts, in) {
			return
		}
	}
}

// churns reports a call that loops repeat with other dimensions each time, or notes that its callers
// decide.
func (p *pkg) churns(call *ast.CallExpr, known *engine.Func, obj types.Object, opts options, in input) bool {
	loops := p.loops(call)
	for _, v := range in.dims {
		for _, loop := range loops {
			if p.remade(obj, loop) {
				break
			}
			if a := v.on(dep{kind: byTurn, loop: loop}); a != nil && !a.ragged {
				p.report(summary.ShapeChurn, p.message(p.described(call, in.expr), p.cause(a, call), p.pads(opts)), known.Engine, nil, call)
				return true
			}
		}
	}
	u := p.unitAt(call)
	if u == nil {
		return false
	}
	for _, v := range in.dims {
		for _, a := range v.atoms() {
			if a.ragged {
				continue
			}
			k := &keyed{call: call, what: p.described(call, in.expr), cause: p.cause(a, call), engine: known.Engine, pads: p.pads(opts),
				contents: a.param == nil}
			for _, d := range a.deps {
				if d.kind != byTurn {
					k.deps = append(k.deps, d)
				}
			}
			if len(k.deps) > 0 {
				u.keyed = append(u.keyed, k)
			}
		}
	}
	return false
}

// remade reports whether a wrapper is another one in each turn of a loop.
func (p *pkg) remade(obj types.Object, loop ast.Stmt) bool {
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() {
		return false
	}
	if loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
		return true
	}
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok {
			for _, lhs := range s.Lhs {
				found = found || p.holder(lhs) == obj
			}
		}
		return !found
	})
	return found
}

func (p *pkg) described(call *ast.CallExpr, arg ast.Expr) string {
	text := types.ExprString(arg)
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return fmt.Sprintf("%s with %s", types.ExprString(call.Fun), text)
}

// cause says what changes dimensions, and where if that is not on the call's own line.
func (p *pkg) cause(a *atom, at ast.Node) string {
	verb := "change with "
	switch {
	case a.node != nil && p.isGrowth(a):
		verb = "change by "
	case a.text:
		verb = "follow the text "
		if _, call := a.node.(*ast.CallExpr); call {
			verb = "follow the tokens of "
		}
	}
	text := verb + a.what
	if a.node != nil && p.fset.Position(a.node.Pos()).Line != p.fset.Position(at.Pos()).Line {
		text += " (" + p.shortPos(a.node.Pos()) + ")"
	}
	return text
}

func (p *pkg) message(what, cause string, pads bool) string {
	text := what + " traces for each new shape in a loop: its dimensions " + cause
	if pads {
		text += "; that the traced function pads does not help, as the key is taken before"
	}
	return text
}

// pads reports whether the function of a wrapper pads.
func (p *pkg) pads(opts options) bool {
	for _, fn := range opts.traced {
		var body ast.Node
		switch fn := ast.Unparen(fn).(type) {
		case *ast.FuncLit:
			body = fn.Body
		case *ast.Ident, *ast.SelectorExpr:
			if obj, ok := p.holder(fn).(*types.Func); ok && p.byFunc[obj.Origin()] != nil {
				body = p.byFunc[obj.Origin()].body
			}
		}
		if body == nil {
			continue
		}
		found := false
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if known := p.engineFunc(call); known != nil && known.Kind == engine.Pad {
					found = true
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// carryKeyed carries calls whose dimensions callers decide to those callers, until a loop is found that
// changes them.
func (p *pkg) carryKeyed() {
	work := slices.Clone(p.units)
	done := map[*keyed]bool{}
	for len(work) > 0 {
		u := work[0]
		work = work[1:]
		if u.obj == nil {
			continue
		}
		for _, k := range u.keyed {
			if done[k] {
				continue
			}
			done[k] = true
			for _, call := range p.calls[u.obj] {
				if caller := p.passKeyed(k, u.sig, call, k.call, nil); caller != nil {
					work = append(work, caller)
				}
			}
		}
	}
}

// passKeyed looks at a call of a function that calls a wrapper. It returns the caller if its callers in
// turn decide.
func (p *pkg) passKeyed(k *keyed, sig *types.Signature, call *ast.CallExpr, at ast.Node, chain []summary.Step) *unit {
	if p.traced(call.Pos()) {
		return nil
	}
	p.fuel = maxFuel
	deps := p.bindDeps(k.deps, call, sig, k.contents)
	for _, loop := range p.loops(call) {
		if !slices.Contains(deps, dep{kind: byTurn, loop: loop}) || p.freshReceiver(call, loop) {
			continue
		}
		cause := k.cause
		if at != call {
			cause += ", which " + p.callerName(call) + " changes in a loop (" + p.shortPos(call.Pos()) + ")"
		} else {
			cause = strings.TrimSuffix(cause, ", which the caller changes")
		}
		p.report(summary.ShapeChurn, p.message(k.what, cause, k.pads), k.engine, chain, at)
		return nil
	}
	u := p.unitAt(call)
	if u == nil || len(k.chain)+len(chain) >= maxChain {
		return nil
	}
	up := &keyed{call: at, what: k.what, cause: k.cause, engine: k.engine, pads: k.pads, contents: k.contents, chain: chain}
	for _, d := range deps {
		if d.kind != byTurn {
			up.deps = append(up.deps, d)
		}
	}
	same := func(have *keyed) bool { return have.call == up.call && slices.Equal(have.deps, up.deps) }
	if len(up.deps) == 0 || slices.ContainsFunc(u.keyed, same) {
		return nil
	}
	u.keyed = append(u.keyed, up)
	return u
}

// freshReceiver reports whether the receiver of a call is another one in each turn of a loop.
func (p *pkg) freshReceiver(call *ast.CallExpr, loop ast.Stmt) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pl, ok := p.place(sel.X)
	return ok && p.remade(pl.root, loop)
}

func (p *pkg) callerName(call *ast.CallExpr) string {
	if u := p.unitAt(call); u != nil {
		return u.name
	}
	return "the caller"
}

// importedKeyed looks at a call of another package's function that calls a wrapper.
func (p *pkg) importedKeyed(call *ast.CallExpr) {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == p.types {
		return
	}
	s := p.imports(fn)
	if s == nil {
		return
	}
	for _, have := range s.Keys.Calls {
		k := &keyed{what: have.What, cause: "change with " + p.passedFor(call, fn, have), engine: have.Engine, contents: have.Contents}
		for _, i := range have.Params {
			k.deps = append(k.deps, dep{kind: byParam, param: i})
		}
		if have.Growing {
			k.deps = append(k.deps, dep{kind: byCall})
		}
		chain := summary.Extend(summary.Step{Func: qualified(fn), Pos: p.shortPos(call.Pos())}, have.Chain)
		p.passKeyed(k, fn.Signature(), call, call, chain)
	}
}

// passedFor names what a call passes for the parameters that decide.
func (p *pkg) passedFor(call *ast.CallExpr, fn *types.Func, have summary.KeyedCall) string {
	for _, i := range have.Params {
		if arg := argument(call, fn.Signature(), i); arg != nil {
			return types.ExprString(arg)
		}
	}
	return "each call"
}

func qualified(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		name := types.TypeString(recv.Type(), func(other *types.Package) string { return other.Name() })
		if strings.HasPrefix(name, "*") {
			name = "(" + name + ")"
		}
		return name + "." + fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
