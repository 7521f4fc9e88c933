package main

import (
	"fmt"
	"runtime/debug"
)

// printVersion prints the module's version, the commit it was built from and the Go that built it, as far as known.
func (c command) printVersion() int {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		c.printError("the binary carries no build information: build it as a module")
		return exitError
	}
	fmt.Fprintf(c.stdout, "tracelint %s%s built with %s\n", info.Main.Version, commit(info.Settings), info.GoVersion)
	return exitClean
}

func commit(settings []debug.BuildSetting) string {
	known := make(map[string]string, len(settings))
	for _, s := range settings {
		known[s.Key] = s.Value
	}
	revision, ok := known["vcs.revision"]
	switch {
	case !ok:
		return ""
	case known["vcs.modified"] == "true":
		return fmt.Sprintf(" (commit %s, modified)", revision)
	default:
		return fmt.Sprintf(" (commit %s)", revision)
	}
}
