// Package vettest helps tests to run analysis tools over small modules and to compare what different drivers print.
package vettest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// Enter writes the files of a txtar archive to a new directory and makes it the current one, with the go command's
// settings at their defaults, until the test ends.
func Enter(t *testing.T, archive string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // the go command prints resolved paths
	require.NoError(t, err)
	for _, file := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, file.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, file.Data, 0o644))
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
}

// Write writes a file in the current directory or below.
func Write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

// Download fetches the modules that the packages of the current module and their tests need, unless the module cache
// has them: "go vet" would report downloads among its findings. It fails the test if they cannot be had.
func Download(t *testing.T) {
	t.Helper()
	out := Run(t, "go", "list", "-deps", "-test", "./...")
	require.Zero(t, out.Code, "the modules that this test needs are neither in the module cache nor to be had from the network:\n%s", out.Stderr)
}

// Output is what a command printed and its exit code.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// Run runs a command in the current directory. It fails the test if the command cannot be started.
func Run(t *testing.T, name string, args ...string) Output {
	t.Helper()
	var stdout, stderr strings.Builder
	command := exec.Command(name, args...)
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return Output{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// Finding is what all drivers show of a diagnostic.
type Finding struct {
	Position string // file:line:column, the file relative to the current directory
	Message  string
	Related  []string // "position: message" of each
}

// FromText reads findings as text shows them, sorted. Lines that are none fail the test.
func FromText(t *testing.T, text string) []Finding {
	t.Helper()
	line := regexp.MustCompile(`^(.+?:\d+:\d+): (\t?)(.*)\n$`)
	var findings []Finding
	for text := range strings.Lines(text) {
		parts := line.FindStringSubmatch(text)
		require.NotNil(t, parts, "no finding: %q", text)
		if parts[2] == "" {
			findings = append(findings, Finding{Position: parts[1], Message: parts[3]})
			continue
		}
		require.NotEmpty(t, findings, "a related line without a finding before it: %q", text)
		last := &findings[len(findings)-1]
		last.Related = append(last.Related, parts[1]+": "+parts[3])
	}
	return sorted(findings)
}

// FromJSON reads findings from a sequence of objects as "go vet -json" prints them, sorted.
func FromJSON(t *testing.T, text string) []Finding {
	t.Helper()
	type position struct{ Posn, Message string }
	type diagnostic struct {
		position
		Related []position
	}
	var findings []Finding
	for decoder := json.NewDecoder(strings.NewReader(text)); decoder.More(); {
		var tree map[string]map[string][]diagnostic // package, analyzer
		require.NoError(t, decoder.Decode(&tree))
		for _, analyzers := range tree {
			for _, diagnostics := range analyzers {
				for _, d := range diagnostics {
					finding := Finding{Position: relative(t, d.Posn), Message: d.Message}
					for _, r := range d.Related {
						finding.Related = append(finding.Related, fmt.Sprintf("%s: %s", relative(t, r.Posn), r.Message))
					}
					findings = append(findings, finding)
				}
			}
		}
	}
	return sorted(findings)
}

// relative shortens a position as the text form does.
func relative(t *testing.T, position string) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	short, err := filepath.Rel(dir, position)
	require.NoError(t, err)
	if len(short) < len(position) {
		return short
	}
	return position
}

func sorted(findings []Finding) []Finding {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.Message, b.Message), slices.Compare(a.Related, b.Related))
	})
	return findings
}
