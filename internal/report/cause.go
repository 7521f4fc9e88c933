package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// mostDifferences bounds the differences that a cause lists.
const mostDifferences = 10

func causeWithoutValues(c tracelog.Cause) string {
	return causeText(c, func(d tracelog.Difference) string { return d.Where })
}

func causeWithValues(c tracelog.Cause) string {
	return causeText(c, func(d tracelog.Difference) string {
		return d.Where + ": " + cmp.Or(d.From, "none") + " → " + cmp.Or(d.To, "none")
	})
}

// causeText is what a cause is for several traces: no IDs.
func causeText(c tracelog.Cause, difference func(tracelog.Difference) string) string {
	var text strings.Builder
	text.WriteString(cmp.Or(c.Label, "unknown cause"))
	if c.Kind == tracelog.SameSignature && c.Wrapper == tracelog.OtherWrapper {
		text.WriteString(", of another wrapper")
	}
	separator := ": "
	listed := c.Differences[:min(mostDifferences, len(c.Differences))]
	for _, d := range listed {
		text.WriteString(separator + difference(d))
		separator = ", "
	}
	if more := len(c.Differences) - len(listed); more > 0 {
		fmt.Fprintf(&text, " and %d more", more)
	}
	if c.Detail != "" {
		text.WriteString(": " + c.Detail)
	}
	return text.String()
}

// failure tells how a trace ended, if not as it should.
func failure(o tracelog.Outcome) string {
	switch o.Kind {
	case tracelog.Returned:
		return ""
	case tracelog.Error:
		return "returned an error: " + o.Text
	case tracelog.Panic:
		return "panicked: " + o.Text
	case tracelog.Goexit:
		return "ended its goroutine (runtime.Goexit)"
	}
	return "ended: " + o.Kind + " " + o.Text
}
