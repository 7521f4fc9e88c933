package churn

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// options is what is known of a wrapper.
type options struct {
	made    bool // where it is made has been seen
	sized   bool // its cache's size was set
	size    int  // to this, 0 if that is no constant or no bound
	dynamic bool // dimensions are no part of its key
	engine  string
	traced  []ast.Expr // the functions that it wraps
}

func (o *options) add(more options) {
	o.made = o.made || more.made
	o.sized = o.sized || more.sized
	o.size = max(o.size, more.size)
	o.dynamic = o.dynamic || more.dynamic
	if o.engine == "" {
		o.engine = more.engine
	}
	o.traced = append(o.traced, more.traced...)
}

// wrappers knows the variables, fields and functions that hold or return wrappers: which hold the same
// ones, and how those were set up.
type wrappers struct {
	own  map[types.Object]*options
	same map[types.Object][]types.Object
}

// collectWrappers notes how wrappers are made, set up and handed around.
func (p *pkg) collectWrappers(files []*ast.File) {
	p.wrappers = wrappers{own: map[types.Object]*options{}, same: map[types.Object][]types.Object{}}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if i < len(n.Rhs) {
						p.holds(p.holder(lhs), n.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if i < len(n.Values) {
						p.holds(p.info.Defs[name], n.Values[i])
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					p.holds(p.info.Uses[id], n.Value)
				}
			case *ast.ReturnStmt:
				if u := p.unitAt(n); u != nil && u.obj != nil && len(n.Results) > 0 {
					p.holds(u.obj, n.Results[0])
				}
			case *ast.CallExpr:
				p.passed(n)
			}
			return true
		})
	}
}

// passed notes wrappers that are passed to a function of this package, or set up.
func (p *pkg) passed(call *ast.CallExpr) {
	if known := p.engineFunc(call); known != nil && known.Kind == engine.Configure {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			if obj, _ := p.wrapper(sel.X); obj != nil {
				p.options(obj).add(p.configured(call, known))
			}
		}
		return
	}
	u := p.calledUnit(call)
	if u == nil || u.sig == nil {
		return
	}
	for i, arg := range call.Args {
		if i < u.sig.Params().Len() && p.engines.Wrapper(u.sig.Params().At(i).Type()) {
			p.holds(u.sig.Params().At(i), arg)
		}
	}
}

func (p *pkg) options(obj types.Object) *options {
	if p.wrappers.own[obj] == nil {
		p.wrappers.own[obj] = &options{}
	}
	return p.wrappers.own[obj]
}

// holds notes that what e gives is held by a variable or field, or returned by a function.
func (p *pkg) holds(obj types.Object, e ast.Expr) {
	if obj == nil || !p.givesWrapper(e) {
		return
	}
	if v, ok := obj.(*types.Var); ok {
		obj = v.Origin()
	}
	from, opts := p.wrapper(e)
	p.options(obj).add(opts)
	if from != nil && from != obj {
		p.wrappers.same[obj] = append(p.wrappers.same[obj], from)
		p.wrappers.same[from] = append(p.wrappers.same[from], obj)
	}
}

func (p *pkg) givesWrapper(e ast.Expr) bool {
	t := p.info.TypeOf(e)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	return t != nil && p.engines.Wrapper(t)
}

func (p *pkg) holder(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return p.info.Uses[e.Sel]
	}
	return nil
}

// wrapper is what holds the wrapper that an expression gives, nil for one that is made there, and what
// the expression itself says of it.
func (p *pkg) wrapper(e ast.Expr) (types.Object, options) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if v, ok := p.holder(e).(*types.Var); ok {
			return v.Origin(), p.importedOptions(v)
		}
	case *ast.UnaryExpr:
		return p.wrapper(e.X)
	case *ast.StarExpr:
		return p.wrapper(e.X)
	case *ast.CallExpr:
		known := p.engineFunc(e)
		if known == nil {
			if fn := p.callee(e); fn != nil {
				return fn, p.importedOptions(fn)
			}
			return nil, options{}
		}
		switch known.Kind {
		case engine.Wrap:
			made := options{made: true, engine: known.Engine}
			for i, arg := range e.Args {
				if slices.Contains(known.Traced, i) {
					made.traced = append(made.traced, arg)
				}
				if option, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
					if known := p.engineFunc(option); known != nil && known.Kind == engine.Configure {
						made.add(p.configured(option, known))
					}
				}
			}
			return nil, made
		case engine.Configure:
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
				obj, opts := p.wrapper(sel.X)
				opts.add(p.configured(e, known))
				return obj, opts
			}
		}
	}
	return nil, options{}
}

// configured is what a call that sets up a wrapper sets.
func (p *pkg) configured(call *ast.CallExpr, known *engine.Func) options {
	opts := options{dynamic: known.Dynamic}
	if known.Cache != nil && *known.Cache < len(call.Args) {
		opts.sized = true
		if tv := p.info.Types[call.Args[*known.Cache]]; tv.Value != nil {
			if n, ok := constant.Int64Val(constant.ToInt(tv.Value)); ok && n > 0 {
				opts.size = int(n)
			}
		}
	}
	return opts
}

func (p *pkg) importedOptions(obj types.Object) options {
	if obj.Pkg() == nil || obj.Pkg() == p.types {
		return options{}
	}
	s := p.imports(obj)
	if s == nil || s.Keys.Wrapper == nil {
		return options{}
	}
	w := s.Keys.Wrapper
	return options{made: w.Made, sized: w.Sized, size: w.Size, dynamic: w.Dynamic, engine: w.Engine}
}

// setUp is all that is known of the wrappers that an object holds.
func (p *pkg) setUp(obj types.Object) options {
	var all options
	seen := map[types.Object]bool{}
	var visit func(types.Object)
	visit = func(obj types.Object) {
		if seen[obj] {
			return
		}
		seen[obj] = true
		if own := p.wrappers.own[obj]; own != nil {
			all.add(*own)
		}
		for _, other := range p.wrappers.same[obj] {
			visit(other)
		}
	}
	visit(obj)
	return all
}

func (o options) fact() *summary.Wrapper {
	if !o.sized && !o.dynamic {
		return nil
	}
	return &summary.Wrapper{Made: o.made, Sized: o.sized, Size: o.size, Dynamic: o.dynamic, Engine: o.engine}
}

// receiver is the wrapper that a call calls: the object that holds it, and all that is known of it. ok
// is false where each call has one of its own.
func (p *pkg) receiver(call *ast.CallExpr) (obj types.Object, opts options, ok bool) {
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSel {
		return nil, options{}, false
	}
	if s := p.info.Selections[sel]; s != nil && len(s.Index()) > 1 { // promoted from an embedded wrapper
		if field := embedded(s); field != nil && p.engines.Wrapper(field.Type()) && !p.engines.Wrapper(p.info.TypeOf(sel.X)) {
			return field.Origin(), p.setUp(field.Origin()), true
		}
	}
	switch ast.Unparen(sel.X).(type) {
	case *ast.IndexExpr: // one of many
		return nil, options{}, false
	}
	obj, opts = p.wrapper(sel.X)
	if obj == nil {
		return nil, opts, !opts.made
	}
	opts.add(p.setUp(obj))
	return obj, opts, true
}

// embedded is the last embedded field on the way to a promoted method.
func embedded(s *types.Selection) *types.Var {
	t := s.Recv()
	var field *types.Var
	index := s.Index()
	for _, i := range index[:len(index)-1] {
		if ptr, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		st, ok := types.Unalias(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field = st.Field(i)
		t = field.Type()
	}
	return field
}
