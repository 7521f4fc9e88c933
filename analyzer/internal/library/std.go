package library

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed std.txt
var stdText string

// std holds the standard library's packages that programs can import, and
// each directory above one, which is false.
var std = sync.OnceValue(func() map[string]bool {
	packages := make(map[string]bool, 256)
	for line := range strings.Lines(stdText) {
		path := strings.TrimSpace(line)
		packages[path] = true
		for i := range len(path) {
			if path[i] == '/' && !packages[path[:i]] {
				packages[path[:i]] = false
			}
		}
	}
	return packages
})

// IsStd reports whether path belongs to the standard library, the packages
// that only it can import (internal/..., vendor/...) included.
func IsStd(path string) bool {
	if strings.HasPrefix(path, "internal/") || strings.HasPrefix(path, "vendor/") {
		return true
	}
	// The library's own internal packages come and go with each release, so
	// they are known by the directory that may import them.
	if above, _, found := strings.Cut(path+"/", "/internal/"); found {
		_, found := std()[above]
		return found
	}
	return std()[path]
}
