// Package golangci tests that the analyzer works in golangci-lint, in a binary with nothing but the plugin added.
package golangci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/drivertest"
	"github.com/tracelint/tracelint/internal/vettest"
)

const (
	repository = "../.."
	linted     = repository + "/integration/testdata/linted" // a module with findings
)

// exitFindings is golangci-lint's exit code if it found something.
const exitFindings = 1

// linter is golangci-lint with a file of settings.
type linter struct{ binary, config string }

// newLinter builds golangci-lint; config is the text of .golangci.yml.
func newLinter(t *testing.T, config string) linter {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".golangci.yml")
	require.NoError(t, os.WriteFile(path, []byte(config), 0o644))
	return linter{drivertest.Tool(t, "golangci-lint"), path}
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

// TestFindingsEqualThoseOfGoVet compares what golangci-lint finds in the analyzer's fixtures with what go vet finds.
func TestFindingsEqualThoseOfGoVet(t *testing.T) {
	golangci, vettool := newLinter(t, documented(t)), drivertest.Tool(t, "tracelint")
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23"} {
		t.Run(module, func(t *testing.T) {
			drivertest.Enter(t, filepath.Join(repository, "analyzer", "testdata", module))
			want := drivertest.GoVet(t, vettool)
			require.Empty(t, cmp.Diff(want, golangci.findings(t)), "go vet (-) and golangci-lint (+)")
		})
	}
}

// TestSettings tries the plugin's settings on a module that also has a finding behind //nolint:tracelint.
func TestSettings(t *testing.T) {
	const (
		print   = "model/model.go:14:2 print"
		note    = "model/model.go:16:19 print"
		environ = "model/model_test.go:10:5 environ"
	)
	tests := []struct {
		settings string
		want     []string
	}{
		{"severity: warning", []string{print, environ}},
		{"severity: note", []string{print, note, environ}},
		{"tests: false", []string{print}},
		{"enable: [environ, clock]", []string{environ}},
		{"disable: [environ]", []string{print}},
	}
	for _, test := range tests {
		t.Run(test.settings, func(t *testing.T) {
			golangci := newLinter(t, withSettings(t, test.settings))
			drivertest.Enter(t, linted)
			require.Empty(t, cmp.Diff(test.want, drivertest.Places(t, golangci.findings(t))))
		})
	}
}

// withSettings is the documented .golangci.yml with other settings of the plugin.
func withSettings(t *testing.T, settings string) string {
	t.Helper()
	const documentedSettings = "severity: warning"
	config := documented(t)
	require.Contains(t, config, documentedSettings)
	return strings.Replace(config, documentedSettings, settings, 1)
}

func TestWrongSettingsAreRefused(t *testing.T) {
	golangci := newLinter(t, withSettings(t, "severty: note"))
	drivertest.Enter(t, linted)
	out := golangci.run(t)
	require.NotZero(t, out.Code)
	require.Empty(t, out.Stdout)
	require.Contains(t, out.Stderr, `settings of tracelint: decoding settings: json: unknown field "severty"`)
}
