package analyzer

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer/internal/config"
	"github.com/tracelint/tracelint/analyzer/internal/engine"
	"github.com/tracelint/tracelint/analyzer/internal/library"
	"github.com/tracelint/tracelint/analyzer/internal/rules"
)

// Settings are what a .tracelint.yaml says: rules, severity, tests, further engines, effects of the
// user's own functions, exemptions.
type Settings = config.Settings

// Exemption accepts effects in Settings.
type Exemption = config.Exemption

// ConfigFileName is the name of the settings' file, which lies beside go.mod.
const ConfigFileName = config.FileName

// ConfigFile is the path of the settings that apply to the packages in a directory of a main module,
// empty if there are none: those beside the go.mod above it.
func ConfigFile(dir string) string {
	path, _ := config.Find(dir)
	return path
}

// ReadConfigFile returns the text of a file of settings, unless it is something else than a plain file.
func ReadConfigFile(path string) ([]byte, error) { return config.ReadFile(path) }

// CheckConfigFile reads a file of settings and reports what is wrong with it, with file and line.
func CheckConfigFile(path string) error {
	_, err := config.Read(path)
	return err
}

// NoConfigFile is the value of the flag -config that has no file of settings read.
const NoConfigFile = "none"

// flags are the analyzer's flags; each says whether it was given, because a flag that was given beats
// the file.
type flags struct {
	tests           *bool
	severity        string
	enable, disable []string
	config          string
}

func (f *flags) register(set *flag.FlagSet) {
	set.Var(boolFlag{&f.tests}, "tests", "analyze _test.go files too (default true)")
	set.Func("severity", "least `severity` to report: error, warning or note (default warning)", func(text string) error {
		if _, ok := rules.ParseSeverity(text); !ok {
			return fmt.Errorf("severity %q is unknown: use error, warning or note", text)
		}
		f.severity = text
		return nil
	})
	set.Func("enable", "report these `rules` alone, separated by commas", listFlag(&f.enable))
	set.Func("disable", "do not report these `rules`, separated by commas", listFlag(&f.disable))
	set.StringVar(&f.config, "config", "", "`file` of settings; none reads no file (default "+config.FileName+" beside go.mod)")
}

func listFlag(list *[]string) func(string) error {
	return func(text string) error {
		names := strings.Split(text, ",")
		for _, name := range names {
			if err := config.CheckRule(name); err != nil {
				return err
			}
		}
		*list = append(*list, names...)
		return nil
	}
}

// boolFlag is a boolean flag that knows whether it was given.
type boolFlag struct{ value **bool }

func (b boolFlag) IsBoolFlag() bool { return true }

func (b boolFlag) String() string {
	if b.value == nil || *b.value == nil {
		return "true"
	}
	return strconv.FormatBool(**b.value)
}

func (b boolFlag) Set(text string) error {
	v, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	*b.value = &v
	return nil
}

// active is what applies to one package: the file's settings, what the driver set, what the flags say.
type active struct {
	config.Settings
	engines  *engine.Set
	own      *library.Table // effects of the user's own functions; nil if there are none
	severity rules.Severity
}

// loader reads files of settings, each once.
type loader struct {
	files sync.Map // path -> func() (*active, error)
}

// load gives the settings of a file, or the default ones for the empty path.
func (l *loader) load(path string, base Settings) (*active, error) {
	read := sync.OnceValues(func() (*active, error) {
		a := &active{}
		if path != "" {
			s, err := config.Read(path)
			if err != nil {
				return nil, err
			}
			a.Settings = *s
		}
		a.overlay(base)
		if err := a.Check(); err != nil {
			return nil, err
		}
		profiles := slices.Clone(engine.Builtin())
		for i := range a.Engines {
			profiles = append(profiles, &a.Engines[i])
		}
		var err error
		if a.engines, err = engine.NewSet(profiles...); err != nil {
			return nil, err
		}
		a.own, err = a.Table()
		return a, err
	})
	once, _ := l.files.LoadOrStore(path, read)
	return once.(func() (*active, error))()
}

// overlay puts what a driver set over what a file says.
func (a *active) overlay(over Settings) {
	if over.Tests != nil {
		a.Tests = over.Tests
	}
	if over.Severity != "" {
		a.Severity = over.Severity
	}
	if over.Enable != nil {
		a.Enable = over.Enable
	}
	if over.Disable != nil {
		a.Disable = over.Disable
	}
	a.Engines = append(a.Engines, over.Engines...)
	a.Effects = strings.TrimPrefix(a.Effects+"\n"+over.Effects, "\n")
	a.Exempt = append(a.Exempt, over.Exempt...)
}

// settings gives what applies to the package of a pass.
func (r *runner) settings(pass *analysis.Pass) (*active, error) {
	path := r.flags.config
	switch {
	case path == NoConfigFile || path == "" && r.config.NoFile:
		path = ""
	case path == "":
		path = configFileOf(pass)
	}
	loaded, err := r.files.load(path, r.config.Settings)
	if err != nil {
		return nil, err
	}
	a := *loaded
	a.overlay(Settings{Tests: r.flags.tests, Severity: r.flags.severity, Enable: r.flags.enable, Disable: r.flags.disable})
	a.severity = rules.Warning
	if a.Severity != "" {
		a.severity, _ = rules.ParseSeverity(a.Severity)
	}
	return &a, nil
}

// configFileOf is the path of the settings that apply to a package. What a dependency does is the same
// whoever looks at it, so that only main modules have settings.
func configFileOf(pass *analysis.Pass) string {
	if pass.Module != nil && pass.Module.Version != "" {
		return ""
	}
	for _, file := range pass.Files {
		path, inModule := config.Find(filepath.Dir(pass.Fset.File(file.FileStart).Name()))
		if !inModule {
			// What cgo makes of a file lies in no module and names its source. A file in a module is not asked: it could name
			// anything.
			path, _ = config.Find(filepath.Dir(pass.Fset.Position(file.Package).Filename))
		}
		if path != "" {
			return path
		}
	}
	return ""
}
