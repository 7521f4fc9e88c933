package tracecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/harness"
)

// An expectation is what a block should trace: counts, or a total if they are nil.
type expectation struct {
	total  int
	counts Counts
	atMost bool // rather than exactly
}

// differs reports whether a number of traces is none that is wanted.
func (e expectation) differs(want, got int) bool { return got > want || got < want && !e.atMost }

// newExpectation returns the expectation, or what is wrong with it.
func newExpectation(want any) (e expectation, problem string) {
	switch want := want.(type) {
	case int:
		if want < 0 {
			return e, fmt.Sprintf("want %d: a number of traces cannot be negative", want)
		}
		return expectation{total: want}, ""
	case Counts:
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if want[name] < 0 {
				return e, fmt.Sprintf("want %d of %q: a number of traces cannot be negative", want[name], name)
			}
		}
		if want == nil {
			want = Counts{}
		}
		return expectation{counts: want}, ""
	}
	panic(fmt.Sprintf("tracecheck: %T is neither int nor Counts", want))
}

// mismatch says in what the traces differ from the expectation; empty if in nothing.
func (e expectation) mismatch(rec *harness.Recorder, traces []harness.Trace) string {
	got := map[harness.Function]int{}
	for _, t := range traces {
		got[t.Function]++
	}
	if e.counts != nil {
		return e.byFunction(rec, got)
	}
	if !e.differs(e.total, len(traces)) {
		return ""
	}
	text := "want "
	if e.atMost {
		text += "at most "
	}
	text += fmt.Sprintf("%s, got %d", count(e.total, "trace"), len(traces))
	if len(got) > 1 {
		text += ":\n" + table(byName(rec, got))
	}
	return text
}

// byName returns the counts by the names that the recorder shows.
func byName(rec *harness.Recorder, counts map[harness.Function]int) map[string]int {
	named := map[string]int{}
	for f, n := range counts {
		named[rec.NameOf(f)] = n
	}
	return named
}

// byFunction returns the diff of the counts, or says which names are no use.
func (e expectation) byFunction(rec *harness.Recorder, got map[harness.Function]int) string {
	wanted := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(e.counts)) {
		shown, problem := resolve(rec, name)
		if _, twice := wanted[shown]; twice {
			problem = fmt.Sprintf("%q is counted twice, with and without its package", shown)
		}
		if problem != "" {
			return problem
		}
		wanted[shown] = e.counts[name]
	}
	return e.diff(wanted, byName(rec, got))
}

// resolve returns the name by which the recorder shows the function that a
// person calls name.
func resolve(rec *harness.Recorder, name string) (shown, problem string) {
	var sharing []string
	for _, f := range rec.Functions() {
		switch {
		case name == f.String() || name == rec.NameOf(f):
			return rec.NameOf(f), ""
		case name == f.Name:
			sharing = append(sharing, f.String())
		}
	}
	if len(sharing) > 0 {
		return "", fmt.Sprintf("%q names %d functions; count each with its package: %s",
			name, len(sharing), strings.Join(sharing, ", "))
	}
	return name, ""
}

// diff returns a diff of counts, empty if they are as wanted. A missing count is 0.
func (e expectation) diff(want, got map[string]int) string {
	names := slices.AppendSeq(slices.Sorted(maps.Keys(want)), maps.Keys(got))
	slices.Sort(names)
	names = slices.Compact(names)
	width := longest(names)
	var text strings.Builder
	equal := true
	for _, name := range names {
		w, g := want[name], got[name]
		if !e.differs(w, g) {
			fmt.Fprintf(&text, "    %-*s  %d\n", width, name, g)
			continue
		}
		equal = false
		fmt.Fprintf(&text, "  - %-*s  %d\n  + %-*s  %d\n", width, name, w, width, name, g)
	}
	if equal {
		return ""
	}
	title := "traces by function (-want +got):\n"
	if e.atMost {
		title = "traces by function (-want at most +got):\n"
	}
	return title + strings.TrimSuffix(text.String(), "\n")
}

// table returns counts, one function a line.
func table(counts map[string]int) string {
	names := slices.Sorted(maps.Keys(counts))
	width := longest(names)
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = fmt.Sprintf("    %-*s  %d", width, name, counts[name])
	}
	return strings.Join(lines, "\n")
}

func longest(names []string) int {
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	return width
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
