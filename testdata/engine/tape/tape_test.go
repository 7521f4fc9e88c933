package tape_test

import (
	"fmt"

	"example.com/tape"
)

func Example() {
	square := tape.Record(func(x *tape.Node) *tape.Node { return tape.Mul(x, x) })
	result, err := square.Call([]float64{1, 2, 3}) // traces, and keeps the tape for size 3
	fmt.Println(result, err)
	// Output: [1 4 9] <nil>
}
