//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// secret is what lies outside of the tree.
const secret = "first: secret\nsecond secret line\nthird secret line\n"

// outside writes a file that is not of the tree.
func outside(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte(secret), 0o600))
	return file
}

func TestSettingsThatAreNoPlainFileAreRefused(t *testing.T) {
	for words, make := range map[string]func(t *testing.T, name string){
		"a link":   func(t *testing.T, name string) { require.NoError(t, os.Symlink(outside(t), name)) },
		"a pipe":   func(t *testing.T, name string) { require.NoError(t, syscall.Mkfifo(name, 0o600)) },
		"a folder": func(t *testing.T, name string) { require.NoError(t, os.Mkdir(name, 0o700)) },
	} {
		t.Run(words, func(t *testing.T) {
			enterNoisyModule(t)
			make(t, ".tracelint.yaml")
			make(t, "other.yaml")
			stdout, stderr, code := run("./...")
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Regexp(t, "^tracelint: settings: .*tracelint.yaml is "+words+": put a plain file there\n$", stderr)

			_, stderr, code = run("-config=other.yaml", "./...")
			require.Equal(t, exitUsage, code)
			require.Contains(t, stderr, "other.yaml is "+words+": put a plain file there")

			out := vettool().run(t, "./...")
			require.Equal(t, 1, out.Code)
			require.Contains(t, out.Stderr, "tracelint.yaml is "+words+": put a plain file there")
			require.NotContains(t, out.Stdout+out.Stderr, "secret")
		})
	}
}

func TestBaselinesAreNeitherReadNorWrittenThroughLinks(t *testing.T) {
	enterNoisyModule(t)
	file := outside(t)
	require.NoError(t, os.Symlink(file, "accepted.txt"))
	require.NoError(t, os.Symlink(filepath.Dir(file), "folder"))
	for _, baseline := range []string{"accepted.txt", "folder/secret"} {
		for _, args := range [][]string{{"./..."}, {"-write-baseline", "./..."}} {
			stdout, stderr, code := run(append([]string{"-baseline=" + baseline}, args...)...)
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Regexp(t, "is a link: put a plain file there|a link on the way leads out of the tree", stderr)
			require.NotContains(t, stderr, "second")
		}
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, secret, string(text))

	_, stderr, code := run("-config=folder/secret", "./...")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "a link on the way leads out of the tree")
	require.NotContains(t, stderr, "second")
}

func TestNoOutputOpensWhatALineCommentNamesOrObeysTheSource(t *testing.T) {
	enterNoisyModule(t)
	file := outside(t)
	escape := "\x1b[31m"
	vettest.Write(t, "model.go", strings.NewReplacer("SECRET", file, "ESC", escape).Replace(`package m

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

var table = map[string]int{}

func body(x *graph.Node) *graph.Node {
	table["a"+`+"`ESC`"+`]++
//line ESC.go:7
	fmt.Println("b")
//line SECRET:2:1
	fmt.Println("c")
	return x
}

//tracelint:ignore ESC
var _ = graph.MustNewExec(nil, body)
`))
	for _, form := range []string{"-c=1", "-github", "-sarif", "-json"} {
		stdout, stderr, _ := run(form, "-severity=note", ".")
		require.Contains(t, stdout, filepath.Base(file), form)
		require.NotContains(t, stdout+stderr, "secret line", form)
		require.NotContains(t, stdout+stderr, escape, form)
	}
	out := vettool().run(t, "-severity=note", ".")
	require.NotContains(t, out.Stdout+out.Stderr, "secret line")
	for line := range strings.Lines(out.Stdout + out.Stderr) {
		_, message, ok := strings.Cut(line, ": ")
		require.False(t, ok && strings.Contains(message, escape), "the go command prints positions, tracelint messages: %s", line)
	}
}

// TestEditsAndLogsFollowNoLineComment holds that others change no file, and a workflow obeys no command, that a //line
// comment names.
func TestEditsAndLogsFollowNoLineComment(t *testing.T) {
	enterNoisyModule(t)
	file := outside(t)
	vettest.Write(t, "model.go", strings.ReplaceAll(`package m

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

func body(x *graph.Node) *graph.Node {
//line SECRET:2:1
	panic(fmt.Sprint("no x"))
//line ::error title=pwned::x.go:7
	fmt.Println("c")
	return x
}

var _ = graph.MustNewExec(nil, body)
`, "SECRET", file))
	stdout, _, _ := run("-json", "-severity=note", ".")
	require.NotContains(t, stdout, `"filename": "`+file)
	stdout, _, _ = run("-severity=note", ".")
	require.NotRegexp(t, "(?m)^::", stdout)
}
