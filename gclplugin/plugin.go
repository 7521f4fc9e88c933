// Package gclplugin makes tracelint a linter of golangci-lint: a module plugin named "tracelint".
//
// Importing the package registers the plugin. "golangci-lint custom" builds a golangci-lint that imports it.
package gclplugin

import (
	"fmt"
	"os"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer"
)

func init() { register.Plugin("tracelint", New) }

// New is the plugin's constructor. Its argument is what stands in .golangci.yml below
// linters.settings.custom.tracelint.settings, nil if nothing does; the keys are those of .tracelint.yaml. It fails if
// there is an unknown key, or a value that has no meaning.
func New(raw any) (register.LinterPlugin, error) {
	settings, err := register.DecodeSettings[analyzer.Settings](raw)
	if err != nil {
		return nil, settingsError(err)
	}
	a, err := analyzer.New(analyzer.Config{
		Settings: settings,
		// golangci-lint reuses results as long as its own file of settings stays the same: it knows of no other.
		NoFile: true,
		// golangci-lint makes a finding of each related position. The message has the whole chain of calls.
		NoRelated: true,
	})
	if err != nil {
		return nil, settingsError(err)
	}
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		result, err := run(pass)
		if err != nil {
			return nil, err
		}
		if warning := result.(*analyzer.Result).Warning(pass.Pkg.Path()); warning != "" {
			fmt.Fprintf(os.Stderr, "tracelint: %s\n", warning) // golangci-lint has no place for what is no finding
		}
		return result, nil
	}
	return plugin{a}, nil
}

func settingsError(err error) error {
	const page = "https://github.com/tracelint/tracelint/blob/main/docs/golangci-lint.md"
	return fmt.Errorf("settings of tracelint: %w (%s lists the keys)", err, page)
}

type plugin struct{ analyzer *analysis.Analyzer }

// BuildAnalyzers returns the one analyzer that there is.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{p.analyzer}, nil
}

// GetLoadMode asks for types.
func (p plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
