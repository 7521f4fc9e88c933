// Package release_test publishes the modules to a module proxy of files and uses them as their users will: from fresh
// modules, by version, without a workspace and without replace.
package release_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	root    = "github.com/tracelint/tracelint"
	adapter = root + "/harness/gomlx"
	version = "v0.1.0"
	next    = "v0.2.0"
)

// archive returns a directory with a module of the repository as it is in the current commit, for a release is one of a
// commit. What a module requires of the root module is set to the version, as docs/releasing.md says.
func archive(t *testing.T, path string) string {
	t.Helper()
	source := t.TempDir()
	directory := strings.TrimPrefix(strings.TrimPrefix(path, root), "/")
	archived := filepath.Join(t.TempDir(), "source.tar")
	run(t, "../..", "git", "archive", "--output="+archived, "HEAD:"+directory)
	run(t, source, "tar", "-xf", archived)
	if path != root {
		run(t, source, "go", "mod", "edit", "-require="+root+"@"+version)
	}
	return source
}

// publish lays a module in a directory out for a proxy.
func publish(t *testing.T, proxy, source, path, version string) {
	t.Helper()
	id := module.Version{Path: path, Version: version}
	escaped, err := module.EscapePath(path)
	require.NoError(t, err)
	versions := filepath.Join(proxy, escaped, "@v")
	require.NoError(t, os.MkdirAll(versions, 0o755))
	archive, err := os.Create(filepath.Join(versions, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromDir(archive, id, source))
	require.NoError(t, archive.Close())

	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	require.NoError(t, err)
	write(t, versions, version+".mod", string(mod))
	write(t, versions, version+".info", `{"Version":"`+version+`"}`)
	list, err := os.OpenFile(filepath.Join(versions, "list"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = list.WriteString(version + "\n")
	require.NoError(t, err)
	require.NoError(t, list.Close())
}

// enterProxy publishes the modules and has the go command use them, and for all others what it uses anyway: first what
// the machine has downloaded. The module cache is one of this test alone, kept because the build cache knows its place;
// what an earlier run put there of these modules goes, and the go command's index of modules, which takes a version for
// unchangeable, is off.
func enterProxy(t *testing.T) (proxy string) {
	t.Helper()
	proxy = t.TempDir()
	publish(t, proxy, archive(t, root), root, version)
	publish(t, proxy, archive(t, adapter), adapter, version)
	machine := strings.TrimSpace(run(t, ".", "go", "env", "GOMODCACHE"))
	others := strings.TrimSpace(run(t, ".", "go", "env", "GOPROXY"))
	home, err := os.UserCacheDir()
	require.NoError(t, err)
	cache := filepath.Join(home, "tracelint-release-test")
	for _, old := range []string{"github.com/tracelint", "cache/download/github.com/tracelint"} {
		require.NoError(t, os.RemoveAll(filepath.Join(cache, old)))
	}
	for name, value := range map[string]string{
		"GOPROXY":    "file://" + proxy + ",file://" + machine + "/cache/download," + others,
		"GONOSUMDB":  root,
		"GOMODCACHE": cache,
		"GOFLAGS":    "-modcacherw",
		"GOWORK":     "off",
		"GODEBUG":    "goindex=0",
	} {
		t.Setenv(name, value)
	}
	return proxy
}

// run runs a command that must succeed, and returns all that it prints.
func run(t *testing.T, directory, name string, args ...string) string {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = directory
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s %s:\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

func write(t *testing.T, directory, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(directory, name), []byte(text), 0o644))
}

// A block of Markdown, below a line that may end with a file's name.
var block = regexp.MustCompile("(?ms)(?:`([\\w.]+)`:\n\n)?^```(\\w+)\n(.*?)^```$")

var duration = regexp.MustCompile(`\d+(\.\d+)?(ns|µs|ms|s)\b`)

// TestTutorial does what docs/tutorial.md says, in a fresh module: it writes the files, runs the commands, and compares
// what they print. The linter comes as a tool of the module, and the recorder with GoMLX into its test.
func TestTutorial(t *testing.T) {
	enterProxy(t)
	page, err := os.ReadFile("../../docs/tutorial.md")
	require.NoError(t, err)
	directory := filepath.Join(t.TempDir(), "mean")
	require.NoError(t, os.Mkdir(directory, 0o755))
	var printed string
	kinds := map[string]int{}
	for _, found := range block.FindAllStringSubmatch(string(page), -1) {
		name, kind, text := found[1], found[2], found[3]
		kinds[kind]++
		switch kind {
		case "go":
			require.NotEmpty(t, name, "a file without a name:\n%s", text)
			write(t, directory, name, text)
		case "sh":
			command := exec.Command("bash", "-c", text)
			command.Dir = directory
			out, _ := command.CombinedOutput() // what is printed tells whether it failed
			printed = string(out)
		case "text":
			require.Empty(t, cmp.Diff(lines(text), lines(printed)), printed)
		default:
			require.Fail(t, "unknown block", kind)
		}
	}
	require.Equal(t, map[string]int{"go": 3, "sh": 5, "text": 4}, kinds)
}

// lines leaves out durations, and what the go command says of downloads and of the package's own result.
func lines(text string) []string {
	text = duration.ReplaceAllString(text, "TIME")
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "go: ") {
			kept = append(kept, line)
		}
	}
	return kept
}

