package tracecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/internal/clip"
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
		named[rec.NameOf(f)] += n
	}
	return named
}

// byFunction returns the diff of the counts, or says which names are no use.
func (e expectation) byFunction(rec *harness.Recorder, got map[harness.Function]int) string {
	known := newNames(rec)
	wanted := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(e.counts)) {
		shown, problem := known.resolve(name)
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

// names are what a recorder's functions are called.
type names struct {
	shown   map[string]string   // with or without the package
	sharing map[string][]string // the functions of a short name
}

func newNames(rec *harness.Recorder) names {
	n := names{shown: map[string]string{}, sharing: map[string][]string{}}
	for _, f := range rec.Functions() {
		shown := rec.NameOf(f)
		n.shown[f.String()], n.shown[shown] = shown, shown
		n.sharing[f.Name] = append(n.sharing[f.Name], f.String())
	}
	return n
}

// resolve returns the name by which the recorder shows the function that a
// person calls name.
func (n names) resolve(name string) (shown, problem string) {
	if shown, ok := n.shown[name]; ok {
		return shown, ""
	}
	if sharing := n.sharing[name]; len(sharing) > 0 {
		return "", fmt.Sprintf("%q names %d functions; count each with its package: %s",
			name, len(sharing), strings.Join(sharing, ", "))
	}
	return name, ""
}

// maxRows bounds the functions of a table.
const maxRows = 50

// diff returns a diff of counts, empty if they are as wanted. A missing count is
// 0. Where there are many, functions with the wanted count are left out.
func (e expectation) diff(want, got map[string]int) string {
	names := slices.AppendSeq(slices.Sorted(maps.Keys(want)), maps.Keys(got))
	slices.Sort(names)
	names = slices.Compact(names)
	right := func(name string) bool { return !e.differs(want[name], got[name]) }
	all := len(names)
	if all > maxRows {
		names = slices.DeleteFunc(names, right)
	}
	if !slices.ContainsFunc(names, func(name string) bool { return !right(name) }) {
		return ""
	}
	title := "traces by function (-want +got):\n"
	if e.atMost {
		title = "traces by function (-want at most +got):\n"
	}
	text := rows(names, func(row *strings.Builder, name, column string) {
		if right(name) {
			fmt.Fprintf(row, "    %s  %d\n", column, got[name])
		} else {
			fmt.Fprintf(row, "  - %s  %d\n  + %s  %d\n", column, want[name], column, got[name])
		}
	})
	if all > maxRows && all > len(names) {
		text += "\n    " + count(all-len(names), "function") + " as wanted"
	}
	return title + text
}

// table returns counts, one function a line.
func table(counts map[string]int) string {
	return rows(slices.Sorted(maps.Keys(counts)), func(row *strings.Builder, name, column string) {
		fmt.Fprintf(row, "    %s  %d\n", column, counts[name])
	})
}

// rows returns what is written for the first names, each with its column of the
// width of all, and how many there are beyond.
func rows(names []string, write func(row *strings.Builder, name, column string)) string {
	shown := names[:min(len(names), maxRows)]
	columns := make([]string, len(shown))
	for i, name := range shown {
		columns[i] = clip.Middle(name, maxName)
	}
	width := longest(columns)
	var text strings.Builder
	for i, name := range shown {
		write(&text, name, fmt.Sprintf("%-*s", width, columns[i]))
	}
	if more := len(names) - len(shown); more > 0 {
		fmt.Fprintf(&text, "    and %d more\n", more)
	}
	return strings.TrimSuffix(text.String(), "\n")
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
