//go:build unix

package plainfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/plainfile"
)

// unusual are things that can stand in a file's place, with the words for them.
var unusual = map[string]func(t *testing.T, path string){
	"a link": func(t *testing.T, path string) {
		target := filepath.Join(t.TempDir(), "target")
		require.NoError(t, os.WriteFile(target, []byte("secret"), 0o600))
		require.NoError(t, os.Symlink(target, path))
	},
	"a folder": func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) },
	"a pipe":   func(t *testing.T, path string) { require.NoError(t, syscall.Mkfifo(path, 0o600)) },
	"a socket": func(t *testing.T, path string) {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		require.NoError(t, err)
		defer syscall.Close(fd)
		require.NoError(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	},
}

func TestOnlyPlainFilesAreReadAndWritten(t *testing.T) {
	for words, make := range unusual {
		t.Run(words, func(t *testing.T) {
			t.Chdir(t.TempDir()) // names of sockets are short
			make(t, "file")
			want := "file is " + words + ": put a plain file there"
			_, err := plainfile.Read("file", 100)
			require.EqualError(t, err, want)
			require.EqualError(t, plainfile.Write("file", []byte("new")), want)
			if target, err := os.Readlink("file"); err == nil {
				text, err := os.ReadFile(target)
				require.NoError(t, err)
				require.Equal(t, "secret", string(text))
			}
		})
	}
	_, err := plainfile.Read(os.DevNull, 100)
	require.EqualError(t, err, os.DevNull+" is a device: put a plain file there")
}

func TestLargeFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 11)), 0o600))
	text, err := plainfile.Read(path, 11)
	require.NoError(t, err)
	require.Len(t, text, 11)
	_, err = plainfile.Read(path, 10)
	require.ErrorContains(t, err, "the file has more than 10 bytes")
}

func TestWriteKeepsPermissionsAndLeavesNothingElse(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	require.NoError(t, plainfile.Write(path, []byte("one")))
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, plainfile.Write(path, []byte("two")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(text))
}

func TestLinksOnTheWayDoNotLeadOutOfTheTree(t *testing.T) {
	outside, tree := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(tree, "out")))
	require.NoError(t, os.Mkdir(filepath.Join(tree, "folder"), 0o700))
	require.NoError(t, os.Symlink("folder", filepath.Join(tree, "in")))

	require.ErrorContains(t, plainfile.Inside(tree, filepath.Join(tree, "out", "file")), "a link on the way leads out of the tree")
	require.NoError(t, plainfile.Inside(tree, filepath.Join(tree, "in", "file")))
	require.NoError(t, plainfile.Inside(tree, filepath.Join(tree, "file")))
	require.NoError(t, plainfile.Inside(tree, filepath.Join(outside, "file")))
}
