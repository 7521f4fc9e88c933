package finding

import (
	"net/url"
	"path/filepath"
	"strings"
)

// inside is the path of a file below a root with slashes, and whether it lies there.
func inside(root, file string) (string, bool) {
	relative, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(relative) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// uri is the reference to a file: relative below the root, absolute elsewhere.
func uri(root, file string) (reference string, relative bool) {
	if path, ok := inside(root, file); ok {
		return (&url.URL{Path: path}).String(), true
	}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/dir
	}
	return (&url.URL{Scheme: "file", Path: path}).String(), false
}
