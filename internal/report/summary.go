package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// shownFunctions and shownCauses bound what the summary lists.
const (
	shownFunctions = 25
	shownCauses    = 10
)

// WriteSummary writes a table for a terminal: the functions with the most
// traces, and the causes that cost most.
func (r *Report) WriteSummary(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, r.headline())
	if r.traces > 0 {
		r.writeFunctions(out)
		r.writeCauses(out)
	}
	return out.Flush()
}

// headline says in one sentence what there is.
func (r *Report) headline() string {
	text := fmt.Sprintf("%s of %s in %s", count(r.traces, "trace"), count(len(r.functions), "function"), count(len(r.processes), "process"))
	if r.retraces == 0 {
		return text + "; no retraces"
	}
	return text + fmt.Sprintf("; %s cost %s of %s spent tracing", count(r.retraces, "retrace"), duration(r.lost), duration(r.time))
}

func (r *Report) writeFunctions(out io.Writer) {
	shown := r.functions[:min(shownFunctions, len(r.functions))]
	rows := [][]string{{"TRACES", "RETRACES", "TIME LOST", "FUNCTION", "LINE TO CHANGE", "TOP CAUSE OF RETRACES"}}
	for _, f := range shown {
		row := []string{strconv.Itoa(len(f.traces)), strconv.Itoa(f.retraces), "-", f.name, "-", "-"}
		if f.retraces > 0 {
			row[2], row[4], row[5] = duration(f.lost), f.causes[0].place, f.causes[0].share(f)
		}
		rows = append(rows, row)
	}
	writeTable(out, rows, 3)
	if rest := len(r.functions) - len(shown); rest > 0 {
		fmt.Fprintf(out, "and %s with fewer traces: -html shows all\n", count(rest, "function"))
	}
}

// share tells how many of the function's retraces have the cause.
func (c *cause) share(f *function) string {
	if c.traces == f.retraces {
		return c.text
	}
	return fmt.Sprintf("%d of %d: %s", c.traces, f.retraces, c.text)
}

func (r *Report) writeCauses(out io.Writer) {
	causes := r.topCauses()
	if len(causes) == 0 {
		return
	}
	rows := [][]string{{"RETRACES", "TIME LOST", "LINE TO CHANGE", "CAUSE"}}
	for _, c := range causes[:min(shownCauses, len(causes))] {
		rows = append(rows, []string{strconv.Itoa(c.traces), duration(c.lost), c.place, c.function.name + ": " + c.text})
	}
	writeTable(out, rows, 2)
	if rest := len(causes) - shownCauses; rest > 0 {
		fmt.Fprintf(out, "and %s that cost less: -html shows all\n", count(rest, "cause"))
	}
}

// writeTable writes rows below each other, the first columns, which are
// numbers, to the right.
func writeTable(out io.Writer, rows [][]string, numbers int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = clip(printable(row[i]))
			widths[i] = max(widths[i], len([]rune(row[i])))
		}
	}
	fmt.Fprintln(out)
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i < numbers {
				line.WriteString(padding + cell + "  ")
			} else {
				line.WriteString(cell + padding + "  ")
			}
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}

// clip cuts a text that would push the others out of sight.
func clip(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// printable escapes what a terminal would act on instead of showing it.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// count returns a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

// duration returns a duration with three digits at most.
func duration(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
