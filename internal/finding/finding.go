// Package finding shows what tracelint found to other programs: as SARIF and as annotations of GitHub. It tells new
// findings from those that a baseline accepts.
package finding

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/driver"
)

// Finding is one finding with all that outputs show of it.
type Finding struct {
	Key
	Fingerprint string // hexadecimal; the same as long as the key is, and different for each finding of one key
	Severity    analyzer.Severity
	Message     string
	Region      Region
	Related     []Related
}

// Key is what a finding is known by from one version of the code to the next, whatever happens to lines around it.
type Key struct {
	Rule    string
	Package string // import path
	Func    string // as in analyzer.Finding
	Code    string // as in analyzer.Finding
}

// Region is a piece of source. Lines and columns count from 1, columns in characters; the end is behind the last one.
type Region struct {
	File                                       string
	StartLine, StartColumn, EndLine, EndColumn int
}

// Related is another place that a finding speaks of.
type Related struct {
	Message string
	Region  Region
}

// All lists the findings of an analysis by file and position.
func All(result *driver.Result) []Finding {
	sources := sources{result: result, lines: make(map[string][]string)}
	var found []Finding
	for _, p := range result.Packages {
		for _, f := range p.Result.(*analyzer.Result).Findings {
			next := Finding{
				Key:      keyOf(p.Path, f),
				Severity: f.Severity,
				Message:  f.Message,
				Region:   sources.region(f.Pos, f.End),
			}
			for _, r := range f.Related {
				next.Related = append(next.Related, Related{r.Message, sources.region(r.Pos, r.End)})
			}
			found = append(found, next)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Region.File, b.Region.File),
			cmp.Compare(a.Region.StartLine, b.Region.StartLine),
			cmp.Compare(a.Region.StartColumn, b.Region.StartColumn),
			cmp.Compare(a.Message, b.Message),
		)
	})
	seen := make(map[Key]int)
	for i := range found {
		f := &found[i]
		f.Fingerprint = f.Key.fingerprint(seen[f.Key])
		seen[f.Key]++
	}
	return found
}

func keyOf(path string, f analyzer.Finding) Key {
	return Key{f.Category, path, f.Func, f.Code}
}

// fingerprint is that of the finding of this key before which there are so many others.
func (k Key) fingerprint(before int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d", []string{k.Rule, k.Package, k.Func, k.Code}, before))
	return fmt.Sprintf("%x", sum[:16])
}

// sources holds the lines of files. A file that is no package's, such as one that a //line comment names, has none.
type sources struct {
	result *driver.Result
	lines  map[string][]string
}

func (s sources) region(start, end token.Pos) Region {
	from, to := s.result.Fset.Position(start), s.result.Fset.Position(cmp.Or(end, start))
	return Region{
		File:        from.Filename,
		StartLine:   from.Line,
		StartColumn: s.column(from),
		EndLine:     to.Line,
		EndColumn:   s.column(to),
	}
}

// column counts in characters what Go counts in bytes.
func (s sources) column(p token.Position) int {
	lines, ok := s.lines[p.Filename]
	if !ok {
		if s.result.IsSource(p.Filename) {
			text, err := os.ReadFile(p.Filename)
			if err == nil {
				lines = strings.Split(string(text), "\n")
			}
		}
		s.lines[p.Filename] = lines
	}
	if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 {
		return max(p.Column, 1)
	}
	return utf8.RuneCountInString(lines[p.Line-1][:p.Column-1]) + 1
}
