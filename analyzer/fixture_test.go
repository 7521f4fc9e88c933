package analyzer_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/driver"
	"github.com/tracelint/tracelint/internal/vettest"
)

// line is a place in a fixture.
type line struct {
	file string // relative to the module
	line int
}

// fixture is what a package's lines say to expect and what was found there.
type fixture struct {
	wanted map[line][]*regexp.Regexp
	found  map[line][]string
}

// loadFixtures analyses all packages of a module below testdata, as the command does, and gives them by directory.
// Comments say what to expect with the words of analysistest, which is no help here: it forbids downloads and
// type-checks the standard library too.
func loadFixtures(t *testing.T, module string) map[string]fixture {
	t.Helper()
	t.Chdir(filepath.Join("testdata", module))
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	vettest.Download(t)
	a, err := analyzer.New(analyzer.Config{})
	require.NoError(t, err)
	result, err := driver.Run(driver.Config{Tests: true}, a, "./...")
	require.NoError(t, err)
	require.Empty(t, result.Errors)

	fixtures := map[string]fixture{}
	in := func(dir string) fixture {
		if _, ok := fixtures[dir]; !ok {
			fixtures[dir] = fixture{map[line][]*regexp.Regexp{}, map[line][]string{}}
		}
		return fixtures[dir]
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".go" && err == nil {
			err = readWants(path, in(filepath.ToSlash(filepath.Dir(path))).wanted)
		}
		return err
	}))
	root, err := filepath.Abs(".")
	require.NoError(t, err)
	for _, p := range result.Packages {
		for _, d := range p.Diagnostics {
			position := result.Fset.Position(d.Pos)
			file, err := filepath.Rel(root, position.Filename)
			require.NoError(t, err)
			at := line{file, position.Line}
			found := in(filepath.ToSlash(filepath.Dir(file))).found
			found[at] = append(found[at], d.Message)
		}
	}
	return fixtures
}

// readWants reads the comments "// want `regexp` ..." of a file.
func readWants(path string, wanted map[line][]*regexp.Regexp) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			_, text, ok := strings.Cut(comment.Text, "// want ") // also inside of a comment that is looked at itself
			if !ok {
				continue
			}
			at := line{path, fset.Position(comment.Pos()).Line}
			for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
				quoted, err := strconv.QuotedPrefix(text)
				if err != nil {
					return fmt.Errorf("%s:%d: want is followed by %s, not by a quoted pattern", path, at.line, text)
				}
				text = text[len(quoted):]
				pattern, err := strconv.Unquote(quoted)
				if err != nil {
					return err
				}
				expected, err := regexp.Compile(pattern)
				if err != nil {
					return fmt.Errorf("%s:%d: %w", path, at.line, err)
				}
				wanted[at] = append(wanted[at], expected)
			}
		}
	}
	return nil
}

// mismatches says where what was found is not what was wanted.
func (f fixture) mismatches() []string {
	var wrong []string
	for at, messages := range f.found {
		unmet := slices.Clone(f.wanted[at])
		for _, message := range messages {
			i := slices.IndexFunc(unmet, func(want *regexp.Regexp) bool { return want.MatchString(message) })
			if i < 0 {
				wrong = append(wrong, fmt.Sprintf("%s:%d: not wanted: %s", at.file, at.line, message))
				continue
			}
			unmet = slices.Delete(unmet, i, i+1)
		}
		f.wanted[at] = unmet
	}
	for at, unmet := range f.wanted {
		for _, want := range unmet {
			wrong = append(wrong, fmt.Sprintf("%s:%d: not found: %s", at.file, at.line, want))
		}
	}
	slices.Sort(wrong)
	return wrong
}
