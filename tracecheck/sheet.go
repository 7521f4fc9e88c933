package tracecheck

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// budgetTitle begins each budget: a reader of the file may know nothing of it.
const budgetTitle = `# What is traced, and in what each signature differs from the most similar one above it.
# Written by tracecheck.Golden; TRACELINT_UPDATE=1 go test rewrites it.
`

// Bounds of a budget's text.
const (
	budgetLines = 200
	budgetBytes = 64 << 10
)

// A sheet is the text of a budget: what it has no room for is there as a sum, so
// that texts are equal for equal budgets only.
type sheet struct {
	lines []string
	bytes int
	left  int
	sum   hash.Hash // of the lines that are left out; nil if none is
}

// full reports whether there is no room for a further line.
func (s *sheet) full() bool { return s.sum != nil }

func (s *sheet) line(text string) {
	if short := cutWithSum(text); !s.full() && s.fits(short) {
		s.lines = append(s.lines, short)
		s.bytes += len(short) + 1
		return
	}
	if s.sum == nil {
		s.sum = sha256.New()
	}
	s.left++
	fmt.Fprintln(s.sum, text)
}

// fits reports whether there is room for a line, and for the two of the sum.
func (s *sheet) fits(line string) bool {
	title := strings.Count(budgetTitle, "\n")
	return title+len(s.lines)+1+2 <= budgetLines && s.bytes+len(budgetTitle)+len(line)+maxName < budgetBytes
}

func (s *sheet) text() string {
	text := budgetTitle
	for _, line := range s.lines {
		text += line + "\n"
	}
	if s.full() {
		text += fmt.Sprintf("\nand %s, of the sum %s\n", count(s.left, "more line"), shortSum(s.sum.Sum(nil)))
	}
	return text
}

// cutWithSum returns a line that is bounded and equal for equal lines only.
func cutWithSum(line string) string {
	if len(line) <= maxLine {
		return line
	}
	sum := sha256.Sum256([]byte(line))
	return clip.Middle(line, maxLine) + "  sum " + shortSum(sum[:])
}

// shortSum returns as much of a sum as tells budgets apart.
func shortSum(sum []byte) string { return hex.EncodeToString(sum[:8]) }
