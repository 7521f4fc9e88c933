//go:build unix

package function_test

import (
	"embed"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

//go:embed foreign_test.go
var files embed.FS

var global fruit

// Values that Go's heap does not own are keyed by their addresses.
func TestPointersToMemoryOutsideOfTheHeap(t *testing.T) {
	s := newScenario(t)
	embedded := function.New(s.r, constant[embed.FS])
	embedded.Call(s.r.Host(), files)
	embedded.Call(s.r.Host(), files)
	require.Equal(t, 1, embedded.TraceCount())
	embedded.Call(s.r.Host(), embed.FS{})
	require.Equal(t, 2, embedded.TraceCount())

	mapped, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(mapped)) }()
	constantText := "in read-only data"
	f := function.New(s.r, constant[*byte])
	for range 2 {
		for _, p := range []*byte{&mapped[0], &mapped[8], unsafe.StringData(constantText), (*byte)(unsafe.Pointer(&global))} {
			f.Call(s.r.Host(), p)
		}
		runtime.GC()
	}
	require.Equal(t, 4, f.TraceCount())
}
