package rulepage_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/rulepage"
)

var update = flag.Bool("update", false, "write the pages anew instead of comparing them")

// TestPages holds docs/rules against the table next to the rules' code.
func TestPages(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "rules")
	pages := map[string]string{"README.md": rulepage.Index(analyzer.Rules())}
	for _, rule := range analyzer.Rules() {
		pages[rule.Name+".md"] = rulepage.Markdown(rule)
	}
	if *update {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for name, page := range pages {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644))
		}
	}
	for name, page := range pages {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err, "write it: go test ./internal/rulepage -update")
		require.Empty(t, cmp.Diff(page, string(text)), "%s is out of date: go test ./internal/rulepage -update", name)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, file := range files {
		require.Contains(t, pages, filepath.Base(file), "a page of no rule: remove it")
	}
}

// TestTable checks what all rules' documentation has in common.
func TestTable(t *testing.T) {
	for _, rule := range analyzer.Rules() {
		require.NotEmpty(t, rule.Title, rule.Name)
		require.False(t, strings.HasSuffix(rule.Title, "."), "%s: a title is no sentence", rule.Name)
		require.Equal(t, strings.ToLower(rule.Title[:1]), rule.Title[:1], "%s: a title begins in lower case", rule.Name)
		require.NotContains(t, rule.Title, "|", "%s: it would end the column of a table", rule.Name)
		require.NotEmpty(t, rule.Text, rule.Name)
		require.NotEqual(t, rule.Before, rule.After, rule.Name)
		for line := range strings.Lines(rule.Text) {
			require.LessOrEqual(t, len(line), 120, rule.Name)
		}
	}
}
