// Package helper has effects that the other fixtures reach through calls. It does not know the engine.
package helper

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand"
	"os"
	"time"
)

// Deep logs two calls further down.
func Deep() { middle() }

func middle() { bottom() }

func bottom() { slog.Info("deep") }

// Quiet is as deep and does nothing.
func Quiet() { quieter() }

func quieter() {}

// Dump writes to what it is given.
func Dump(w io.Writer, text string) { fmt.Fprintln(w, text) }

// Bump changes what it is given.
func Bump(counter *int) { *counter++ }

// Put changes the map that it is given.
func Put[K comparable, V any](m map[K]V, key K, value V) { m[key] = value }

var kept []any

// Keep never lets go of what it is given.
func Keep(value any) { kept = append(kept, value) }

// Kept returns how many values are kept.
func Kept() int { return len(kept) }

// Hold changes only what belongs to its caller: the slice that it returns.
func Hold(values []any, value any) []any { return append(values, value) }

// Each calls f with each of the values.
func Each[T any](values []T, f func(T)) {
	for _, value := range values {
		f(value)
	}
}

// All yields the values.
func All[T any](values []T) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		for _, value := range values {
			if !yield(value) {
				return
			}
		}
	}
}

// Run calls f.
func Run(f func()) { f() }

var announce = func(text string) { fmt.Println(text) }

// Announce prints through a variable that is set once.
func Announce(text string) { announce(text) }

// Roll draws from the host.
func Roll() float64 { return rand.Float64() }

// Stamp reads the clock.
func Stamp() int64 { return time.Now().Unix() }

// Home reads the environment.
func Home() string { return os.Getenv("HOME") }

// Table reads a file.
func Table(name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}

// Wait sleeps.
func Wait() { time.Sleep(time.Millisecond) }

// Check panics with a string.
func Check(ok bool) {
	if !ok {
		panic("helper: check failed")
	}
}

// Must panics with an error.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Logger logs to standard error.
type Logger struct{ prefix string }

// Say prints.
func (l Logger) Say(text string) { fmt.Fprintln(os.Stderr, l.prefix, text) }

// Speaker is implemented by Logger alone.
type Speaker interface{ Say(text string) }

// Singer is implemented by Loud and by Mute.
type Singer interface{ Sing(text string) }

// Loud prints.
type Loud struct{}

// Sing prints.
func (Loud) Sing(text string) { fmt.Println(text) }

// Mute does nothing.
type Mute struct{}

// Sing does nothing.
func (Mute) Sing(string) {}
