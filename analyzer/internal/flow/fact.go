package flow

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/summary"
)

// maxResultDepth bounds how deep a fact describes results.
const maxResultDepth = 2

// Facts calls export for each function and package-level function variable of the package of which
// callers elsewhere should know something. What ignored reports on stays here: an accepted effect is
// accepted for all callers.
func (pk *Package) Facts(ignored func(rule string, node, stmt ast.Node) bool, export func(types.Object, *summary.Fact)) {
	pk.p.ignored = ignored
	pk.p.steps.Do(func() { pk.p.facts(export) })
}

func (p *pkg) facts(export func(types.Object, *summary.Fact)) {
	for _, u := range p.units {
		if u.obj == nil || !u.obj.Exported() || u.test {
			continue
		}
		p.export(u.obj, p.summarize(u, u, 0), export)
	}
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			if v := p.shared[obj]; obj.Exported() && len(v) == 1 {
				if u := p.unitOf(v[0]); u != nil && !u.test {
					p.export(obj, p.summarize(u, u, 0), export)
				}
			}
		case *types.TypeName:
			iface, ok := obj.Type().Underlying().(*types.Interface)
			if !ok || obj.IsAlias() || !obj.Exported() {
				continue
			}
			for m := range iface.ExplicitMethods() {
				p.export(m, p.common(m), export)
			}
		}
	}
}

func (p *pkg) export(obj types.Object, s summary.Summary, export func(types.Object, *summary.Fact)) {
	if !s.Empty() {
		export(obj, &summary.Fact{Summary: s})
	}
}

// common is what every implementation of an interface's method in this package does.
func (p *pkg) common(m *types.Func) summary.Summary {
	units := p.implementations(m)
	if len(units) == 0 || !m.Exported() {
		return summary.Summary{}
	}
	whole := p.summarize(units[0], units[0], 0)
	var s summary.Summary
	for _, e := range whole.Effects {
		if e.On == nil && p.commonEffect(m, e.Rule) {
			s.Effects = append(s.Effects, e)
		}
	}
	return s
}

// summarize writes down a unit for its callers in other packages. Operands are parameters of maker,
// which is the unit itself or the declaration that a literal came out of.
func (p *pkg) summarize(u, maker *unit, depth int) summary.Summary {
	s := summary.Summary{NoReturn: u.noReturn}
	operand := func(l loc) (summary.Operand, bool) {
		if l.kind != param || l.unit != maker {
			return summary.Operand{}, false
		}
		return summary.Operand{Param: l.index, Path: l.path}, true
	}
	for _, e := range u.effects.all {
		p.steps.Take(1)
		if p.ignored(e.rule, e.leaf, e.stmt) {
			continue
		}
		out := summary.Effect{Rule: e.rule, What: e.what, Class: e.class, Note: e.note, ViaResult: e.viaResult, Memo: e.memo,
			Pos: cmp.Or(e.source, p.position(e.leaf))}
		out.Chain = slices.Clone(e.path)
		out.Chain = append(out.Chain, e.chain...)
		if e.kept != (loc{}) {
			o, ok := operand(e.kept)
			if !ok {
				continue
			}
			out.Kept = &o
		}
		if e.on != (loc{}) {
			if o, ok := operand(e.on); ok {
				out.On = &o
			} else if e.on.kind != global {
				continue
			} else if rule, ok := p.outlives(e.settled(), &root{unit: u}); ok {
				out.Rule, out.Class = rule, ""
				if rule == summary.StateCreation && !p.exportState(&out, e, u) {
					continue
				}
			} else {
				continue
			}
		}
		s.Effects = append(s.Effects, out)
	}
	s.Effects = fewest(s.Effects)
	for l, how := range u.calls.all {
		if o, ok := operand(l); ok {
			s.Calls = append(s.Calls, summary.ParamFunc{Operand: o, Once: how.once, Quiet: how.quiet})
		}
	}
	for l, how := range u.traces.all {
		if o, ok := operand(l); ok {
			s.Traces = append(s.Traces, summary.ParamFunc{Operand: o, Once: how.once, How: how.how, Engine: how.engine, Unwinds: how.unwinds, Kept: how.kept})
		}
	}
	for _, b := range u.builds.all {
		if len(b.free) > 0 {
			continue
		}
		s.Builds = append(s.Builds, summary.Build{What: b.what, Chain: b.chain, Once: b.once, Captures: b.captures})
	}
	if depth == 0 {
		s.Wraps = p.handedOver(u)
		for i, v := range u.results {
			s.Results = append(s.Results, p.describe(v, maker, i, "", 0)...)
		}
	}
	sortParams(s.Calls)
	sortParams(s.Traces)
	return s
}

func sortParams(list []summary.ParamFunc) {
	slices.SortFunc(list, func(a, b summary.ParamFunc) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), cmp.Compare(a.Path, b.Path))
	})
}

// fewest keeps one witness, the shortest, for each kind of effect, in a fixed order.
func fewest(effects []summary.Effect) []summary.Effect {
	kind := func(e summary.Effect) string {
		on := ""
		if e.On != nil {
			on = e.On.String()
		}
		if e.Kept != nil {
			on += "<-" + e.Kept.String()
		}
		return strings.Join([]string{e.Rule, on, e.Class, e.Note}, "\x00")
	}
	slices.SortFunc(effects, func(a, b summary.Effect) int {
		return cmp.Or(cmp.Compare(kind(a), kind(b)), cmp.Compare(len(a.Chain), len(b.Chain)),
			cmp.Compare(summary.Describe(a.Chain, a.What), summary.Describe(b.Chain, b.What)), cmp.Compare(a.Pos, b.Pos))
	})
	return slices.CompactFunc(effects, func(a, b summary.Effect) bool {
		return kind(a) == kind(b) && a.ViaResult == b.ViaResult
	})
}

// describe says where the parts of a result come from.
func (p *pkg) describe(v value, maker *unit, index int, path string, depth int) []summary.Result {
	var out []summary.Result
	for _, l := range v {
		r := summary.Result{Index: index, Path: path}
		switch {
		case l.kind == param && l.unit == maker:
			r.From = &summary.Operand{Param: l.index, Path: l.path}
		case l.kind == process:
			r.Stdio = stdioProcess
		case stdio(l):
			r.Stdio = l.obj.Name()
		case l.kind == site && l.unit.within(maker):
			r.Fresh = true
			if depth < maxResultDepth {
				fields := p.heap[l]
				for _, name := range slices.Sorted(maps.Keys(fields)) {
					out = append(out, p.describe(fields[name], maker, index, path+name, depth+1)...)
				}
			}
			if path != "" {
				continue
			}
		default:
			u := p.unitOf(l)
			if u == nil {
				continue
			}
			s := p.summarize(u, maker, 1)
			if s.Empty() {
				continue
			}
			r.Func = &s
		}
		out = append(out, r)
	}
	return out
}
