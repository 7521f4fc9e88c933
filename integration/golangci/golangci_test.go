// Package golangci tests that the analyzer works in golangci-lint, in a binary with nothing but the plugin added.
package golangci

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/vettest"
)

const repository = "../.."

// exitFindings is golangci-lint's exit code if it found something.
const exitFindings = 1

// tool builds a tool of this module and returns its path. The go command keeps what it built until a source changes.
func tool(t *testing.T, name string) string {
	t.Helper()
	out := vettest.Run(t, "go", "tool", "-n", name)
	require.Zero(t, out.Code, out.Stderr)
	return strings.TrimSpace(out.Stdout)
}

// linter is golangci-lint with a file of settings.
type linter struct{ binary, config string }

// newLinter builds golangci-lint; config is the text of .golangci.yml.
func newLinter(t *testing.T, config string) linter {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".golangci.yml")
	require.NoError(t, os.WriteFile(path, []byte(config), 0o644))
	return linter{tool(t, "golangci-lint"), path}
}

// run runs the linter tracelint alone over the packages below the current directory, its output as editors ask for it.
func (l linter) run(t *testing.T) vettest.Output {
	t.Helper()
	return vettest.Run(t, l.binary, "run", "--config="+l.config, "--enable-only=tracelint", "--path-mode=abs",
		"--output.text.path=stdout", "--output.text.print-issued-lines=false", "--show-stats=false")
}

// findings are those that a run shows, with files relative to the current directory.
func (l linter) findings(t *testing.T) []vettest.Finding {
	t.Helper()
	out := l.run(t)
	require.Equal(t, exitFindings, out.Code, out.Stderr)
	here, err := os.Getwd()
	require.NoError(t, err)
	return vettest.FromText(t, strings.ReplaceAll(out.Stdout, here+string(filepath.Separator), ""))
}

// documented is the .golangci.yml of the documentation.
func documented(t *testing.T) string {
	t.Helper()
	return docblock.Read(t, filepath.Join(repository, "docs", "golangci-lint.md"), ".golangci.yml")
}

// enter makes a module of this repository the current directory.
func enter(t *testing.T, elements ...string) {
	t.Helper()
	t.Chdir(filepath.Join(append([]string{repository}, elements...)...))
	t.Setenv("GOWORK", "off")
}

// TestFindingsEqualThoseOfGoVet compares what golangci-lint finds in the analyzer's fixtures with what go vet finds.
func TestFindingsEqualThoseOfGoVet(t *testing.T) {
	golangci, vettool := newLinter(t, documented(t)), tool(t, "tracelint")
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23"} {
		t.Run(module, func(t *testing.T) {
			enter(t, "analyzer", "testdata", module)
			vet := vettest.Run(t, "go", "vet", "-vettool="+vettool, "./...")
			want := vettest.FromText(t, vet.Stderr)
			require.NotEmpty(t, want)
			for i := range want {
				want[i].Related = nil // golangci-lint would make findings of them
				want[i].Message += " (tracelint)"
			}
			require.Empty(t, cmp.Diff(want, golangci.findings(t)), "go vet (-) and golangci-lint (+)")
		})
	}
}

func TestNolintSilences(t *testing.T) {
	golangci := newLinter(t, documented(t))
	enter(t, "integration", "testdata", "linted")
	require.Empty(t, cmp.Diff([]string{"model/model.go:14:2 print", "model/model_test.go:10:5 environ"}, places(golangci.findings(t))))
}

// places shows position and rule of findings.
func places(findings []vettest.Finding) []string {
	var places []string
	for _, f := range findings {
		rule := regexp.MustCompile(`\(([a-z-]+)\) \(tracelint\)$`).FindStringSubmatch(f.Message)
		places = append(places, f.Position+" "+rule[1])
	}
	return places
}

func TestSettingsAreHeeded(t *testing.T) {
	config := strings.Replace(documented(t), "severity: warning", "{severity: note, tests: false, disable: [clock]}", 1)
	require.Contains(t, config, "note")
	golangci := newLinter(t, config)
	enter(t, "integration", "testdata", "linted")
	require.Empty(t, cmp.Diff([]string{"model/model.go:14:2 print", "model/model.go:16:19 print"}, places(golangci.findings(t))))
}

func TestWrongSettingsAreRefused(t *testing.T) {
	config := strings.Replace(documented(t), "severity: warning", "severty: warning", 1)
	golangci := newLinter(t, config)
	enter(t, "integration", "testdata", "linted")
	out := golangci.run(t)
	require.NotZero(t, out.Code)
	require.Empty(t, out.Stdout)
	require.Contains(t, out.Stderr, `settings of tracelint: decoding settings: json: unknown field "severty"`)
}
