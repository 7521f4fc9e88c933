package churn

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// deps lists what a value depends on: the turns of loops and the parameters of the function around.
func (p *pkg) deps(e ast.Expr) []dep {
	var out []dep
	if !p.spend() {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident, *ast.SelectorExpr:
			x := n.(ast.Expr)
			if pl, ok := p.place(x); ok {
				out = union(out, p.placeDeps(pl, x))
				return false
			}
		case *ast.CallExpr:
			if p.reads(n) {
				for _, loop := range p.loops(n) {
					out = union(out, []dep{{kind: byTurn, loop: loop}})
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				for _, loop := range p.loops(n) {
					out = union(out, []dep{{kind: byTurn, loop: loop}})
				}
			}
		}
		return true
	})
	return out
}

// reads reports whether a call reads the next piece of some input.
func (p *pkg) reads(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "bufio":
		return fn.Name() == "Text" || fn.Name() == "Bytes" || strings.HasPrefix(fn.Name(), "Read")
	case "encoding/csv", "io":
		return strings.HasPrefix(fn.Name(), "Read")
	}
	return false
}

func (p *pkg) placeDeps(pl place, at ast.Node) []dep {
	key := activeKey{pl, asDeps}
	if p.depth[key] > 0 || !p.spend() {
		return nil
	}
	p.depth[key]++
	defer func() { p.depth[key]-- }()
	if loop := p.counts(pl, at); loop != nil {
		return []dep{{kind: byTurn, loop: loop}}
	}
	var out []dep
	for _, d := range p.reaching(place{root: pl.root}, at) {
		out = union(out, p.defDeps(pl, d, at))
	}
	return out
}

func (p *pkg) defDeps(pl place, d def, at ast.Node) []dep {
	var got []dep
	switch {
	case d.entry:
		if u := p.byNode[d.stmt]; u != nil {
			if index, ok := u.paramIndex(pl.root); ok && index != summary.Recv {
				return []dep{{kind: byParam, param: index}}
			}
		}
		return nil
	case d.ranged != nil:
		got = []dep{{kind: byTurn, loop: d.ranged}}
	case d.rhs == nil:
		if d.tok == token.ILLEGAL { // through its address, as fmt.Scan does
			for _, loop := range p.loops(d.stmt) {
				got = append(got, dep{kind: byTurn, loop: loop})
			}
		}
	default:
		got = p.deps(d.rhs)
	}
	for _, loop := range p.left(d.stmt, at) {
		turn := dep{kind: byTurn, loop: loop}
		if slices.Contains(got, turn) {
			got = slices.DeleteFunc(slices.Clone(got), func(d dep) bool { return d == turn })
			got = union(got, p.header(loop, false))
		}
	}
	return got
}

// tokenizer matches the functions that cut a text into tokens, as the tokenizers for Go name them.
var tokenizer = regexp.MustCompile(`^(Must)?(Encode|EncodeSingle|EncodeBatch|EncodeWith\w*|EncodeTo\w*|Encode\w*Ids|Encode\w*IDs|Tokeni[sz]e\w*)$`)

// textShape is the shape of what a tokenizer makes of a text.
func (p *pkg) textShape(call *ast.CallExpr) []value {
	name := ""
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	case *ast.Ident:
		name = fun.Name
	}
	if !tokenizer.MatchString(strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]) {
		return nil
	}
	for _, arg := range call.Args {
		if many, ok := p.texts(p.info.TypeOf(arg)); ok {
			return p.textDims(call, arg, many)
		}
	}
	return nil
}

// texts reports whether a type is a text, or many.
func (p *pkg) texts(t types.Type) (many, ok bool) {
	seen := map[types.Type]bool{} // type T []T has no end
	for t != nil && !seen[t] {
		seen[t] = true
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Basic:
			return many, u.Info()&types.IsString != 0
		case *types.Slice:
			t, many = u.Elem(), true
		default:
			return false, false
		}
	}
	return false, false
}

func (p *pkg) textDims(call *ast.CallExpr, arg ast.Expr, many bool) []value {
	a := p.atomOf(call, func(a *atom) {
		a.text, a.ragged = true, many
		a.what, a.node = types.ExprString(call), call
	})
	if p.info.Types[arg].Value == nil {
		a.deps = union(a.deps, p.deps(arg))
	}
	if !many {
		return []value{of(a)}
	}
	length := p.shape(arg)
	if len(length) == 0 {
		length = []value{p.lengthOf(arg)}
	}
	return []value{length[0], of(a)}
}

// standardShape is the shape of what functions of the standard library give for texts and slices.
func (p *pkg) standardShape(call *ast.CallExpr) []value {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) == 0 {
		return nil
	}
	switch fn.Pkg().Path() {
	case "slices":
		switch fn.Name() {
		case "Clone", "Sorted", "Compact", "Clip", "Grow":
			return p.shape(call.Args[0])
		case "Concat":
			out := p.shape(call.Args[0])
			for _, arg := range call.Args[1:] {
				more := p.shape(arg)
				if len(out) == 0 || len(more) == 0 {
					return nil
				}
				out = []value{out[0].plus(more[0])}
			}
			return out
		}
	case "strings", "bytes":
		if _, ok := p.texts(fn.Signature().Results().At(0).Type()); ok {
			if many, ok := p.texts(p.info.TypeOf(call.Args[0])); ok && !many {
				return p.textDims(call, call.Args[0], false)
			}
		}
	case "fmt":
		if fn.Name() == "Sprintf" || fn.Name() == "Sprint" {
			a := p.atomOf(call, func(a *atom) { a.text, a.what, a.node = true, types.ExprString(call), call })
			for _, arg := range call.Args {
				a.deps = union(a.deps, p.deps(arg))
			}
			return []value{of(a)}
		}
	}
	return nil
}
