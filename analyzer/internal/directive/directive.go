// Package directive reads the comments by which people tell the analyzer what they know better:
//
//	//tracelint:ignore RULE[,RULE] reason   on the line, the line above, or a declaration
//	//tracelint:traced                      on a function: an engine traces it
//	//tracelint:host                        on a function: no engine traces it
//
// A reason is required. What is malformed, unknown, misplaced or unused is a problem of its own, so that
// a comment that does nothing is never taken for one that does.
package directive

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer/internal/suggest"
)

// Prefix begins every directive.
const prefix = "//tracelint:"

// Problem is a directive that does not do what its author meant.
type Problem struct {
	Comment *ast.Comment
	Message string
}

// ignore is one ignore comment.
type ignore struct {
	comment  *ast.Comment
	rules    []string
	used     map[string]bool
	file     *token.File
	line     int       // the line that it speaks of
	from, to token.Pos // the declaration that it speaks of, if any
}

// Set holds the directives of a package.
type Set struct {
	fset     *token.FileSet
	ignores  []*ignore
	marked   map[ast.Node]string // function declarations and literals -> "traced" or "host"
	problems []Problem
}

// Parse reads the directives of files. The rules are the names that an ignore may give.
func Parse(fset *token.FileSet, files []*ast.File, rules []string) *Set {
	s := &Set{fset: fset, marked: map[ast.Node]string{}}
	for _, file := range files {
		p := &parser{set: s, file: file, tokens: fset.File(file.FileStart), rules: rules}
		for _, group := range file.Comments {
			for _, c := range group.List {
				p.comment(c, group)
			}
		}
	}
	return s
}

// Ignored reports whether an ignore comment silences a rule at a node, in or below the statement given,
// and marks the comment as used.
func (s *Set) Ignored(rule string, node, stmt ast.Node) bool {
	found := false
	for _, ig := range s.ignores {
		if !slices.Contains(ig.rules, rule) || !ig.covers(s.fset, node) && !ig.covers(s.fset, stmt) {
			continue
		}
		ig.used[rule] = true
		found = true
	}
	return found
}

func (ig *ignore) covers(fset *token.FileSet, n ast.Node) bool {
	if fset.File(n.Pos()) != ig.file {
		return false
	}
	if ig.from.IsValid() {
		return ig.from <= n.Pos() && n.Pos() < ig.to
	}
	return ig.file.Line(n.Pos()) == ig.line
}

// Traced reports whether a function declaration or literal is marked as traced.
func (s *Set) Traced(fn ast.Node) bool { return s.marked[fn] == "traced" }

// Host reports whether a function declaration or literal is marked as host code.
func (s *Set) Host(fn ast.Node) bool { return s.marked[fn] == "host" }

// Problems lists what is wrong with the directives, in source order. It is asked once all that can be
// ignored has been: an ignore of an active rule that silenced nothing is a problem too.
func (s *Set) Problems(active func(rule string) bool) []Problem {
	out := slices.Clone(s.problems)
	for _, ig := range s.ignores {
		for _, rule := range ig.rules {
			if active(rule) && !ig.used[rule] {
				out = append(out, Problem{ig.comment,
					fmt.Sprintf("tracelint:ignore %s silences nothing: remove it", rule)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Problem) int { return cmp.Compare(a.Comment.Pos(), b.Comment.Pos()) })
	return out
}

// parser reads the directives of one file.
type parser struct {
	set    *Set
	file   *ast.File
	tokens *token.File
	rules  []string
}

var spaced = regexp.MustCompile(`^//\s+tracelint:\s*(ignore|traced|host)\b`)

func (p *parser) comment(c *ast.Comment, group *ast.CommentGroup) {
	if spaced.MatchString(c.Text) {
		p.problem(c, "tracelint directives have no space after //: it is an ordinary comment and does nothing")
		return
	}
	text, ok := strings.CutPrefix(c.Text, prefix)
	if !ok {
		return
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch verb {
	case "ignore":
		p.ignore(c, group, strings.TrimSpace(rest))
	case "traced", "host":
		p.mark(c, group, verb)
	default:
		p.problem(c, fmt.Sprintf("tracelint:%s is no directive: use ignore, traced or host", verb))
	}
}

func (p *parser) problem(c *ast.Comment, message string) {
	p.set.problems = append(p.set.problems, Problem{c, message})
}

func (p *parser) ignore(c *ast.Comment, group *ast.CommentGroup, rest string) {
	// An ignore may stand before other comments on its line, such as those of another tool.
	rest, _, _ = strings.Cut(rest, " //")
	names, reason, _ := strings.Cut(rest, " ")
	if names == "" {
		p.problem(c, "tracelint:ignore names no rule: write //tracelint:ignore RULE reason")
		return
	}
	rules := strings.Split(names, ",")
	for _, rule := range rules {
		if !slices.Contains(p.rules, rule) {
			p.problem(c, fmt.Sprintf("tracelint:ignore names the unknown rule %q%s", rule, suggest.DidYouMean(rule, p.rules)))
			return
		}
	}
	if strings.TrimSpace(reason) == "" {
		p.problem(c, fmt.Sprintf("tracelint:ignore %s gives no reason: write why after the rule", names))
		return
	}
	ig := &ignore{comment: c, rules: rules, used: map[string]bool{}, file: p.tokens}
	if decl := p.declOf(group); decl != nil {
		ig.from, ig.to = decl.Pos(), decl.End()
	} else if p.alone(c) {
		ig.line = p.tokens.Line(group.End()) + 1
	} else {
		ig.line = p.tokens.Line(c.Pos())
	}
	p.set.ignores = append(p.set.ignores, ig)
}

// declOf is the declaration whose documentation a comment group is, or nil.
func (p *parser) declOf(group *ast.CommentGroup) ast.Decl {
	for _, decl := range p.file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == group {
				return d
			}
		case *ast.GenDecl:
			if d.Doc == group {
				return d
			}
		}
	}
	return nil
}

// alone reports whether nothing stands before a comment on its line.
func (p *parser) alone(c *ast.Comment) bool {
	line := p.tokens.Line(c.Pos())
	alone := true
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil || !alone {
			return false
		}
		if _, ok := n.(*ast.CommentGroup); ok {
			return false
		}
		if n.Pos() >= c.Pos() {
			return false
		}
		if n.End() <= c.Pos() && p.tokens.Line(n.End()) == line || p.tokens.Line(n.Pos()) == line {
			alone = false
		}
		return alone
	})
	return alone
}

// mark applies a traced or host directive to the function that it stands on: a declaration that it
// documents, or a literal that begins on its line or the next.
func (p *parser) mark(c *ast.Comment, group *ast.CommentGroup, verb string) {
	if fn, ok := p.declOf(group).(*ast.FuncDecl); ok {
		p.set.marked[fn] = verb
		return
	}
	line := p.tokens.Line(c.Pos())
	if p.alone(c) {
		line = p.tokens.Line(group.End()) + 1
	}
	found := false
	ast.Inspect(p.file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && !found && p.tokens.Line(lit.Pos()) == line {
			p.set.marked[lit] = verb
			found = true
		}
		return !found
	})
	if !found {
		p.problem(c, fmt.Sprintf("tracelint:%s stands on no function: put it above a declaration or on the line of a literal", verb))
	}
}
