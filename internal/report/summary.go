package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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
	if r.all.traces > 0 {
		r.writeFunctions(out)
		r.writeCauses(out)
	}
	if left := r.leftOut(); len(left) > 0 {
		fmt.Fprintln(out)
		for _, text := range left {
			fmt.Fprintln(out, text)
		}
	}
	return out.Flush()
}

// headline says in one sentence what there is.
func (r *Report) headline() string {
	text := fmt.Sprintf("%s of %s in %s", count(r.all.traces, "trace"), r.countFunctions(), count(r.processes, "process"))
	if r.lost.traces == 0 {
		return text + "; no retraces"
	}
	retraces := count(r.lost.traces, "retrace")
	if !r.lost.known() {
		return text + "; " + retraces + ", seen too late to be timed"
	}
	text += fmt.Sprintf("; %s cost %s of %s spent tracing", retraces, duration(r.lost.time), duration(r.all.time))
	if r.lost.untimed > 0 {
		text += fmt.Sprintf(", those aside that were seen too late to be timed (%d)", r.lost.untimed)
	}
	return text
}

func (r *Report) countFunctions() string {
	several := func(f *function) bool { return f.several }
	if slices.ContainsFunc(r.functions, several) {
		return fmt.Sprintf("more than %s", count(len(r.functions)-1, "function"))
	}
	return count(len(r.functions), "function")
}

func (r *Report) writeFunctions(out io.Writer) {
	listed := r.functions[:min(shownFunctions, len(r.functions))]
	rows := [][]string{{"TRACES", "RETRACES", "TIME LOST", "FUNCTION", "LINE TO CHANGE", "TOP CAUSE OF RETRACES"}}
	for _, f := range listed {
		row := []string{strconv.Itoa(f.all.traces), strconv.Itoa(f.lost.traces), f.lost.String(), f.name, none, none}
		if len(f.causes) > 0 {
			row[4], row[5] = cmp.Or(f.causes[0].place, none), f.causes[0].share()
		}
		rows = append(rows, row)
	}
	writeTable(out, rows, 3)
	if rest := r.functions[len(listed):]; len(rest) > 0 {
		fmt.Fprintf(out, "and %s with fewer traces: -html shows all\n", count(len(rest), "function"))
	}
}

// share tells how many of its function's retraces have the cause.
func (c *cause) share() string {
	if all := c.function.lost.traces; c.lost.traces < all {
		return fmt.Sprintf("%d of %d: %s", c.lost.traces, all, c.text)
	}
	return c.text
}

func (r *Report) writeCauses(out io.Writer) {
	causes := r.topCauses()
	if len(causes) == 0 {
		return
	}
	listed := causes[:min(shownCauses, len(causes))]
	rows := [][]string{{"RETRACES", "TIME LOST", "LINE TO CHANGE", "CAUSE"}}
	for _, c := range listed {
		rows = append(rows, []string{strconv.Itoa(c.lost.traces), c.lost.String(), cmp.Or(c.place, none), c.function.name + ": " + c.text})
	}
	writeTable(out, rows, 2)
	if rest := causes[len(listed):]; len(rest) > 0 {
		fmt.Fprintf(out, "and %s that cost less: -html shows all\n", count(len(rest), "cause"))
	}
}

// writeTable writes rows below each other, the first columns, which are
// numbers, to the right.
func writeTable(out io.Writer, rows [][]string, numbers int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = cell(row[i])
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

// cell cuts a text that would push the others out of sight.
func cell(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
