//go:build browser

package report

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/browsertest"
	"github.com/tracelint/tracelint/internal/tracelog"
)

// open shows the report's page in a browser.
func open(t *testing.T, r *Report) *browsertest.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.html")
	require.NoError(t, os.WriteFile(file, []byte(html(t, r)), 0o600))
	p := browsertest.Open(t, file)
	t.Cleanup(func() { require.Empty(t, p.Console, "the page has errors") })
	return p
}

// texts returns what elements show.
func texts(t *testing.T, p *browsertest.Page, selector string) []string {
	t.Helper()
	return browsertest.Eval[[]string](p, fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.innerText)", selector))
}

const functionNames = "#functions > div > .scroll > table > tbody > tr:not(.detail) > th button"

func TestBrowserShowsHostileNamesAsTheyAre(t *testing.T) {
	log := encode(t, aProcess(hostile, 0), failed("panic", hostile, first(1, hostile, 3, 0, 1))) + hostile
	p, shown := open(t, load(t, log)), printable(hostile)
	require.Equal(t, "Traces of "+shown, browsertest.Eval[string](p, "document.querySelector('h1').textContent"))
	require.Equal(t, shown, browsertest.Eval[string](p, fmt.Sprintf("document.querySelector(%q).textContent", functionNames)))
	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	require.Equal(t, "panicked: "+shown, browsertest.Eval[string](p, "document.querySelector('.failed').textContent"))
	require.Zero(t, browsertest.Eval[int](p, "document.images.length"))
	require.Equal(t, 2, browsertest.Eval[int](p, "document.scripts.length"))
}

// The page's policy is a second wall behind the escapes.
func TestBrowserRunsNoOtherScript(t *testing.T) {
	p := open(t, load(t, model(t)))
	browsertest.Eval[any](p, "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'}))")
	require.False(t, browsertest.Eval[bool](p, "Boolean(window.ran)"))
	require.Len(t, p.Console, 1)
	require.Contains(t, p.Console[0], "Content Security Policy")
	p.Console = nil
}

func TestBrowserByKeyboard(t *testing.T) {
	p := open(t, load(t, model(t)))
	focused := func() string { return browsertest.Eval[string](p, "document.activeElement.innerText") }
	require.Equal(t, []string{"fun", "inference"}, texts(t, p, functionNames)[:2])

	p.Press("Tab") // search
	p.Type("INFERENCE")
	p.Wait("document.getElementById('status').innerText === '2 functions, 4 traces found'") // fun holds it
	require.Equal(t, []string{"fun", "inference"}, texts(t, p, functionNames))
	browsertest.Eval[any](p, "document.getElementById('search').select()")
	p.Type("axis float32[5]")
	p.Wait("document.getElementById('status').innerText === '1 function, 1 trace found'")
	browsertest.Eval[any](p, "document.getElementById('search').select()")
	p.Type(" ")
	p.Wait("document.getElementById('status').innerText === '3 functions, 7 traces'")

	p.Press("Tab") // the table, to scroll it
	p.Press("Tab")
	require.Equal(t, "Function", strings.TrimSpace(focused()))
	p.Press("Enter")
	require.Equal(t, "ascending", browsertest.Eval[string](p, "document.activeElement.closest('th').ariaSort"))
	require.Equal(t, []string{"fun", "inference"}, texts(t, p, functionNames)[1:])
	p.Press(" ")
	require.Equal(t, "descending", browsertest.Eval[string](p, "document.activeElement.closest('th').ariaSort"))
	require.Equal(t, []string{"inference", "fun"}, texts(t, p, functionNames)[:2])

	for focused() != "fun" {
		p.Press("Tab")
	}
	p.Press("Enter")
	require.Equal(t, "true", browsertest.Eval[string](p, "document.activeElement.ariaExpanded"))
	require.Equal(t, []string{"4", "5"}, texts(t, p, "tr.detail mark"))
	require.Contains(t, texts(t, p, "tr.detail:not([hidden])")[0], "new signature: x: axis 0: 3 → 4")
	require.Equal(t, []string{
		"2\t45 ms\tm/train.go:12\tnew signature: x: axis 0",
		"1\t7 ms\tm/serve.go:40\tsame signature, of another wrapper",
	}, texts(t, p, "tr.detail:not([hidden]) > td > div:first-child tbody > tr"))
	p.Press("Enter")
	require.Equal(t, "false", browsertest.Eval[string](p, "document.activeElement.ariaExpanded"))
	require.True(t, browsertest.Eval[bool](p, "document.getElementById(document.activeElement.getAttribute('aria-controls')).hidden"))
}

func TestBrowserTellsScreenReaders(t *testing.T) {
	p := open(t, load(t, model(t)))
	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	lines := p.Accessible()
	for _, want := range []string{
		"heading: Traces of example.com/m.test",
		"searchbox: Search in functions, signatures, causes and places",
		"table: Functions",
		"table: Causes of retraces of fun",
		"table: Signatures of fun",
		"columnheader: Line to change",
		"rowheader: fun example.com/m",
		"button: fun",
		"button: Time lost",
		"mark: ",
	} {
		require.Contains(t, lines, want)
	}
	require.True(t, slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "status: ") }))
}

