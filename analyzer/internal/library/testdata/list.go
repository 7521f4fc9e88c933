//go:build ignore

// List prints the exported functions and methods of packages, one a line, as
// "NAME func(PARAMETERS) RESULTS". It made modules.txt: run it in a module that
// requires the packages and golang.org/x/tools,
//
//	go run list.go github.com/google/uuid ...
//
// and merge what it prints with "sort -u", since a name that only an older
// version of a module has is kept.
package main

import (
	"fmt"
	"go/types"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile}, os.Args[1:]...)
	if err != nil {
		log.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		os.Exit(1)
	}
	var lines []string
	for _, pkg := range pkgs {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			switch obj := scope.Lookup(name).(type) {
			case *types.Func:
				lines = append(lines, line(obj)...)
			case *types.TypeName:
				if obj.IsAlias() || !obj.Exported() {
					continue
				}
				named := obj.Type().(*types.Named)
				for method := range named.Methods() {
					lines = append(lines, line(method)...)
				}
				if iface, ok := named.Underlying().(*types.Interface); ok {
					for method := range iface.ExplicitMethods() {
						lines = append(lines, line(method)...)
					}
				}
			}
		}
	}
	slices.Sort(lines)
	for _, l := range lines {
		fmt.Println(l)
	}
}

// line returns fn's line, or nothing if it is not exported. Parameters lose
// their names and types their paths: the line only has to show their kind.
func line(fn *types.Func) []string {
	if !fn.Exported() {
		return nil
	}
	sig := fn.Signature()
	plain := types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	text := types.TypeString(plain, (*types.Package).Name)
	return []string{fn.FullName() + " " + strings.ReplaceAll(text, "interface{}", "any")}
}

func unnamed(tuple *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range tuple.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}
