// Package plainfile reads and writes the files that tracelint finds in trees which it need not trust: settings and
// baselines. A link, a pipe, a device or a folder in the place of such a file is refused, since following it would show or
// overwrite what lies outside of the tree, or wait for ever.
package plainfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Read returns the content of a plain file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := check(path, named); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(named, opened) {
		return nil, fmt.Errorf("%s: the file was replaced while it was opened: try again", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s: the file has more than %d bytes, too many for what it is: check that it is the right one", path, most)
	}
	return text, nil
}

// Writable reports, as an error, that Write would refuse to put a file there.
func Writable(path string) error {
	named, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	}
	return check(path, named)
}

// Write writes a plain file, or leaves what is there as it is and returns an error.
func Write(path string, text []byte) error {
	mode := fs.FileMode(0o644)
	if err := Writable(path); err != nil {
		return err
	}
	if named, err := os.Lstat(path); err == nil {
		mode = named.Mode().Perm()
	}
	// The new file takes the old one's place as a whole, and a link's place if one has appeared since.
	file, err := os.CreateTemp(filepath.Dir(path), ".tracelint-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err == nil {
		err = file.Chmod(mode)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}

// Inside reports, as an error, that a path below a folder leads out of it through a link. It says nothing about paths that
// do not lie below the folder by their names: whoever gives one means it.
func Inside(folder, path string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	if !below(folder, path) {
		return nil
	}
	realFolder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return err
	}
	if !below(realFolder, parent) {
		return fmt.Errorf("%s: a link on the way leads out of the tree: give the path of the file itself", path)
	}
	return nil
}

func below(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative)
}

func check(path string, named fs.FileInfo) error {
	if named.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s: put a plain file there", path, kind(named.Mode()))
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no plain file"
}
