// Command golangci-lint is golangci-lint with tracelint's plugin in it, as "golangci-lint custom" makes it from a
// .custom-gcl.yml, without the network that this needs.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/tracelint/tracelint/gclplugin"
)

func main() {
	// Without a version golangci-lint's cache is keyed by the content of this executable, so by the analyzer's code too.
	if err := commands.Execute(commands.BuildInfo{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
