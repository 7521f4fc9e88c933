// Package config reads .tracelint.yaml, the settings that a module keeps beside its go.mod. They apply
// to the packages below that directory and to no others.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/plainfile"
)

// FileName is the name of the settings' file.
const FileName = ".tracelint.yaml"

// Settings are what can be set of the analyzer, in a file or by a driver that embeds it.
type Settings struct {
	// Tests says whether _test.go files are analysed; they are by default.
	Tests *bool `yaml:"tests" json:"tests"`
	// Severity is the least severity to report: error, warning (the default) or note.
	Severity string `yaml:"severity" json:"severity"`
	// Enable lists the only rules to report; all of them if it is empty.
	Enable []string `yaml:"enable" json:"enable"`
	// Disable lists rules not to report.
	Disable []string `yaml:"disable" json:"disable"`
	// Engines are profiles of tracing engines beside the built-in ones.
	Engines []engine.Profile `yaml:"engines" json:"engines"`
	// Effects says what functions do, one a line, in the format of the library table:
	//
	//	example.com/log.Printf print
	//	(*example.com/rng.Source).Draw random recv
	Effects string `yaml:"effects" json:"effects"`
	// Exempt lists code whose effects are accepted.
	Exempt []Exemption `yaml:"exempt" json:"exempt"`
}

// Exemption accepts effects: those that stand in some packages or functions, and those of calls of them.
type Exemption struct {
	// Packages are import paths; one that ends in /... stands for all below it too.
	Packages []string `yaml:"packages" json:"packages"`
	// Functions are names with their import path and without type parameters: example.com/m/log.Debugf,
	// (*example.com/m.Model).Trace.
	Functions []string `yaml:"functions" json:"functions"`
	// Rules are the rules accepted; all of them if it is empty.
	Rules []string `yaml:"rules" json:"rules"`
	// Reason says why, for whoever reads the file.
	Reason string `yaml:"reason" json:"reason"`
}

// Find is the path of the settings that apply to a directory, those beside the go.mod above it, and whether there is a
// go.mod at all. The path is empty if there are no settings.
func Find(dir string) (path string, inModule bool) {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(dir, FileName)
			if _, err := os.Lstat(path); err != nil { // a link that leads nowhere is there: it is refused, not overlooked
				return "", true
			}
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// maxSize is how large a file of settings may be, in bytes.
const maxSize = 1 << 20

// ReadFile returns the text of a file of settings. It must be a plain file: what a link or a pipe gives is none of this
// tree's.
func ReadFile(path string) ([]byte, error) { return plainfile.Read(path, maxSize) }

// Read reads and checks a file of settings. Errors name the file, the line and what to write instead.
func Read(path string) (*Settings, error) {
	text, err := ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return Parse(filepath.Base(path), text)
}

// Parse reads and checks settings; name starts each error. Errors show little of the text, escaped.
func Parse(name string, text []byte) (*Settings, error) {
	s, err := parse(name, text)
	if err != nil {
		return nil, errors.New(clip.Message(err.Error()))
	}
	return s, nil
}

func parse(name string, text []byte) (*Settings, error) {
	s := new(Settings)
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(s); errors.Is(err, io.EOF) {
		return s, nil
	} else if err != nil {
		return nil, explain(name, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document: keep one", name)
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s:%s %w", name, lineOf(text, err), err)
	}
	return s, nil
}

// Table is the table of the effects of the user's own functions, nil if there are none.
func (s *Settings) Table() (*library.Table, error) {
	if strings.TrimSpace(s.Effects) == "" {
		return nil, nil
	}
	return library.Parse("effects", []byte(s.Effects))
}

// Reports reports whether findings of a rule are wanted.
func (s *Settings) Reports(rule string) bool {
	return (len(s.Enable) == 0 || slices.Contains(s.Enable, rule)) && !slices.Contains(s.Disable, rule)
}

// Exempted reports whether a rule's effects of a function are accepted, be it that they stand in it or
// come out of a call of it. fn may be nil where only the package is known.
func (s *Settings) Exempted(rule, pkg string, fn *types.Func) bool {
	name := ""
	if fn != nil {
		name = library.Name(fn)
	}
	for _, ex := range s.Exempt {
		if len(ex.Rules) > 0 && !slices.Contains(ex.Rules, rule) {
			continue
		}
		if slices.ContainsFunc(ex.Packages, func(pattern string) bool { return matches(pattern, pkg) }) ||
			name != "" && slices.Contains(ex.Functions, name) {
			return true
		}
	}
	return false
}

// matches reports whether an import path is the pattern's, or below one that ends in /....
func matches(pattern, path string) bool {
	root, below := strings.CutSuffix(pattern, "/...")
	return path == root || below && strings.HasPrefix(path, root+"/")
}
