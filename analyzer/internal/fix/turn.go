package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
)

// turns is a loop, seen as what changes from one of its turns to the next.
type turns struct {
	s    *Suggester
	loop inspector.Cursor
	decl ast.Node // the function declaration around it
}

// same reports whether an expression that makes a wrapper gives an equal one in each turn, and just before
// the loop: nothing that it mentions is declared or changed by the loop, and it has no effects.
func (t turns) same(e ast.Expr) bool {
	return t.pure(e) && t.sameObjects(e) && t.sameScopes(e) && t.sameGlobals(e)
}

// pure reports whether nothing happens when an expression is computed, not even a panic, but the making of a
// wrapper.
func (t turns) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			known := t.s.known(n)
			ok = ok && (t.s.info.Types[n.Fun].IsType() || known != nil &&
				(known.Kind == engine.Wrap || known.Kind == engine.Configure || known.Kind == engine.Once))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.IndexExpr:
			ok = ok && t.s.info.Types[n.Index].IsType()
		case *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// sameObjects reports whether all that an expression mentions is the same in each turn.
func (t turns) sameObjects(e ast.Node) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return ok
		}
		obj := t.s.info.Uses[id]
		if obj == nil || within(obj.Pos(), e) {
			return true
		}
		ok = ok && t.sameObject(obj, e)
		return ok
	})
	return ok
}

func (t turns) sameObject(obj types.Object, e ast.Node) bool {
	loop := t.loop.Node()
	if within(obj.Pos(), loop) {
		return false
	}
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pkg() != t.s.pass.Pkg || v.Parent() == t.s.pass.Pkg.Scope() {
		return true
	}
	return !t.changed(v) && (t.fixed(v.Type()) || !t.usedBeside(v, e))
}

// changed reports whether a local variable is assigned to in the loop, after it, or by a function literal
// that the loop may call.
func (t turns) changed(v *types.Var) bool {
	loop := t.loop.Node()
	at, ok := t.s.root.FindNode(t.decl)
	if !ok {
		return true
	}
	for c := range at.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if t.s.info.Uses[id] != types.Object(v) || !assignedAt(c) {
			continue
		}
		if id.Pos() >= loop.Pos() || funcAround(c) != funcAround(t.loop) {
			return true
		}
	}
	return false
}

// fixed reports whether what a variable of a type holds changes only where the variable is assigned to.
func (t turns) fixed(typ types.Type) bool {
	switch types.Unalias(typ).Underlying().(type) {
	case *types.Basic, *types.Signature:
		return true
	}
	return t.s.engines.Backend(typ)
}

// usedBeside reports whether the loop uses a variable outside of an expression.
func (t turns) usedBeside(v *types.Var, e ast.Node) bool {
	for c := range t.loop.Preorder((*ast.Ident)(nil)) {
		if id := c.Node().(*ast.Ident); t.s.info.Uses[id] == types.Object(v) && !within(id.Pos(), e) && !t.s.wrapped(c) {
			return true
		}
	}
	return false
}

// wrapped reports whether an expression is an argument for a wrapper, which builds on a model as it is.
func (s *Suggester) wrapped(at inspector.Cursor) bool {
	if at.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	known := s.known(at.Parent().Node().(*ast.CallExpr))
	return known != nil && (known.Kind == engine.Wrap || known.Kind == engine.Once)
}

// sameScopes reports whether the loop leaves the settings of a model alone on which an expression depends.
func (t turns) sameScopes(e ast.Expr) bool {
	needed := false
	ast.Inspect(e, func(n ast.Node) bool {
		needed = needed || t.isScope(n)
		return !needed
	})
	if !needed {
		return true
	}
	for c := range t.loop.Preorder((*ast.Ident)(nil)) {
		if t.isScope(c.Node()) && !within(c.Node().Pos(), e) && !t.s.wrapped(c) {
			return false
		}
	}
	return true
}

func (t turns) isScope(n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := t.s.info.Uses[id].(*types.Var)
	return ok && t.s.engines.Scope(v.Type())
}

// sameGlobals reports whether nothing can change the package variables that an expression and the functions
// in it read.
func (t turns) sameGlobals(e ast.Expr) bool {
	ok := true
	t.s.calls.mentions(e, func(obj types.Object) {
		v, isVar := obj.(*types.Var)
		if isVar && !v.IsField() && v.Pkg() == t.s.pass.Pkg && v.Parent() == v.Pkg().Scope() {
			held := t.fixed(v.Type()) || types.Identical(v.Type(), types.Universe.Lookup("error").Type())
			ok = ok && held && !v.Exported() && !t.s.changesGlobal(v)
		}
	})
	return ok
}

// changesGlobal reports whether a function of the package assigns to a package variable.
func (s *Suggester) changesGlobal(v *types.Var) bool {
	for c := range s.root.Preorder((*ast.Ident)(nil)) {
		if s.info.Uses[c.Node().(*ast.Ident)] == types.Object(v) && assignedAt(c) {
			return true
		}
	}
	return false
}

// sameShape reports whether an argument has the same dtype and dimensions in each turn.
func (t turns) sameShape(arg ast.Expr) bool {
	tv := t.s.info.Types[arg]
	if tv.Value != nil {
		return true
	}
	elem := types.Unalias(tv.Type)
	for {
		array, ok := elem.Underlying().(*types.Array)
		if !ok {
			break
		}
		elem = types.Unalias(array.Elem())
	}
	if _, ok := elem.Underlying().(*types.Basic); ok {
		return true
	}
	ok := true
	ast.Inspect(arg, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			ok = false
		case *ast.Ident:
			if v, isVar := t.s.info.Uses[n].(*types.Var); isVar {
				ok = ok && !v.IsField() && v.Parent() != t.s.pass.Pkg.Scope() && !within(v.Pos(), t.loop.Node()) && !t.changed(v)
			}
		}
		return ok
	})
	return ok
}

// funcAround is the innermost function around a node.
func funcAround(at inspector.Cursor) ast.Node {
	for c := range at.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		return c.Node()
	}
	return nil
}

// assignedAt reports whether an expression, or a part of it, is assigned to or has its address taken.
func assignedAt(at inspector.Cursor) bool {
	for {
		kind := at.ParentEdgeKind()
		at = at.Parent()
		switch kind {
		case edge.ParenExpr_X, edge.SelectorExpr_X, edge.SelectorExpr_Sel, edge.IndexExpr_X, edge.StarExpr_X, edge.SliceExpr_X:
			continue
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return true
		case edge.UnaryExpr_X:
			return at.Node().(*ast.UnaryExpr).Op == token.AND
		}
		return false
	}
}
