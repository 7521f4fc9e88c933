//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cost is what a command and all processes below it took.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // bytes of the largest process
	code      int   // the exit code
}

// measure runs a command that may have findings.
func measure(b testing.TB, name string, args ...string) cost {
	b.Helper()
	start := time.Now()
	command := exec.Command(name, args...)
	err := command.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(b, err)
	}
	state := command.ProcessState
	return cost{
		wall:   time.Since(start),
		cpu:    state.UserTime() + state.SystemTime(),
		memory: state.SysUsage().(*syscall.Rusage).Maxrss << 10,
		code:   state.ExitCode(),
	}
}

// BenchmarkGoMLX compares, in one run because machines differ and are busy, what linting GoMLX's core/... and ml/... costs
// with nothing of the packages' results cached but everything compiled: by the built-in checks of "go vet", by tracelint
// as its tool, and by tracelint alone. The ratios are to the built-in checks.
func BenchmarkGoMLX(b *testing.B) {
	b.Chdir(filepath.Join(repository, "analyzer", "testdata", "gomlx"))
	b.Setenv("GOWORK", "off")
	b.Setenv("GOFLAGS", "")
	packages := []string{"github.com/gomlx/gomlx/core/...", "github.com/gomlx/gomlx/ml/..."}
	vet := func(flag string) cost { return measure(b, "go", append([]string{"vet", flag}, packages...)...) }
	vet("-printf.funcs=" + unique()) // compiles what is missing

	var builtin, vettool, alone cost
	for b.Loop() {
		builtin.add(vet("-printf.funcs=" + unique())) // a flag never seen before misses the cache
		vettool.add(vet("-vettool=" + uniqueBinary(b)))
		alone.add(measure(b, binary, packages...))
	}
	for _, measured := range []struct {
		name string
		cost cost
	}{{"vet", builtin}, {"vettool", vettool}, {"alone", alone}} {
		n := float64(b.N)
		b.ReportMetric(measured.cost.cpu.Seconds()/n, measured.name+"-cpu-s")
		b.ReportMetric(measured.cost.wall.Seconds()/n, measured.name+"-wall-s")
		b.ReportMetric(float64(measured.cost.memory)/(1<<20), measured.name+"-MB")
	}
	b.ReportMetric(float64(vettool.cpu)/float64(builtin.cpu), "vettool/vet-cpu")
	b.ReportMetric(float64(alone.cpu)/float64(builtin.cpu), "alone/vet-cpu")
	b.ReportMetric(0, "ns/op") // of all three together: says nothing
}

func (c *cost) add(d cost) {
	c.wall += d.wall
	c.cpu += d.cpu
	c.memory = max(c.memory, d.memory)
}

// unique is an identifier that no run before has used.
func unique() string {
	return fmt.Sprintf("unique%x", rand.Uint64())
}

// uniqueBinary copies tracelint with another build id, so that results of earlier runs do not count.
func uniqueBinary(b *testing.B) string {
	b.Helper()
	code, err := os.ReadFile(binary)
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "tracelint")
	require.NoError(b, os.WriteFile(path, append(code, unique()...), 0o755))
	return path
}
