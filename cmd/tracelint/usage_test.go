package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

func TestHelp(t *testing.T) {
	for _, argument := range []string{"help", "-h", "--help"} {
		stdout, stderr, code := run(argument)
		require.Zero(t, code, argument)
		require.Empty(t, stderr)
		require.Contains(t, stdout, "go vet -vettool=$(which tracelint) [flags] [packages]")
		require.Contains(t, stdout, "tracelint help")
		for _, flag := range []string{"-c N", "-fix", "-json", "-severity", "-baseline file", "-write-baseline", "-sarif", "-github", "-enable rules", "-disable rules", "-config file", "-tags list", "-tests", "-version"} {
			require.Contains(t, stdout, "\n  "+flag)
		}
		require.Contains(t, stdout, "Exit codes: 0 nothing found, 1 ")
	}
}

func TestWrongUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"-nosuch", "./..."}, "flag provided but not defined: -nosuch"},
		{"unknown subcommand", []string{"explian", "print"}, "explian is neither a subcommand nor a package"},
		{"flag after packages", []string{"./...", "-json"}, "flag -json stands after the packages: put flags first"},
		{"value of a flag", []string{"-severity=loud"}, `severity "loud" is unknown: use error, warning or note`},
		{"-diff alone", []string{"-diff"}, "-diff shows what -fix would change: give both"},
		{"-fix with -json", []string{"-fix", "-json"}, "-fix and -json exclude each other"},
		{"two forms", []string{"-sarif", "-json"}, "-json and -sarif exclude each other"},
		{"baseline to nowhere", []string{"-write-baseline"}, "-write-baseline knows no file: give one with -baseline=FILE"},
		{"-fix with -baseline", []string{"-fix", "-baseline=b"}, "-fix heeds no baseline: leave -baseline out"},
		{"help with an argument", []string{"help", "me"}, "help takes no arguments, not me"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vettest.Enter(t, "-- go.mod --\nmodule example.com/m\ngo 1.26\n")
			stdout, stderr, code := run(test.args...)
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, "tracelint: ")
			require.Contains(t, stderr, test.want)
			require.Contains(t, stderr, `; "tracelint help" prints the usage`)
		})
	}
}

func TestVersion(t *testing.T) {
	out := vettest.Run(t, binary, "-version")
	require.Zero(t, out.Code)
	require.Regexp(t, `^tracelint \S+( \(commit [0-9a-f]{40}(, modified)?\))? built with go1\.\S+\n$`, out.Stdout)
}
