package finding

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
)

// Baseline is a list of findings that are accepted for now: how many of each key.
type Baseline map[Key]int

// baselineHead begins a file. Comments and empty lines have no meaning.
const baselineHead = `# Findings of tracelint that are accepted for now; written by "tracelint -write-baseline".
# count, rule, package, function, statement
`

// noFunc stands for the function of findings outside of functions.
const noFunc = "-"

// NewBaseline accepts all findings of a list.
func NewBaseline(found []Finding) Baseline {
	b := make(Baseline)
	for _, f := range found {
		b[f.Key]++
	}
	return b
}

// String is the baseline as a file holds it: a line for each key with its count, separated by tabs, sorted by package.
func (b Baseline) String() string {
	var text strings.Builder
	text.WriteString(baselineHead)
	for _, key := range slices.SortedFunc(maps.Keys(b), Key.compare) {
		fmt.Fprintf(&text, "%d\t%s\t%s\t%s\t%q\n", b[key], key.Rule, key.Package, cmp.Or(key.Func, noFunc), key.Code)
	}
	return text.String()
}

func (k Key) compare(other Key) int {
	return cmp.Or(
		cmp.Compare(k.Package, other.Package),
		cmp.Compare(k.Func, other.Func),
		cmp.Compare(k.Rule, other.Rule),
		cmp.Compare(k.Code, other.Code),
	)
}

// ParseBaseline reads what String wrote. An error names the line as name:line, and says what is wrong with it.
func ParseBaseline(name, text string) (Baseline, error) {
	b := make(Baseline)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, count, err := parseEntry(line)
		if err == nil && b[key] > 0 {
			err = errors.New("the entry stands here twice: keep one line with the sum of the counts")
		}
		if err != nil {
			return nil, errors.New(clip.Message(fmt.Sprintf("%s:%d: %v", name, number, err)))
		}
		b[key] = count
	}
	return b, nil
}

func parseEntry(line string) (Key, int, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 5 {
		return Key{}, 0, fmt.Errorf("%d fields between tabs instead of 5: count, rule, package, function, statement", len(fields))
	}
	count, err := strconv.Atoi(fields[0])
	if err != nil || count < 1 {
		return Key{}, 0, fmt.Errorf("%s is no count of findings", clip.Quote(fields[0]))
	}
	if err := analyzer.CheckRule(fields[1]); err != nil {
		return Key{}, 0, err
	}
	if fields[2] == "" || fields[3] == "" {
		return Key{}, 0, fmt.Errorf("package or function is empty: write %s for a finding outside of functions", noFunc)
	}
	code, err := strconv.Unquote(fields[4])
	if err != nil {
		return Key{}, 0, fmt.Errorf("statement %s is no quoted string", clip.Middle(fields[4], 80))
	}
	key := Key{Rule: fields[1], Package: fields[2], Func: fields[3], Code: code}
	if key.Func == noFunc {
		key.Func = ""
	}
	return key, count, nil
}

// Subtract drops the findings that are accepted, the first ones where there are more than that, and takes them out of the
// baseline: what is left in it was not found.
func (b Baseline) Subtract(path string, found []analyzer.Finding) []analyzer.Finding {
	var fresh []analyzer.Finding
	for _, f := range found {
		key := keyOf(path, f)
		if b[key] == 0 {
			fresh = append(fresh, f)
			continue
		}
		b[key]--
	}
	return fresh
}

// Left counts the accepted findings of a package that have not been subtracted.
func (b Baseline) Left(path string) int {
	left := 0
	for key, count := range b {
		if key.Package == path {
			left += count
		}
	}
	return left
}
