package driver

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// notice is a message with the source that it is about.
type notice struct {
	start, end token.Position
	message    string
	source     string // the file that can be shown; empty if there is none
	related    []notice
}

// PrintText writes the diagnostics as "go vet" does, "file:line:column: message" and then a line for each related
// position with its message indented by a tab, but sorted by position. Below each line it shows the source, with as
// many lines of context around it, unless context is negative.
func (r *Result) PrintText(w io.Writer, context int) error {
	var text strings.Builder
	for _, n := range r.notices() {
		n.print(&text, context)
		for _, related := range n.related {
			related.message = "\t" + related.message
			related.print(&text, context)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// notices sorts all diagnostics by position.
func (r *Result) notices() []notice {
	var notices []notice
	for _, p := range r.Packages {
		for _, d := range p.Diagnostics {
			n := r.notice(d.Pos, d.End, d.Message)
			for _, related := range d.Related {
				n.related = append(n.related, r.notice(related.Pos, related.End, related.Message))
			}
			notices = append(notices, n)
		}
	}
	slices.SortFunc(notices, func(a, b notice) int {
		return cmp.Or(
			cmp.Compare(a.start.Filename, b.start.Filename),
			cmp.Compare(a.start.Line, b.start.Line),
			cmp.Compare(a.start.Column, b.start.Column),
			cmp.Compare(a.message, b.message),
		)
	})
	return notices
}

func (r *Result) notice(start, end token.Pos, message string) notice {
	n := notice{start: r.Fset.Position(start), end: r.Fset.Position(cmp.Or(end, start)), message: message}
	if r.IsSource(n.start.Filename) {
		n.source = n.start.Filename
	}
	return n
}

func (n notice) print(text *strings.Builder, context int) {
	fmt.Fprintf(text, "%s: %s\n", clip.Printable(shortPosition(n.start)), n.message)
	if context < 0 || n.source == "" {
		return
	}
	source, err := os.ReadFile(n.source)
	if err != nil {
		return // it was there when it was parsed
	}
	lines := strings.Split(string(source), "\n")
	for i := max(n.start.Line-context, 1); i <= min(n.end.Line+context, len(lines)); i++ {
		fmt.Fprintf(text, "%d\t%s\n", i, clip.Printable(strings.TrimSuffix(lines[i-1], "\r")))
	}
}

// shortPosition shows a position with its file relative to the current directory, if that is shorter.
func shortPosition(position token.Position) string {
	if dir, err := os.Getwd(); err == nil {
		relative, err := filepath.Rel(dir, position.Filename)
		if err == nil && len(relative) < len(position.Filename) {
			position.Filename = relative
		}
	}
	if strings.HasPrefix(position.Filename, "::") {
		position.Filename = "." + string(filepath.Separator) + position.Filename // the log of a GitHub workflow obeys lines that begin so
	}
	return position.String()
}

// shortPaths makes the paths in a message of the go command relative, if they lie below the current directory.
func shortPaths(message string) string {
	dir, err := os.Getwd()
	if err != nil {
		return message
	}
	return strings.ReplaceAll(message, dir+string(filepath.Separator), "")
}
