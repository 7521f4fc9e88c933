package library_test

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/tracelint/tracelint/analyzer/internal/library"
)

func ExampleParse() {
	_, err := library.Parse("effects.txt", []byte("example.com/log.Say  pint\n"))
	fmt.Println(err)
	// Output: effects.txt:1: example.com/log.Say: verb "pint" is unknown: did you mean "print"?
}

func ExampleTable_Lookup() {
	// Usually a types.Func comes from a type-checked call.
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	panicf := types.NewFunc(token.NoPos, types.NewPackage("log", "log"), "Panicf", sig)
	for _, action := range library.Default().Lookup(panicf) {
		fmt.Println(action)
	}
	// Output:
	// print
	// abort
}
