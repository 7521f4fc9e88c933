package gomlx_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/harness/gomlx"
)

// processVariable names the process that the test binary is to be, in place of running its tests.
const processVariable = "TRACELINT_ROW"

// The processes are the rows that end their process or never end. What they print tells how far they came.
var processes = map[string]func(rec *harness.Recorder, backend compute.Backend){
	"G28 second call": func(rec *harness.Recorder, backend compute.Backend) {
		exec := gomlx.MustNewExec(rec, backend, panicWithText)
		report(rec, "first call", func() { exec.MustCall1(ones(3)) })
		report(rec, "other shape", func() { exec.MustCall1(ones(4)) })
		report(rec, "second call", func() { exec.MustCall1(ones(3)) })
	},
	"G28 Finalize": func(rec *harness.Recorder, backend compute.Backend) {
		exec := gomlx.MustNewExec(rec, backend, panicWithText)
		report(rec, "first call", func() { exec.MustCall1(ones(3)) })
		report(rec, "Finalize", exec.Finalize)
	},
	"goexit": func(rec *harness.Recorder, backend compute.Backend) {
		exec := gomlx.MustNewExec(rec, backend, endGoroutine)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			exec.MustCall1(ones(3))
		}()
		report(rec, "first call", func() { <-ended })
		report(rec, "second call", func() { exec.MustCall1(ones(3)) })
	},
	"G34": func(rec *harness.Recorder, backend compute.Backend) {
		var exec *graph.Exec
		exec = gomlx.MustNewExec(rec, backend, func(x *graph.Node) *graph.Node {
			fmt.Printf("traces: %s, ", strings.Join(causes(rec), " | "))
			return graph.ConstTensor(x.Graph(), exec.MustCall1(ones(3)))
		})
		report(rec, "first call", func() { exec.MustCall1(ones(3)) })
	},
	"C20": func(rec *harness.Recorder, backend compute.Backend) {
		firstCallsAtOnce(rec, backend, func(int) int { return 3 })
	},
	"C21": func(rec *harness.Recorder, backend compute.Backend) {
		firstCallsAtOnce(rec, backend, func(i int) int { return i + 1 })
	},
}

func panicWithText(*graph.Node) *graph.Node { panic("no such layer") }

func endGoroutine(x *graph.Node) *graph.Node {
	runtime.Goexit()
	return x
}

// report says that a step starts, how it ended, and the causes of the traces until then.
func report(rec *harness.Recorder, step string, do func()) {
	fmt.Printf("%s: ", step)
	defer func() {
		outcome := "returned"
		if value := recover(); value != nil {
			outcome = fmt.Sprintf("panicked with %T %v", value, value)
		}
		fmt.Printf("%s, traces: %s\n", outcome, strings.Join(causes(rec), " | "))
	}()
	do()
}

const rounds = 20

// firstCallsAtOnce makes the first calls of a new wrapper at once, with arguments of the lengths given, in so many rounds.
func firstCallsAtOnce(rec *harness.Recorder, backend compute.Backend, length func(i int) int) {
	for range rounds {
		exec := gomlx.MustNewModelExec(rec, backend, model.NewStore(), linear)
		start := make(chan struct{})
		var ready sync.WaitGroup
		ready.Add(callers)
		go func() {
			ready.Wait()
			close(start)
		}()
		atOnce(func(i int) {
			ready.Done()
			<-start
			exec.Call(examples(length(i))) // may fail
		})
	}
	fmt.Println(kinds(rec))
}

// kinds counts the traces by the kind of their cause, since their order is by chance.
func kinds(rec *harness.Recorder) map[harness.CauseKind]int {
	n := map[harness.CauseKind]int{}
	for _, trace := range rec.Traces() {
		n[trace.Cause.Kind]++
	}
	return n
}

func runProcess(name string) {
	backend, err := compute.New()
	if err != nil {
		panic(err)
	}
	processes[name](harness.NewRecorder(), backend)
}

// A process is a row that runs in a process of its own.
type process struct {
	stdout, stderr output
	ended          chan error // receives what Wait returned
	kill           func()
}

func startProcess(t *testing.T, name string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	p := &process{ended: make(chan error, 1), kill: cancel}
	command := exec.CommandContext(ctx, os.Args[0])
	// GoMLX has data races in C20 and C21, which are no failure of the row.
	command.Env = append(os.Environ(), processVariable+"="+name, "GORACE=exitcode=0")
	command.Stdout, command.Stderr = &p.stdout, &p.stderr
	require.NoError(t, command.Start())
	go func() { p.ended <- command.Wait() }()
	return p
}

// An output holds what a process has printed so far.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func TestRowsThatHang(t *testing.T) {
	for name, want := range map[string]string{
		"G28 second call": `first call: panicked with string no such layer, traces: first
other shape: panicked with string no such layer, traces: first | new signature, same wrapper; arg 0: axis 0: 3 -> 4
second call: `,
		"G28 Finalize": `first call: panicked with string no such layer, traces: first
Finalize: `,
		"goexit": `first call: returned, traces: first
second call: `,
		"G34": `first call: traces: first, `,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startProcess(t, name)
			defer p.kill()
			require.Eventually(t, func() bool { return p.stdout.String() == want }, 30*time.Second, time.Millisecond)
			// From here on a call that works ends in less than a millisecond.
			select {
			case err := <-p.ended:
				// Where the runtime sees that all goroutines wait, it says so.
				require.Error(t, err)
				require.Contains(t, p.stderr.String(), "all goroutines are asleep")
			case <-time.After(time.Second):
			}
			require.Equal(t, want, p.stdout.String())
		})
	}
}

// A model.Store has no lock: of first calls at once, some fail, and some processes die. The traces are exact all the
// same.
func TestRowsThatRace(t *testing.T) {
	for name, causes := range map[string]map[harness.CauseKind]int{
		"C20": {harness.CauseFirst: 1, harness.CauseSameSignature: rounds - 1},
		"C21": {harness.CauseFirst: 1, harness.CauseNewSignature: callers - 1, harness.CauseSameSignature: (rounds - 1) * callers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := fmt.Sprintln(causes)
			for range 20 {
				p := startProcess(t, name)
				err := <-p.ended
				p.kill()
				if err == nil {
					require.Equal(t, want, p.stdout.String())
					return
				}
				// Concurrent writes of a map, or a variable that another call is about to initialize.
				require.Contains(t, p.stderr.String(), "github.com/gomlx/gomlx/ml/model.")
			}
			t.Fatal("20 processes in a row died of GoMLX's races")
		})
	}
}
