package flow

import "go/token"

// Traced gives a function that reports whether the function around a position is traced, or runs while
// one is.
func (pk *Package) Traced() func(token.Pos) bool {
	p := pk.p
	traced := map[*unit]bool{}
	for _, r := range p.roots.all {
		p.reach(r.unit, traced)
	}
	for _, u := range p.units {
		if u.sig != nil && !p.hosts[u] && p.traced(u) {
			traced[u] = true
		}
	}
	return func(pos token.Pos) bool {
		for u := p.index.unitAt(pos); u != nil; u = u.outer {
			if traced[u] {
				return true
			}
		}
		return false
	}
}
