package engine

import (
	"embed"
	"io/fs"
	"slices"
	"sync"
)

//go:embed *.yaml
var files embed.FS

// builtin parses the embedded profiles. They are part of the program, so an error in one is a bug of the program.
var builtin = sync.OnceValue(func() []*Profile {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		panic(err)
	}
	profiles := make([]*Profile, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		if profiles[i], err = Parse(name, text); err != nil {
			panic(err)
		}
	}
	return profiles
})

// Builtin returns the profiles that tracelint comes with, in the order of their file names. They are parsed at the first call
// and shared by all: callers must not change them.
func Builtin() []*Profile { return slices.Clone(builtin()) }
