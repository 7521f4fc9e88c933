package tracecheck

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/harness"
)

// A budget is what was traced and why, whatever the order.
type budget struct{ functions []tracedFunction }

type tracedFunction struct {
	name       string
	signatures []tracedSignature
}

type tracedSignature struct {
	args  harness.Signature // nil if unknown
	text  string
	key   string   // equal for equal signatures only
	again []string // why there were further traces, sorted
}

// literal matches what the compiler names a function literal.
var literal = regexp.MustCompile(`\.(func)?[0-9]+(\.|$)`)

// newBudget returns the budget that the traces make full use of.
func newBudget(rec *harness.Recorder, traces []harness.Trace) (budget, error) {
	byName := map[string][]harness.Trace{}
	for _, t := range traces {
		if t.Function.Package != "" && literal.MatchString(t.Function.Name) {
			return budget{}, fmt.Errorf("function literal %s has no lasting name: give it one, as in harness.Wrap(rec, \"step\", f) or with gomlx.WithName(\"step\")", t.Function.Name)
		}
		name := rec.NameOf(t.Function)
		byName[name] = append(byName[name], t)
	}
	var b budget
	for name, traces := range byName {
		b.functions = append(b.functions, tracedFunction{name, bySignature(traces)})
	}
	slices.SortFunc(b.functions, func(x, y tracedFunction) int { return strings.Compare(x.name, y.name) })
	return b, nil
}

// bySignature returns the distinct signatures of a function's traces, sorted.
func bySignature(traces []harness.Trace) []tracedSignature {
	var signatures []tracedSignature
	known := map[string]int{}
	for _, t := range traces {
		s := newTracedSignature(t.Args)
		i, ok := known[s.key]
		if !ok {
			known[s.key] = len(signatures)
			signatures = append(signatures, s)
			continue
		}
		signatures[i].again = append(signatures[i].again, again(t.Cause))
	}
	for _, s := range signatures {
		slices.Sort(s.again)
	}
	slices.SortFunc(signatures, func(a, b tracedSignature) int {
		return cmp.Or(compareNumbered(a.text, b.text), strings.Compare(a.key, b.key))
	})
	return signatures
}

func newTracedSignature(args harness.Signature) tracedSignature {
	if args == nil {
		return tracedSignature{text: "(?)", key: "?"} // no signature has that key
	}
	args = unnamed(args)
	text, key := "("+args.String()+")", args.Key()
	if omits(args) {
		sum := sha256.Sum256([]byte(key))
		text += "  sum " + shortSum(sum[:])
	}
	return tracedSignature{args: args, text: text, key: key}
}

// omits reports whether there is more to a signature than a recorder keeps and
// shows.
func omits(args []harness.Arg) bool {
	return slices.ContainsFunc(args, func(a harness.Arg) bool { return a.Omitted > 0 || omits(a.Elems) })
}

// unnamed returns the signature without the names of parameters, which are
// unknown where the source files are.
func unnamed(args harness.Signature) harness.Signature {
	args = slices.Clone(args)
	for i := range args {
		if args[i].Kind != harness.Context {
			args[i].Name = ""
		}
	}
	return args
}

// again says why a signature was traced again, without what only one run or one
// machine knows.
func again(c harness.Cause) string {
	text := c.Kind.String()
	if c.Kind == harness.CauseSameSignature {
		switch c.Wrapper {
		case harness.WrapperSame:
			text += ", same wrapper"
		case harness.WrapperOther:
			text += ", another wrapper"
		}
	}
	return text
}

// compareNumbered compares texts, and the numbers in them by value.
func compareNumbered(a, b string) int {
	for a != "" && b != "" {
		x, y := leadingDigits(a), leadingDigits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if x != y {
			return strings.Compare(x, y)
		}
		a, b = a[len(x):], b[len(y):]
	}
	return len(a) - len(b)
}

func leadingDigits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}

// text returns the budget as it is checked in.
func (b budget) text() string {
	var s sheet
	for _, f := range b.functions {
		s.line("")
		s.line(f.name)
		for i, signature := range f.signatures {
			text := "  " + signature.text
			if !s.full() {
				text += nearest(signature, f.signatures[max(0, i-nearestAmong):i])
			}
			s.line(text)
			for _, why := range signature.again {
				s.line("    again: " + why)
			}
		}
	}
	return s.text()
}

// nearestAmong bounds how many signatures each one is compared with.
const nearestAmong = 64

// nearest tells in what a signature differs from the one that it differs least
// from.
func nearest(s tracedSignature, above []tracedSignature) string {
	var least []harness.Difference
	for i := len(above) - 1; i >= 0; i-- {
		if s.args == nil || above[i].args == nil {
			continue
		}
		if d := harness.Diff(above[i].args, s.args); least == nil || len(d) < len(least) {
			least = d
		}
	}
	if least == nil {
		return ""
	}
	texts := make([]string, len(least))
	for i, d := range least {
		texts[i] = d.String()
	}
	return "  " + strings.Join(texts, ", ")
}
