// Package docs_test holds the documentation against the code.
package docs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
)

// root is the repository's directory, seen from here.
const root = ".."

// files gives the names, relative to the repository, of its files with an extension.
func files(t *testing.T, extension string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name == ".git":
			return fs.SkipDir
		case path.Ext(name) == extension:
			names = append(names, name)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

var fenced = regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")

// TestGoBlocks finds each Go block of the documentation in a file that is compiled, indentation apart: what people copy is what
// is tested. The blocks of the rules' pages and of the tutorial are compiled on their own, by TestRuleSnippets in
// harness/gomlx and by integration/release.
func TestGoBlocks(t *testing.T) {
	var code strings.Builder
	for _, name := range files(t, ".go") {
		if !strings.HasPrefix(name, "analyzer/testdata/") {
			code.WriteString(withoutIndentation(read(t, name)))
		}
	}
	blocks := 0
	for _, page := range files(t, ".md") {
		if strings.HasPrefix(page, "docs/rules/") || page == "docs/tutorial.md" {
			continue
		}
		for _, block := range fenced.FindAllStringSubmatch(read(t, page), -1) {
			if block[1] != "go" || comments.ReplaceAllString(block[2], "") == "" {
				continue
			}
			blocks++
			if !strings.Contains(code.String(), withoutIndentation(block[2])) {
				t.Errorf("%s shows code that no file of the repository has:\n%s", page, block[2])
			}
		}
	}
	require.Greater(t, blocks, 20)
}

var comments = regexp.MustCompile(`(?m)^//.*\n`)

func withoutIndentation(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		lines.WriteString(strings.TrimLeft(line, " \t"))
	}
	return lines.String()
}

var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// TestLinks follows each link of the documentation that stays in the repository, to the heading if it names one.
func TestLinks(t *testing.T) {
	followed := 0
	for _, page := range files(t, ".md") {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			followed++
			name := page
			if target != "" {
				name = path.Join(path.Dir(page), target)
			}
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s: a link to %s, which there is not", page, found[1])
			} else if heading != "" && !slices.Contains(headings(read(t, name)), heading) {
				t.Errorf("%s: a link to %s, which is no heading", page, found[1])
			}
		}
	}
	require.Greater(t, followed, 100)
}

// headings gives the anchors that GitHub makes of a page's headings.
func headings(text string) []string {
	var anchors []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		anchor := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors = append(anchors, strings.ReplaceAll(anchor, " ", "-"))
	}
	return anchors
}

// TestLandingPage checks that each page can be found from the first one.
func TestLandingPage(t *testing.T) {
	landing := read(t, "docs/README.md")
	for _, page := range files(t, ".md") {
		if path.Dir(page) == "docs" && page != "docs/README.md" {
			require.Contains(t, landing, "("+path.Base(page)+")", "a page that docs/README.md does not lead to")
		}
	}
	require.Contains(t, read(t, "README.md"), "(docs/README.md)")
}

// TestStepsOfANewRule checks for each rule what CONTRIBUTING.md says a rule needs.
func TestStepsOfANewRule(t *testing.T) {
	const fixtures = "analyzer/testdata/gomlx/"
	constants := read(t, "analyzer/internal/summary/summary.go") + read(t, "analyzer/internal/rules/directive.go")
	code := files(t, ".go")
	for _, rule := range analyzer.Rules() {
		word := strings.ReplaceAll(rule.Name, "-", "")
		t.Run(rule.Name, func(t *testing.T) {
			require.Regexp(t, `\w+ += "`+rule.Name+`"`, constants, "a constant")
			file := strings.ReplaceAll(rule.Name, "-", "_") + ".go"
			require.Contains(t, code, "analyzer/internal/rules/"+file, "documentation next to the code")
			require.Contains(t, code, "harness/gomlx/testdata/rules/"+rule.Name+".go", "a frame for its snippets")
			require.Contains(t, read(t, "docs/rules/README.md"), "]("+rule.Name+".md)", "a row in the index")
			require.Contains(t, read(t, "docs/caveats.md"), "\n## "+rule.Name+"\n", "caveats")
			flagged, silent := 0, 0
			for _, name := range code {
				if path.Dir(name) != fixtures+word {
					continue
				}
				for line := range strings.Lines(read(t, name)) {
					statement, want, ok := strings.Cut(strings.TrimSpace(line), "// want")
					switch {
					case ok && strings.Contains(want, `\(`+rule.Name+`\)`):
						flagged++
					case !ok && strings.HasPrefix(line, "\t") && strings.ContainsAny(statement, "(=") && !strings.HasPrefix(statement, "//"):
						silent++
					}
				}
			}
			require.Positive(t, flagged, "flagged lines in %s%s", fixtures, word)
			require.GreaterOrEqual(t, silent, flagged, "as many harmless lines in %s%s", fixtures, word)
		})
	}
}
