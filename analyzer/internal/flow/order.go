package flow

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/cfg"
)

// order answers what may run after what in one unit.
type order struct{ graph *cfg.CFG }

// point is a node of a control-flow graph.
type point struct {
	block *cfg.Block
	index int
}

func (p *pkg) order(u *unit) *order {
	if u.body == nil {
		return nil
	}
	if known := p.orders[u]; known != nil {
		return known
	}
	f := &frame{p: p, u: u}
	o := &order{cfg.New(u.body, func(call *ast.CallExpr) bool { return !f.neverReturns(call) })}
	p.orders[u] = o
	return o
}

// at finds the innermost node of the graph around a position.
func (o *order) at(pos token.Pos) (point, bool) {
	var best point
	var bestNode ast.Node
	for _, b := range o.graph.Blocks {
		for i, n := range b.Nodes {
			if n.Pos() <= pos && pos < n.End() && (bestNode == nil || n.End()-n.Pos() < bestNode.End()-bestNode.Pos()) {
				best, bestNode = point{b, i}, n
			}
		}
	}
	return best, bestNode != nil
}

// of finds a node; a range statement stands for the start of a turn, which assigns its variables.
func (o *order) of(n ast.Node) (point, bool) {
	if s, ok := n.(*ast.RangeStmt); ok {
		for _, b := range o.graph.Blocks {
			if b.Kind == cfg.KindRangeBody && b.Stmt == s {
				return point{b, 0}, true
			}
		}
		return point{}, false
	}
	return o.at(n.Pos())
}

// reaches reports whether a way leads from one point to another (or back to itself) that passes none
// of the barriers.
func (o *order) reaches(from, to point, barriers ...point) bool {
	seen := map[point]bool{}
	for _, barrier := range barriers {
		seen[barrier] = true
	}
	next := o.after(from)
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if at == to {
			return true
		}
		if !seen[at] {
			seen[at] = true
			next = append(next, o.after(at)...)
		}
	}
	return false
}

func (o *order) after(at point) []point {
	if at.index+1 < len(at.block.Nodes) {
		return []point{{at.block, at.index + 1}}
	}
	var out []point
	for _, b := range at.block.Succs {
		out = append(out, point{b, 0})
	}
	return out
}
