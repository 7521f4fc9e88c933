package fix

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// source is the text of a file.
type source struct {
	syntax *ast.File
	file   *token.File
	text   []byte
}

// source reads the file around a node. It returns nil if the file has changed since it was parsed.
func (s *Suggester) source(at inspector.Cursor) *source {
	for c := range at.Enclosing((*ast.File)(nil)) {
		syntax := c.Node().(*ast.File)
		file := s.pass.Fset.File(syntax.FileStart)
		text, err := s.pass.ReadFile(file.Name())
		if err != nil || len(text) != file.Size() {
			return nil
		}
		return &source{syntax, file, text}
	}
	return nil
}

// between is the text from one position to another.
func (src *source) between(pos, end token.Pos) string {
	return string(src.text[src.file.Offset(pos):src.file.Offset(end)])
}

// of is the text of a node.
func (src *source) of(n ast.Node) string { return src.between(n.Pos(), n.End()) }

// lineStart is the start of the line of a position.
func (src *source) lineStart(pos token.Pos) token.Pos {
	return src.file.LineStart(src.file.Line(pos))
}

// lineEnd is the start of the line after that of a position.
func (src *source) lineEnd(pos token.Pos) token.Pos {
	rest := src.text[src.file.Offset(pos):]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return pos + token.Pos(i+1)
	}
	return pos + token.Pos(len(rest))
}

// indent is the white space before a position, and false if there is more on its line.
func (src *source) indent(pos token.Pos) (string, bool) {
	text := src.between(src.lineStart(pos), pos)
	return text, strings.TrimSpace(text) == ""
}

// comments lists the comment groups inside a range.
func (src *source) comments(pos, end token.Pos) []*ast.CommentGroup {
	var out []*ast.CommentGroup
	for _, group := range src.syntax.Comments {
		if pos <= group.Pos() && group.End() <= end {
			out = append(out, group)
		}
	}
	return out
}

// withLead is the start of the lines of a statement and of the comment right above it.
func (src *source) withLead(pos token.Pos) token.Pos {
	for _, group := range src.syntax.Comments {
		if src.file.Line(group.End()) == src.file.Line(pos)-1 {
			if _, alone := src.indent(group.Pos()); alone {
				return src.lineStart(group.Pos())
			}
		}
	}
	return src.lineStart(pos)
}

// lines is the range of whole lines that statements and their comments take up, and false if anything
// else stands there.
func (src *source) lines(first, last ast.Node) (pos, end token.Pos, ok bool) {
	if _, alone := src.indent(first.Pos()); !alone {
		return 0, 0, false
	}
	end = src.lineEnd(last.End())
	after := last.End()
	for _, group := range src.comments(last.End(), end) {
		after = group.End()
	}
	if strings.TrimSpace(src.between(after, end)) != "" {
		return 0, 0, false
	}
	return src.withLead(first.Pos()), end, true
}

// blankEnd is the end of whole lines that go away, with the blank line after them if one stands, or a block
// starts, before them.
func (src *source) blankEnd(pos, end token.Pos) token.Pos {
	before := bytes.TrimRight(src.text[:src.file.Offset(pos)], " \t\n")
	next := src.lineEnd(end)
	if strings.TrimSpace(src.between(end, next)) == "" && (bytes.HasSuffix(before, []byte("{")) || src.file.Offset(pos)-len(before) > 1) {
		return next
	}
	return end
}

// reindent moves whole lines from one indentation to another. Lines that may belong to a raw string stay.
func reindent(text, from, to string) string {
	if strings.Contains(text, "`") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, from); ok {
			line = to + rest
		}
		out.WriteString(line)
	}
	return out.String()
}

// replace is an edit of a range.
func replace(pos, end token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)}
}

// within reports whether a position lies in a node.
func within(pos token.Pos, n ast.Node) bool { return n.Pos() <= pos && pos < n.End() }
