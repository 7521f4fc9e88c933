package tracecheck

import (
	"slices"
	"strings"
)

// Bounds of a diff: of its lines, and of the equal ones around each difference.
const (
	diffShown   = 60
	diffContext = 6
)

// diffLines returns the lines of two texts, those of one alone marked. A text is
// as long as that of a budget: a longer one is none that Golden wrote, and its
// end is not looked at.
func diffLines(want, got string) string {
	lines := shorten(difference(splitLines(want), splitLines(got)))
	if more := len(lines) - diffShown; more > 0 {
		lines = append(lines[:diffShown], "    and "+count(more, "more line"))
	}
	return strings.Join(lines, "\n")
}

func splitLines(text string) []string {
	lines := strings.SplitN(strings.TrimSuffix(text, "\n"), "\n", budgetLines+2)
	return lines[:min(len(lines), budgetLines+1)]
}

const equalMark = "    " // before lines of both texts

// difference returns the lines of both, as few as can be marked as of one alone.
func difference(a, b []string) []string {
	// common[i][j] is the number of lines that a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, equalMark+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "  - "+a[i])
			i++
		default:
			lines = append(lines, "  + "+b[j])
			j++
		}
	}
	return lines
}

// shorten leaves out the middle of long runs of equal lines, and the last ones.
func shorten(lines []string) []string {
	var kept []string
	for len(lines) > 0 {
		isEqual := strings.HasPrefix(lines[0], equalMark)
		run := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, equalMark) != isEqual })
		last := run < 0
		if last {
			run = len(lines)
		}
		switch {
		case isEqual && last:
			kept = append(kept, lines[:min(run, diffContext)]...)
		case isEqual && run > 2*diffContext:
			kept = append(kept, lines[:diffContext]...)
			kept = append(kept, equalMark+"... "+count(run-2*diffContext, "equal line")+" ...")
			kept = append(kept, lines[run-diffContext:run]...)
		default:
			kept = append(kept, lines[:run]...)
		}
		lines = lines[run:]
	}
	return kept
}
