package ci

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// action is as much of an action.yml as runs its steps.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct{ Steps []step }
}

type step struct {
	Name, If, Shell, Run string
	WorkingDirectory     string `yaml:"working-directory"`
	Env                  map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile(repositoryFile(t, "action.yml"))
	require.NoError(t, err)
	var a action
	require.NoError(t, yaml.Unmarshal(text, &a))
	require.NotEmpty(t, a.Runs.Steps)
	return a
}

// run runs the steps as GitHub's runner does and returns what they print, and the exit code of the one that failed.
func (a action) run(t *testing.T, workspace string, inputs map[string]string) (stdout string, code int) {
	t.Helper()
	values := map[string]string{"github.action_path": repositoryFile(t)}
	for name, input := range a.Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		require.Contains(t, a.Inputs, name)
		values["inputs."+name] = value
	}
	temp := t.TempDir()
	for _, s := range a.Runs.Steps {
		if !holds(t, s.If, values) {
			continue
		}
		require.Equal(t, "bash", s.Shell, s.Name)
		require.NotContains(t, s.Run, "${{", "%s: an expression in a script is open to injection", s.Name)
		script := filepath.Join(temp, "step.sh")
		require.NoError(t, os.WriteFile(script, []byte(s.Run), 0o644))
		command := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		command.Dir = filepath.Join(workspace, expand(t, s.WorkingDirectory, values))
		command.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_WORKSPACE="+workspace)
		for name, value := range s.Env {
			command.Env = append(command.Env, name+"="+expand(t, value, values))
		}
		out, err := command.Output()
		stdout += string(out)
		if code = command.ProcessState.ExitCode(); code != 0 {
			return stdout, code
		}
		require.NoError(t, err, s.Name)
	}
	return stdout, 0
}

// holds evaluates a condition: that an input is not empty, or none.
func holds(t *testing.T, condition string, values map[string]string) bool {
	t.Helper()
	if condition == "" {
		return true
	}
	name, ok := strings.CutSuffix(condition, " != ''")
	require.True(t, ok, condition)
	require.Contains(t, values, name)
	return values[name] != ""
}

// expand replaces the expressions in a text.
func expand(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	return regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`).ReplaceAllStringFunc(text, func(expression string) string {
		name := strings.Trim(expression, "${ }")
		require.Contains(t, values, name)
		return values[name]
	})
}

// annotations are those that GitHub shows.
func annotations(t *testing.T, stdout string) []annotation {
	t.Helper()
	command := regexp.MustCompile(`^::warning file=(.+),line=(\d+),endLine=\d+,col=(\d+),endColumn=\d+,title=tracelint ([a-z-]+)::(.+)\n$`)
	var annotations []annotation
	for line := range strings.Lines(stdout) {
		g := command.FindStringSubmatch(line)
		require.NotNil(t, g, line)
		annotations = append(annotations, annotation{File: g[1], Line: g[2], Column: g[3], Code: g[4], Message: g[5]})
	}
	return annotations
}

func TestAction(t *testing.T) {
	tests := []struct {
		name   string
		below  string // directory of the module in the workspace
		inputs map[string]string
		code   int
		want   []annotation
	}{
		{"defaults", "", nil, exitFindings, inLinted("")},
		{"directory", "my models", map[string]string{"working-directory": "my models"}, exitFindings, inLinted("my models/")},
		{"flags", "", map[string]string{"flags": "-tests=false -severity=warning"}, exitFindings, inLinted("")[:2]},
		{"packages", "", map[string]string{"packages": "./helper ./model"}, exitFindings, inLinted("")},
		{"nothing found", "", map[string]string{"packages": "./helper"}, 0, nil},
		{"wrong flag", "", map[string]string{"flags": "-nosuch"}, exitUsage, nil},
	}
	a := readAction(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			workspace := t.TempDir()
			copyLinted(t, filepath.Join(workspace, test.below))
			stdout, code := a.run(t, workspace, test.inputs)
			require.Equal(t, test.code, code, stdout)
			requireAnnotations(t, test.want, annotations(t, stdout))
		})
	}
}

// TestActionBuildsDespiteTheCallersSettings holds that GOFLAGS and GOWORK, which are meant for the caller's module, do
// not reach the build of tracelint.
func TestActionBuildsDespiteTheCallersSettings(t *testing.T) {
	workspace := t.TempDir()
	copyLinted(t, workspace)
	work := filepath.Join(workspace, "go.work")
	require.NoError(t, os.WriteFile(work, []byte("go 1.26.5\nuse .\n"), 0o644))
	t.Setenv("GOWORK", work)
	t.Setenv("GOFLAGS", "-tags=mine")
	stdout, code := readAction(t).run(t, workspace, nil)
	require.Equal(t, exitFindings, code, stdout)
	requireAnnotations(t, inLinted(""), annotations(t, stdout))
}

func TestActionWritesSARIF(t *testing.T) {
	workspace := t.TempDir()
	copyLinted(t, filepath.Join(workspace, "models"))
	stdout, code := readAction(t).run(t, workspace, map[string]string{"working-directory": "models", "sarif": "out.sarif"})
	require.Equal(t, exitFindings, code)
	requireAnnotations(t, inLinted("models/"), annotations(t, stdout))

	text, err := os.ReadFile(filepath.Join(workspace, "out.sarif"))
	require.NoError(t, err)
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn json.Number }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &log))
	require.Len(t, log.Runs, 1)
	var written []annotation
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0].PhysicalLocation
		written = append(written, annotation{
			File: at.ArtifactLocation.URI, Line: at.Region.StartLine.String(), Column: at.Region.StartColumn.String(),
			Message: r.Message.Text, Code: r.RuleID,
		})
	}
	requireAnnotations(t, inLinted("models/"), written)
}
