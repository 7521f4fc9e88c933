package config

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
	"github.com/tracelint/tracelint/analyzer/internal/suggest"
	"github.com/tracelint/tracelint/internal/clip"
)

// settingError says what is wrong with one setting.
type settingError struct {
	path []any // keys (string) and indices (int) that lead to it in the file
	err  error
}

// Error names the setting, exempt[0].rules[1], and says what is wrong with it.
func (e *settingError) Error() string {
	var path strings.Builder
	for _, step := range e.path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&path, "[%d]", step)
		case string:
			fmt.Fprintf(&path, ".%s", step)
		}
	}
	return strings.TrimPrefix(path.String(), ".") + ": " + e.err.Error()
}

func (e *settingError) Unwrap() error { return e.err }

func wrong(err error, path ...any) error { return &settingError{path, err} }

func wrongf(path []any, format string, args ...any) error {
	return wrong(fmt.Errorf(format, args...), path...)
}

// Check reports the first setting that has no meaning.
func (s *Settings) Check() error {
	if s.Severity != "" {
		if _, ok := rules.ParseSeverity(s.Severity); !ok {
			return wrongf([]any{"severity"}, "%s is unknown: use error, warning or note", clip.Quote(s.Severity))
		}
	}
	if err := checkRules(s.Enable, "enable"); err != nil {
		return err
	}
	if err := checkRules(s.Disable, "disable"); err != nil {
		return err
	}
	for i := range s.Exempt {
		if err := s.Exempt[i].check("exempt", i); err != nil {
			return err
		}
	}
	for i := range s.Engines {
		text, err := yaml.Marshal(&s.Engines[i])
		if err != nil {
			return err
		}
		if _, err := engine.Parse("engine profile", text); err != nil {
			return wrong(err, "engines", i)
		}
	}
	if _, err := s.Table(); err != nil {
		return wrong(err, "effects")
	}
	return nil
}

// check reports what is wrong with an exemption; the path leads to it.
func (ex *Exemption) check(path ...any) error {
	for i, pattern := range ex.Packages {
		if pattern == "" || strings.ContainsAny(pattern, " ()*") || pattern[0] == '.' || pattern[0] == '/' {
			return wrongf(append(path, "packages", i), "%s is no import path: write it in full, as in example.com/m/log or example.com/m/...", clip.Quote(pattern))
		}
	}
	for i, name := range ex.Functions {
		if err := library.CheckName(name); err != nil {
			return wrong(err, append(path, "functions", i)...)
		}
	}
	if err := checkRules(ex.Rules, append(path, "rules")...); err != nil {
		return err
	}
	switch {
	case len(ex.Packages)+len(ex.Functions) == 0:
		return wrong(errors.New("the entry names neither packages nor functions: say what is exempt"), path...)
	case strings.TrimSpace(ex.Reason) == "":
		return wrong(errors.New("the entry gives no reason: say why under reason"), path...)
	}
	return nil
}

// checkRules reports the first name in a setting that is no rule's.
func checkRules(names []string, path ...any) error {
	for i, name := range names {
		if err := CheckRule(name); err != nil {
			return wrong(err, append(path, i)...)
		}
	}
	return nil
}

// CheckRule reports that a name is no rule's, with the rule that may be meant.
func CheckRule(name string) error {
	known := rules.Names()
	if slices.Contains(known, name) {
		return nil
	}
	return fmt.Errorf("unknown rule %s%s", clip.Quote(name), suggest.DidYouMean(name, known))
}

// lineOf finds the line of the setting that an error is about: "3:", or nothing if the error is about none.
func lineOf(text []byte, err error) string {
	var setting *settingError
	var root yaml.Node
	if !errors.As(err, &setting) || yaml.Unmarshal(text, &root) != nil || len(root.Content) == 0 {
		return ""
	}
	node := root.Content[0]
	for _, step := range setting.path {
		next := child(node, step)
		if next == nil {
			break
		}
		node = next
	}
	return fmt.Sprintf("%d:", node.Line)
}

// child is what a step of a path leads to.
func child(node *yaml.Node, step any) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	switch step := step.(type) {
	case int:
		if node.Kind == yaml.SequenceNode && step < len(node.Content) {
			return node.Content[step]
		}
	case string:
		for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1]
			}
		}
	}
	return nil
}

// What the YAML reader says about the place of an error, about a key that it does not know, and about a value of the
// wrong kind.
var (
	atLine       = regexp.MustCompile(`^line (\d+): `)
	unknownField = regexp.MustCompile(`field (\S+) not found in type (\S+)$`)
	wrongKind    = regexp.MustCompile("cannot unmarshal (?:!!\\w+ )?(`.*`|!!\\w+) into (\\S+)$")
)

// mostErrors is how many errors of one file are shown.
const mostErrors = 10

// explain makes errors of the YAML reader's, with file and line, that say what to write instead.
func explain(file string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	var errs []error
	for line := range strings.Lines(text) {
		if len(errs) == mostErrors {
			errs = append(errs, fmt.Errorf("%s: and %d more", file, strings.Count(text, "\n")+1-mostErrors))
			break
		}
		place, message := file+":", strings.TrimSpace(line)
		if m := atLine.FindStringSubmatch(message); m != nil {
			place, message = file+":"+m[1]+":", strings.TrimPrefix(message, m[0])
		}
		errs = append(errs, fmt.Errorf("%s %s", place, inWords(message)))
	}
	return errors.Join(errs...)
}

// inWords says what the YAML reader says without naming types of Go.
func inWords(message string) string {
	if m := unknownField.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("unknown key %s%s", clip.Quote(m[1]), suggest.DidYouMean(m[1], keysOf(m[2])))
	}
	if m := wrongKind.FindStringSubmatch(message); m != nil {
		value := m[1]
		switch value {
		case "!!seq":
			value = "a list"
		case "!!map":
			value = "a mapping"
		}
		return fmt.Sprintf("%s stands where %s belongs", value, kindOf(m[2]))
	}
	return message
}

// kindOf says in words what the YAML reader wants for a Go type.
func kindOf(name string) string {
	switch {
	case strings.HasPrefix(name, "[]"):
		return "a list"
	case name == "bool":
		return "true or false"
	case name == "int":
		return "a number"
	case name == "string" || name == "engine.Kind":
		return "text"
	}
	return "a mapping of keys to values"
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
