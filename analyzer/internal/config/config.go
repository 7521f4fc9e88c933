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
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
	"github.com/tracelint/tracelint/analyzer/internal/suggest"
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
	// Functions are names with their import path: example.com/m/log.Debugf, (*example.com/m.Model).Trace.
	Functions []string `yaml:"functions" json:"functions"`
	// Rules are the rules accepted; all of them if it is empty.
	Rules []string `yaml:"rules" json:"rules"`
	// Reason says why, for whoever reads the file.
	Reason string `yaml:"reason" json:"reason"`
}

// Find is the path of the settings that apply to a directory: those beside the go.mod above it. It is
// empty if there are none.
func Find(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(dir, FileName)
			if _, err := os.Stat(path); err == nil {
				return path
			}
			return ""
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Read reads and checks a file of settings. Errors name the file, the line and what to write instead.
func Read(path string) (*Settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return Parse(filepath.Base(path), text)
}

// Parse reads and checks settings; name starts each error.
func Parse(name string, text []byte) (*Settings, error) {
	s := new(Settings)
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(s); errors.Is(err, io.EOF) {
		return s, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %s", name, explain(err))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document: keep one", name)
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("%s%s: %w", name, line(text, err), err)
	}
	return s, nil
}

// unknownField matches the YAML reader's error about a key that is not known.
var unknownField = regexp.MustCompile(`(line \d+): field (\S+) not found in type (\S+)`)

// explain says what is wrong with a file, with the known keys where one is misspelt.
func explain(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.ReplaceAll(strings.TrimPrefix(text, "unmarshal errors:\n  "), "\n  ", "; ")
	return unknownField.ReplaceAllStringFunc(text, func(found string) string {
		m := unknownField.FindStringSubmatch(found)
		return fmt.Sprintf("%s: unknown key %q%s", m[1], m[2], suggest.DidYouMean(m[2], keysOf(m[3])))
	})
}

// keysOf lists the keys of a type by the name that the YAML reader gives it.
func keysOf(name string) []string {
	for _, t := range []reflect.Type{reflect.TypeFor[Settings](), reflect.TypeFor[Exemption](), reflect.TypeFor[engine.Profile](),
		reflect.TypeFor[engine.Types](), reflect.TypeFor[engine.Functions](), reflect.TypeFor[engine.Hints]()} {
		if t.String() != name {
			continue
		}
		var keys []string
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return keys
	}
	return nil
}

// valueError is an error about one value of the file.
type valueError struct {
	value   string
	message string
}

func (e *valueError) Error() string { return e.message }

// line finds the line of the value that an error is about, as ":3", empty if it is not known.
func line(text []byte, err error) string {
	var value *valueError
	if !errors.As(err, &value) {
		return ""
	}
	var root yaml.Node
	if yaml.Unmarshal(text, &root) != nil {
		return ""
	}
	found := 0
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if found == 0 && n.Kind == yaml.ScalarNode && n.Value == value.value {
			found = n.Line
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(&root)
	if found == 0 {
		return ""
	}
	return fmt.Sprintf(":%d", found)
}

// Check reports the first setting that has no meaning.
func (s *Settings) Check() error {
	if s.Severity != "" {
		if _, ok := rules.ParseSeverity(s.Severity); !ok {
			return &valueError{s.Severity, fmt.Sprintf("severity %q is unknown: use error, warning or note", s.Severity)}
		}
	}
	for _, list := range [][]string{s.Enable, s.Disable} {
		if err := CheckRules(list); err != nil {
			return err
		}
	}
	for _, ex := range s.Exempt {
		if err := CheckRules(ex.Rules); err != nil {
			return err
		}
		if len(ex.Packages)+len(ex.Functions) == 0 {
			return errors.New("exempt: an entry names neither packages nor functions: say what is exempt")
		}
		if strings.TrimSpace(ex.Reason) == "" {
			return errors.New("exempt: an entry gives no reason: say why under reason")
		}
	}
	for i := range s.Engines {
		text, err := yaml.Marshal(&s.Engines[i])
		if err != nil {
			return err
		}
		if _, err := engine.Parse(fmt.Sprintf("engines: entry %d", i+1), text); err != nil {
			return err
		}
	}
	_, err := s.Table()
	return err
}

// CheckRules reports the first name that is no rule's.
func CheckRules(names []string) error {
	known := rules.Names()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return &valueError{name, fmt.Sprintf("unknown rule %q%s", name, suggest.DidYouMean(name, known))}
		}
	}
	return nil
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
		name = fn.Origin().FullName()
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
