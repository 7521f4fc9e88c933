package main

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
)

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "docs", name))
	require.NoError(t, err)
	return string(text)
}

// TestDocsOfFlags holds docs/usage.md against the flags, subcommands and exit codes.
func TestDocsOfFlags(t *testing.T) {
	usage := readDoc(t, "usage.md")
	fresh, err := analyzer.New(analyzer.Config{})
	require.NoError(t, err)
	known := map[string]bool{}
	command{analyzer: fresh}.flags(new(options)).VisitAll(func(f *flag.Flag) {
		known[f.Name] = true
		if f.Name != "tags" && f.Name != "version" { // as other commands have them
			require.Regexp(t, "`[^`]*(^|[` ])-"+f.Name+"\\b", usage, f.Name)
		}
	})
	for _, inline := range regexp.MustCompile("`-([a-z-]+)").FindAllStringSubmatch(usage, -1) {
		if inline[1] != "a" { // go vet's own
			require.Contains(t, known, inline[1], "a flag that there is not")
		}
	}
	for _, s := range subcommands() {
		require.Contains(t, usage, "`tracelint "+s.name)
	}
	for _, code := range []string{"| 0 | nothing found", "| 1 | something could not be loaded", "| 2 | wrong usage", "| 3 | findings"} {
		require.Contains(t, usage, code)
	}
}

// TestDocsOfSettings holds docs/config.md against the keys of settings, and its examples against their meaning.
func TestDocsOfSettings(t *testing.T) {
	text := readDoc(t, "config.md")
	for _, keys := range []reflect.Type{reflect.TypeFor[analyzer.Settings](), reflect.TypeFor[analyzer.Exemption]()} {
		for i := range keys.NumField() {
			key, _, _ := strings.Cut(keys.Field(i).Tag.Get("yaml"), ",")
			require.Regexp(t, "`"+key+"`|"+key+":", text)
		}
	}
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(text, -1)
	require.Len(t, examples, 3)
	for _, example := range examples {
		path := filepath.Join(t.TempDir(), analyzer.ConfigFileName)
		require.NoError(t, os.WriteFile(path, []byte(example[1]), 0o644))
		require.NoError(t, analyzer.CheckConfigFile(path), example[1])
	}
}

// TestDocsOfCaveats checks that each rule has its caveats, in the order of the rules.
func TestDocsOfCaveats(t *testing.T) {
	want := []string{"For all rules"}
	for _, rule := range analyzer.Rules() {
		want = append(want, rule.Name)
	}
	var got []string
	for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(readDoc(t, "caveats.md"), -1) {
		got = append(got, heading[1])
	}
	require.Equal(t, want, got)
}

// TestDocsLinks checks that the files exist that these pages lead to.
func TestDocsLinks(t *testing.T) {
	for _, page := range []string{"usage.md", "config.md", "caveats.md", "rules/README.md"} {
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(readDoc(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			target := filepath.Join(repository, "docs", filepath.Dir(page), link[1])
			_, err := os.Stat(target)
			require.NoError(t, err, "%s leads to %s", page, link[1])
		}
	}
}
