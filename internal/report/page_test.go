package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func html(t testing.TB, r *Report) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, r.WriteHTML(&text))
	return text.String()
}

func TestPageNeedsNothingElse(t *testing.T) {
	page := html(t, load(t, model(t)))
	markup, rest, found := strings.Cut(page, `<script type="application/json"`)
	require.True(t, found)
	require.NotRegexp(t, `(?i)<(link|iframe|object|base|img|script)|\ssrc=|@import|url\(`, markup)
	require.NotRegexp(t, `fetch\(|XMLHttpRequest|import\b|innerHTML|insertAdjacentHTML|eval\(`, rest)
	require.NotContains(t, page, "/src/", "no paths of the machine")
}

func TestPageEscapes(t *testing.T) {
	log := encode(t, aProcess(hostile, 0), failed("panic", hostile, first(1, hostile, 3, 0, 1))) + hostile
	page := html(t, load(t, log))
	require.Equal(t, 2, strings.Count(page, "</script>"))
	require.Equal(t, 2, strings.Count(page, "<script"))
	require.NotContains(t, page, "<img")
}

// data returns what the page gives to its script.
func data(t *testing.T, page string) []pageFunction {
	t.Helper()
	found := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(page)
	require.NotNil(t, found)
	var functions []pageFunction
	require.NoError(t, json.Unmarshal([]byte(found[1]), &functions))
	return functions
}

func TestPageData(t *testing.T) {
	functions := data(t, html(t, load(t, model(t))))
	require.Equal(t, printable(hostile), functions[2].Name)
	require.Equal(t, []pageItem{{"a trace that never ended", 1}}, functions[2].Groups[0].Within)
	want := pageFunction{
		Name: "fun", Package: "example.com/m", Traces: 4, Retraces: 3,
		Own: pageCost{Time: 67e6}, Nested: pageCost{Time: 77e6}, Lost: pageCost{Time: 52e6},
		Causes: []pageCause{
			{"new signature: x: axis 0", 2, pageCost{Time: 45e6}, "m/train.go:12"},
			{"same signature, of another wrapper", 1, pageCost{Time: 7e6}, "m/serve.go:40"},
		},
		Groups: []pageGroup{{
			First: 1, Signature: []string{"x float32[3]"}, Traces: 1, Own: pageCost{Time: 15e6}, Cause: "first trace",
			Sites: []pageItem{{"m/train.go:12", 1}}, Wrappers: []pageItem{{"*graph.Exec of m/model.go:5", 1}}, Holds: []pageItem{{"inference", 1}},
		}, {
			First: 2, Signature: []string{"x float32[", "4", "]"}, Traces: 1, Own: pageCost{Time: 15e6}, Cause: "new signature: x: axis 0: 3 → 4",
			Sites: []pageItem{{"m/train.go:12", 1}}, Wrappers: []pageItem{{"*graph.Exec of m/model.go:5", 1}}, Holds: []pageItem{{"inference", 1}},
		}, {
			First: 3, Signature: []string{"x float32[3]"}, Traces: 1, Own: pageCost{Time: 7e6}, Cause: "same signature, of another wrapper",
			Sites: []pageItem{{"m/train.go:12", 1}}, Wrappers: []pageItem{{"*graph.Exec of m/serve.go:40", 1}},
		}, {
			First: 4, Signature: []string{"x float32[", "5", "]"}, Traces: 1, Own: pageCost{Time: 30e6}, Cause: "new signature: x: axis 0: 3 → 5",
			Outcome: "panicked: no such layer",
			Sites:   []pageItem{{"m/train.go:12", 1}}, Wrappers: []pageItem{{"*graph.Exec of m/model.go:5", 1}},
		}},
	}
	require.Empty(t, cmp.Diff(want, functions[0]))
}

func TestEqualTracesAreOneRow(t *testing.T) {
	other := again(3, "f", 3, 4, 20, 2)
	other.Site = site("/src/m/eval.go", 8)
	functions := data(t, html(t, load(t, encode(t, aProcess("m.test", 0), again(1, "f", 3, 4, 0, 1), again(2, "f", 3, 4, 10, 1), other))))
	require.Len(t, functions[0].Groups, 1)
	require.Equal(t, 3, functions[0].Groups[0].Traces)
	require.Equal(t, []pageItem{{"m/train.go:12", 2}, {"m/eval.go:8", 1}}, functions[0].Groups[0].Sites)
}
