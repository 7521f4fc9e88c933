package demo_test

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/tracelint/tracelint/harness/gomlx/demo"
)

// The prints tell how often each body ran: Inference twice for one graph of Fun, once inside of it and once in a
// wrapper of its own, whose result Fun keeps as a constant; again for the shape that Infer is called with; none for the
// second Score; and the rebuilt wrapper's at every call.
func Example() {
	backend, err := compute.NewWithConfig(gobackend.BackendName)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := demo.New(backend)
	line := strings.Repeat("=", 20)

	tokens := []int64{1, 2, 3}
	m.Score(tokens)
	m.Score(tokens)
	fmt.Println(line)
	m.Infer(tokens)
	fmt.Println(line)
	m.Embed(tokens)
	m.Embed(tokens)
	// Output:
	// call function: fun
	// call function: inference
	// call function: inference
	// ====================
	// call function: inference
	// ====================
	// call function: embed
	// call function: embed
}
