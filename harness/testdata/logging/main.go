// Command logging traces on two goroutines, one trace inside of another, until
// it is killed, and prints the recorder-wide ID of each trace once it ended.
package main

import (
	"fmt"

	"github.com/tracelint/tracelint/harness"
)

func main() {
	rec := harness.NewRecorder()
	for range 2 {
		go func() {
			for {
				outer := rec.Start(harness.Info{Function: harness.Function{Name: "outer"}, Args: harness.Signature{}})
				inner := rec.Start(harness.Info{Function: harness.Function{Name: "inner"}})
				inner.End(harness.Returned())
				fmt.Println(inner.ID())
				outer.End(harness.Returned())
				fmt.Println(outer.ID())
			}
		}()
	}
	select {}
}