func TestInstall(t *testing.T) {
	enterProxy(t)
	t.Setenv("GOBIN", t.TempDir())
	run(t, t.TempDir(), "go", "install", root+"/cmd/tracelint@latest")
	require.Regexp(t, `^tracelint v0\.1\.0 built with go1\.`, run(t, ".", filepath.Join(os.Getenv("GOBIN"), "tracelint"), "-version"))
}

func TestPlugin(t *testing.T) {
	enterProxy(t)
	directory := t.TempDir()
	write(t, directory, "main.go", `package main

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	_ "github.com/tracelint/tracelint/gclplugin"
)

func main() {
	plugin, err := register.GetPlugin("tracelint")
	if err != nil {
		panic(err)
	}
	linter, err := plugin(nil)
	if err != nil {
		panic(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil {
		panic(err)
	}
	fmt.Println(analyzers[0].Name)
}
`)
	run(t, directory, "go", "mod", "init", "example.com/linters")
	run(t, directory, "go", "get", root+"/gclplugin@latest")
	run(t, directory, "go", "mod", "tidy")
	require.Equal(t, "tracelint\n", run(t, directory, "go", "run", "."))
	require.NotContains(t, run(t, directory, "go", "list", "-m", "all"), "gomlx", "who lints needs no ML framework")
}

// TestNextRoot builds the adapter of one version with the root of the next, which whoever requires both may get. Of the
// next root, all that is internal has moved.
func TestNextRoot(t *testing.T) {
	proxy := enterProxy(t)
	source := archive(t, root)
	moveInternals(t, source)
	publish(t, proxy, source, root, next)

	directory := t.TempDir()
	write(t, directory, "main.go", `package main

import (
	_ "github.com/tracelint/tracelint/harness/gomlx"
	_ "github.com/tracelint/tracelint/harness/gomlx/function"
	_ "github.com/tracelint/tracelint/harness/gomlx/gomlxtest"
	_ "github.com/tracelint/tracelint/tracecheck"
)

func main() {}
`)
	run(t, directory, "go", "mod", "init", "example.com/server")
	run(t, directory, "go", "get", adapter+"@"+version, root+"@"+next)
	run(t, directory, "go", "mod", "tidy")
	require.Equal(t, root+" "+next+"\n", run(t, directory, "go", "list", "-m", root))
	require.Equal(t, adapter+" "+version+"\n", run(t, directory, "go", "list", "-m", adapter))
	run(t, directory, "go", "build", adapter+"/...")
	run(t, directory, "go", "run", ".")
}

// moveInternals gives the internal packages of a module other paths.
func moveInternals(t *testing.T, directory string) {
	t.Helper()
	var internal []string
	require.NoError(t, filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "internal":
			internal = append(internal, path)
		case filepath.Ext(path) == ".go":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			moved := imported.ReplaceAll(text, []byte("$1/internal/moved/"))
			return os.WriteFile(path, moved, 0o644)
		}
		return nil
	}))
	require.NotEmpty(t, internal)
	for _, path := range internal {
		require.NoError(t, os.Rename(path, path+"-moved"))
		require.NoError(t, os.Mkdir(path, 0o755))
		require.NoError(t, os.Rename(path+"-moved", filepath.Join(path, "moved")))
	}
}

// imported matches the import of an internal package of the root module.
var imported = regexp.MustCompile(`("github.com/tracelint/tracelint(?:/[\w/]+)?)/internal/`)
