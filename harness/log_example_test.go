package harness_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tracelint/tracelint/harness"
)

// Each line is one JSON object; docs/trace-log.md lists its fields.
func ExampleRecorder_LogTo() {
	var text bytes.Buffer
	log := harness.NewLog(&text)
	rec := harness.NewRecorder()
	stop := rec.LogTo(log)
	double := harness.Wrap(rec, "double", func(x int) int { return 2 * x })
	double(1)
	double(2)
	stop()
	fmt.Println(log.Err())

	for lines := bufio.NewScanner(&text); lines.Scan(); {
		var line struct {
			Process *struct{}
			Trace   struct {
				ID    int
				Cause struct{ Text string }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			fmt.Println(err)
		}
		if line.Process == nil {
			fmt.Println(line.Trace.ID, line.Trace.Cause.Text)
		}
	}
	// Output:
	// <nil>
	// 1 first trace
	// 2 new signature: x: 1 -> 2 (nearest: trace 1)
}
