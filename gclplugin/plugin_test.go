package gclplugin

import (
	"os"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/internal/driver"
	"github.com/tracelint/tracelint/internal/vettest"
)

// construct calls the constructor that golangci-lint finds, with settings as it decodes them from YAML.
func construct(t *testing.T, settings any) (register.LinterPlugin, error) {
	t.Helper()
	constructor, err := register.GetPlugin("tracelint")
	require.NoError(t, err)
	return constructor(settings)
}

func TestGoodSettings(t *testing.T) {
	tests := map[string]any{
		"nil":   nil,
		"empty": map[string]any{},
		"all": map[string]any{
			"tests": false, "severity": "note", "enable": []any{"print", "clock"}, "disable": []any{"clock"},
			"effects": "example.com/log.Printf print\n",
			"exempt":  []any{map[string]any{"packages": []any{"example.com/m/..."}, "rules": []any{"print"}, "reason": "it logs on purpose"}},
		},
	}
	for name, settings := range tests {
		t.Run(name, func(t *testing.T) {
			plugin, err := construct(t, settings)
			require.NoError(t, err)
			require.Equal(t, register.LoadModeTypesInfo, plugin.GetLoadMode())
			analyzers, err := plugin.BuildAnalyzers()
			require.NoError(t, err)
			require.Len(t, analyzers, 1)
			require.Equal(t, "tracelint", analyzers[0].Name, "golangci-lint puts any other name before each message")
			require.NoError(t, analysis.Validate(analyzers))
		})
	}
}

func TestBadSettings(t *testing.T) {
	tests := []struct {
		name     string
		settings any
		want     string
	}{
		{"unknown key", map[string]any{"severty": "note"}, `unknown field "severty"`},
		{"unknown key of an exemption", map[string]any{"exempt": []any{map[string]any{"package": "m"}}}, `unknown field "package"`},
		{"no mapping", "note", "cannot unmarshal string"},
		{"wrong type", map[string]any{"tests": "no"}, "cannot unmarshal string"},
		{"unknown severity", map[string]any{"severity": "loud"}, `severity: "loud" is unknown`},
		{"unknown rule", map[string]any{"disable": []any{"prnt"}}, "prnt"},
		{"unknown effect", map[string]any{"effects": "example.com/log.Printf shout\n"}, "shout"},
		{"incomplete engine", map[string]any{"engines": []any{map[string]any{"engine": "Mine"}}}, "engines[0]: engine profile: packages"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plugin, err := construct(t, test.settings)
			require.Nil(t, plugin)
			require.ErrorContains(t, err, "settings of tracelint: ")
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "docs/golangci-lint.md", "the way out")
		})
	}
}

func TestNoProgramStopsThePlugin(t *testing.T) {
	archive, err := os.ReadFile("../cmd/tracelint/testdata/stop.txtar")
	require.NoError(t, err)
	vettest.Enter(t, string(archive))
	plugin, err := construct(t, nil)
	require.NoError(t, err)
	analyzers, err := plugin.BuildAnalyzers()
	require.NoError(t, err)
	result, err := driver.Run(driver.Config{Tests: true}, analyzers[0], "./...")
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	findings := 0
	for _, p := range result.Packages {
		findings += len(p.Diagnostics)
	}
	require.Equal(t, 8, findings, "as many as the command has")
}