func manyTraces(t *testing.T) *Report {
	t.Helper()
	traces := []*tracelog.Trace{first(1, "f", 1, 0, 1)}
	for i := 2; i <= 5000; i++ {
		traces = append(traces, again(i, "f", i-1, i, i, 1))
	}
	for i := 5001; i <= 10000; i++ {
		traces = append(traces, first(i, fmt.Sprintf("g%d", i), 1, i, 1))
	}
	return load(t, encode(t, aProcess("m.test", 0), traces...))
}

func TestBrowserShows10000Traces(t *testing.T) {
	p := open(t, manyTraces(t))
	require.Equal(t, []string{"5,001 functions, 10,000 traces"}, texts(t, p, "#status"))
	require.Len(t, texts(t, p, functionNames), 100)
	require.Equal(t, []string{"Show 100 more of 4,901"}, texts(t, p, "#functions > div > button.more"))
	browsertest.Eval[any](p, "document.querySelector('#functions > div > button.more').click()")
	names := texts(t, p, functionNames)
	require.Len(t, names, 200)
	require.Equal(t, names[100], browsertest.Eval[string](p, "document.activeElement.querySelector('button').innerText"))

	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	require.Equal(t, []string{"Show 100 more of 4,900"}, texts(t, p, "tr.detail:not([hidden]) button.more:not([hidden])"))
	browsertest.Eval[any](p, "document.getElementById('search').focus()")
	p.Type("float32[4321]")
	p.Wait("document.getElementById('status').innerText === '1 function, 1 trace found'")
	require.Equal(t, []string{"4321"}, texts(t, p, "tr.detail:not([hidden]) mark"))
	require.Less(t, browsertest.Eval[int](p, "document.querySelectorAll('*').length"), 10_000)
}

func TestBrowserShowsNothingFound(t *testing.T) {
	p := open(t, load(t, encode(t, aProcess("m.test", 0))))
	require.Equal(t, []string{"0 functions, 0 traces"}, texts(t, p, "#status"))
	require.Equal(t, []string{""}, texts(t, p, "#functions tbody"))
}

// contrast returns the least ratio, by the WCAG's formula, of texts to what lies
// behind them.
const contrast = `(() => {
	const channels = color => color.match(/[\d.]+/g).map(Number);
	const light = color => channels(color).slice(0, 3).map(c => c / 255)
		.map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const color = getComputedStyle(e).backgroundColor;
			if ((channels(color)[3] ?? 1) > 0) return color;
		}
		return "rgb(255, 255, 255)";
	};
	let least = 21;
	for (const e of document.body.querySelectorAll("main *")) {
		if (![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
		const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
		least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
	}
	return least;
})()`

func TestBrowserInLightAndDark(t *testing.T) {
	p := open(t, load(t, model(t)+hostile))
	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	p.Resize(1000, 700)
	corner := map[string]uint32{}
	for _, scheme := range []string{"light", "dark"} {
		p.Scheme(scheme)
		require.GreaterOrEqual(t, browsertest.Eval[float64](p, contrast), 4.5, scheme)
		image, err := png.Decode(bytes.NewReader(p.Screenshot()))
		require.NoError(t, err)
		require.Equal(t, 1000, image.Bounds().Dx())
		corner[scheme], _, _, _ = image.At(1, 1).RGBA()
	}
	require.Greater(t, corner["light"], uint32(0xf000))
	require.Less(t, corner["dark"], uint32(0x3000))
}

// Long rows scroll in the table, the page itself stays as wide as the window.
func TestBrowserInANarrowWindow(t *testing.T) {
	p := open(t, load(t, model(t)))
	p.Resize(360, 700)
	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	require.LessOrEqual(t, browsertest.Eval[int](p, "document.documentElement.scrollWidth"), 360)
}

func TestBrowserShowsWhatIsKnown(t *testing.T) {
	kept := defaultLimits()
	kept.groups = 1
	trace := untimed(again(2, "f", 3, 4, 1, 0))
	trace.Site = nil
	p := open(t, collect(t, kept, encode(t, aProcess("m.test", 0), untimed(first(1, "f", 3, 0, 0)), trace, first(3, "g", 3, 0, 2))))
	require.Equal(t, []string{"2 functions, 3 traces"}, texts(t, p, "#status"))
	rows := texts(t, p, "#functions > div > .scroll > table > tbody > tr:not(.detail)")
	require.Contains(t, rows[0], "\t2\t1\t–\t–\t–\t–\tnew signature: x: axis 0")
	require.Contains(t, rows[1], "\t1\t0\t–\t2 ms\t2 ms\t–\t–")
	browsertest.Eval[any](p, "document.querySelector('button.open').click()")
	require.Contains(t, texts(t, p, "tr.detail:not([hidden])")[0], "and 1 trace with signatures that are not listed")
}
