package nogo

import (
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// analyzerPath is what a nogo target depends on.
const analyzerPath = "github.com/tracelint/tracelint/analyzer"

// buildNogo makes the nogo that the rule of the same name makes: rules_go's driver, with a main file that its builder
// generates from a file of settings, compiled and linked by the Go tools themselves. (The go command would refuse the
// driver, which imports an internal package of golang.org/x/tools.)
func buildNogo(t *testing.T, settings string) string {
	t.Helper()
	dir := t.TempDir()
	sources := rulesGo(t)

	builder := filepath.Join(dir, "builder")
	// The label is for std packages in query results; the builder does not start without one.
	label := "-ldflags=-X main.rulesGoStdlibPrefix=@io_bazel_rules_go//stdlib:"
	output(t, "go", append([]string{"build", "-o", builder, label}, target(t, sources, "builder_srcs", pathSource())...)...)
	configFile := filepath.Join(dir, "nogo.json")
	require.NoError(t, os.WriteFile(configFile, []byte(settings), 0o644))
	mainFile := filepath.Join(dir, "nogo_main_generated.go")
	output(t, builder, "gennogomain", "-output", mainFile, "-analyzer_importpath", analyzerPath, "-config", configFile)

	files := append(target(t, sources, "nogo_srcs"), mainFile)
	importcfg := filepath.Join(dir, "importcfg")
	list := append([]string{"list", "-export", "-deps", "-f", "{{with .Export}}packagefile {{$.ImportPath}}={{.}}{{end}}"}, imports(t, files)...)
	require.NoError(t, os.WriteFile(importcfg, []byte(output(t, "go", list...)), 0o644))
	archive, binary := filepath.Join(dir, "nogo.a"), filepath.Join(dir, "nogo")
	output(t, "go", append([]string{"tool", "compile", "-p", "main", "-importcfg", importcfg, "-pack", "-o", archive}, files...)...)
	output(t, "go", "tool", "link", "-importcfg", importcfg, "-o", binary, archive)
	return binary
}

// rulesGo is the directory of the builder's and the driver's sources.
func rulesGo(t *testing.T) string {
	t.Helper()
	// The package as a whole, of several programs, is in error.
	dir := output(t, "go", "list", "-e", "-find", "-f", "{{.Dir}}", "github.com/bazelbuild/rules_go/go/tools/builders")
	return strings.TrimSpace(dir)
}

// target lists the sources of a target of rules_go's own BUILD file, and more of the same directory, as far as build
// constraints admit them.
func target(t *testing.T, dir, name string, more ...string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "BUILD.bazel"))
	require.NoError(t, err)
	list := regexp.MustCompile(`name = "` + name + `",\s+srcs = \[([^]]+)\]`).FindSubmatch(text)
	require.NotNil(t, list, "BUILD.bazel has no target %s with sources", name)
	for _, source := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(string(list[1]), -1) {
		more = append(more, source[1])
	}
	var files []string
	for _, name := range more {
		match, err := build.Default.MatchFile(dir, name)
		require.NoError(t, err)
		if match {
			files = append(files, filepath.Join(dir, name))
		}
	}
	return files
}

// pathSource is the builder's source that depends on the operating system.
func pathSource() string {
	if runtime.GOOS == "windows" {
		return "path_windows.go"
	}
	return "path.go"
}

// imports lists what files import.
func imports(t *testing.T, files []string) []string {
	t.Helper()
	var paths []string
	for _, file := range files {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range syntax.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// output is what a command prints that must succeed.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out := vettest.Run(t, name, args...)
	require.Zero(t, out.Code, "%s %s: %s", name, strings.Join(args, " "), out.Stdout+out.Stderr)
	return out.Stdout
}
