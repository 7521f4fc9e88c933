package finding_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/finding"
)

var some = finding.Baseline{
	{Rule: "print", Package: "example.com/m", Func: "(*Model).Fun", Code: "fmt.Print(`a\n\tb`, \"\xff\")"}: 2,
	{Rule: "write", Package: "example.com/m", Func: "(*Model).Fun", Code: "calls++"}:                       1,
	{Rule: "print", Package: "example.com/m", Code: "println()"}:                                           3,
	{Rule: "print", Package: "example.com/a", Func: "Z", Code: "println()"}:                                1,
}

const someText = `# Findings of tracelint that are accepted for now; written by "tracelint -write-baseline".
# count, rule, package, function, statement
1	print	example.com/a	Z	"println()"
3	print	example.com/m	-	"println()"
2	print	example.com/m	(*Model).Fun	"fmt.Print(` + "`a\\n\\tb`" + `, \"\xff\")"
1	write	example.com/m	(*Model).Fun	"calls++"
`

func TestBaselineText(t *testing.T) {
	require.Empty(t, cmp.Diff(someText, some.String()))
	parsed, err := finding.ParseBaseline("b.txt", someText)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(some, parsed))

	for _, text := range []string{"", "\n  \n# nothing\r\n"} {
		parsed, err := finding.ParseBaseline("b.txt", text)
		require.NoError(t, err)
		require.Empty(t, parsed)
	}
	parsed, err = finding.ParseBaseline("b.txt", "2\twrite\tm\tF\t\"x++\"\r\n")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(finding.Baseline{{Rule: "write", Package: "m", Func: "F", Code: "x++"}: 2}, parsed))
}

func TestBaselineErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"fields", "# head\n\n1 print m F x\n", "b.txt:3: 1 fields between tabs instead of 5: count, rule, package, function, statement"},
		{"count", "none\tprint\tm\tF\t\"x\"", `b.txt:1: "none" is no count of findings`},
		{"count of none", "0\tprint\tm\tF\t\"x\"", `b.txt:1: "0" is no count of findings`},
		{"rule", "1\tpritn\tm\tF\t\"x\"", `b.txt:1: unknown rule "pritn": did you mean print?`},
		{"function", "1\tprint\tm\t\t\"x\"", `b.txt:1: package or function is empty: write - for a finding outside of functions`},
		{"statement", "1\tprint\tm\tF\tx", `b.txt:1: statement x is no quoted string`},
		{"twice", "1\tprint\tm\tF\t\"x\"\n1\tprint\tm\tF\t\"x\"", `b.txt:2: the entry stands here twice: keep one line with the sum of the counts`},
		{"merge conflict", "<<<<<<< HEAD\n1\tprint\tm\tF\t\"x\"", "b.txt:1: 1 fields"},
	} {
		t.Run(test.name, func(t *testing.T) {
			parsed, err := finding.ParseBaseline("b.txt", test.text)
			require.Nil(t, parsed)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func FuzzParseBaseline(f *testing.F) {
	f.Add(someText)
	f.Add("1\tprint\tm\t-\t'x'")
	f.Add("1\tprint\tm\t \t`x`\n")
	f.Add("\x1b[31m\tprint\tm\t-\t\"\u202e\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := finding.ParseBaseline("b.txt", text)
		if err != nil {
			require.Regexp(t, `^b\.txt:[1-9]\d*: `, err.Error())
			require.Equal(t, clip.PrintableLines(err.Error()), err.Error(), "it is safe to print")
			return
		}
		again, err := finding.ParseBaseline("b.txt", parsed.String())
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(parsed, again))
	})
}

func TestSubtract(t *testing.T) {
	one := func(function, code string, line int) analyzer.Finding {
		return analyzer.Finding{
			Diagnostic: analysis.Diagnostic{Category: "print", Message: string(rune('a' + line))}, Func: function, Code: code,
		}
	}
	found := []analyzer.Finding{one("F", "println()", 1), one("F", "println()", 2), one("F", "println()", 3), one("G", "println()", 4)}
	accepted := finding.Baseline{
		{Rule: "print", Package: "m", Func: "F", Code: "println()"}: 2,
		{Rule: "write", Package: "m", Func: "G", Code: "println()"}: 1,
		{Rule: "print", Package: "n", Func: "G", Code: "println()"}: 5,
	}
	require.Empty(t, cmp.Diff(found[2:], accepted.Subtract("m", found)))
	require.Equal(t, 1, accepted.Left("m"))
	require.Equal(t, 5, accepted.Left("n"))
	require.Zero(t, accepted.Left("o"))
}
