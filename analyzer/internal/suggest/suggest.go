// Package suggest helps with misspelt names.
package suggest

import (
	"fmt"
	"strings"
)

// DidYouMean ends a message about an unknown name: ": did you mean print?", or the list of all names if
// none is close.
func DidYouMean(name string, names []string) string {
	best, distance := "", 3
	for _, candidate := range names {
		if d := edits(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	if best == "" {
		return ": use one of " + strings.Join(names, ", ")
	}
	return fmt.Sprintf(": did you mean %s?", best)
}

// edits is the number of single-character changes between two names.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost = 1 + min(diagonal, row[j], row[j-1])
			}
			diagonal, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
