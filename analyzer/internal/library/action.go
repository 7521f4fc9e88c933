package library

import (
	"strconv"
	"strings"
)

// An Operand is a part of a call that an [Action] speaks of.
type Operand int

const (
	// None is the absent operand: the action concerns the process, not a value.
	None Operand = iota
	// Recv is the receiver of a method call.
	Recv
	// Args is every argument passed for the variadic parameter.
	Args
	// Result is every result of the call.
	Result

	firstArg
)

// Arg returns the operand for argument n, counted from zero without the receiver.
func Arg(n int) Operand { return firstArg + Operand(n) }

// Index returns which argument o is, and false if o is none of arg0, arg1, and so on.
func (o Operand) Index() (int, bool) {
	if o < firstArg {
		return 0, false
	}
	return int(o - firstArg), true
}

// String returns o as the table spells it.
func (o Operand) String() string {
	switch o {
	case None:
		return "none"
	case Recv:
		return "recv"
	case Args:
		return "args"
	case Result:
		return "result"
	}
	return "arg" + strconv.Itoa(int(o-firstArg))
}

// operand reads an operand as the table spells it.
func operand(text string) (Operand, bool) {
	switch text {
	case "recv":
		return Recv, true
	case "args":
		return Args, true
	case "result":
		return Result, true
	}
	digits, found := strings.CutPrefix(text, "arg")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !found || err != nil || strconv.FormatUint(n, 10) != digits {
		return None, false
	}
	return Arg(int(n)), true
}

// A Verb is what a function does. Verbs that may stand without an operand then
// speak of the process: its standard output, its random source, its settings.
type Verb string

// The verbs.
const (
	// Print writes to stdout, stderr or a process-wide logger; with an operand,
	// to that writer or logger, whatever it leads to.
	Print Verb = "print"
	// IO uses files, the network, processes, databases or stdin; with an
	// operand, whatever that file, connection or reader leads to.
	IO Verb = "io"
	// Clock reads the clock.
	Clock Verb = "clock"
	// Random draws from a process-wide source; with an operand, from that generator.
	Random Verb = "random"
	// Environ reads or changes environment variables, host name, working
	// directory, user or process ids.
	Environ Verb = "environ"
	// Sync waits, sleeps, starts timers or speaks over channels.
	Sync Verb = "sync"
	// Write changes what the operand points to; without one, a setting of the
	// process such as the default logger or a registry.
	Write Verb = "write"
	// Keep stores the operand inside [Action.Into], which outlives the call.
	Keep Verb = "keep"
	// Call calls the operand, a function or iterator, before returning.
	Call Verb = "call"
	// Once calls the operand before returning, at most once for each receiver.
	Once Verb = "once"
	// Spawn calls the operand on another goroutine, and is a [Sync] by that alone.
	Spawn Verb = "spawn"
	// ResultCalls returns a function or iterator that calls the operand each
	// time it is called itself.
	ResultCalls Verb = "result-calls"
	// ResultCallsOnce returns a function that calls the operand the first time
	// it is called itself.
	ResultCallsOnce Verb = "result-calls-once"
	// Wrap returns a value that holds the operand and acts through it: what
	// prints to the value, reads or draws from it reaches the operand, while a
	// Write changes the value alone. Without an operand it acts through what the
	// process has: its default logger, its stderr, its files.
	Wrap Verb = "wrap"
	// Alias returns a value that shares the operand's memory; without one, the
	// process's own, such as a registered flag.
	Alias Verb = "alias"
	// Abort panics with a value that is no error.
	Abort Verb = "abort"
	// Goexit ends the goroutine, running its deferred calls.
	Goexit Verb = "goexit"
	// MayGoexit ends the goroutine if something that it checks is not so; other
	// calls return.
	MayGoexit Verb = "may-goexit"
	// Exit ends the process.
	Exit Verb = "exit"
	// Guard says whether logging is on: what a condition on its result
	// protects is not printed in a usual run.
	Guard Verb = "guard"
)

// none is the action of a function that does nothing.
const none Verb = "none"

// verbs returns all verbs, sorted.
func verbs() []Verb {
	return []Verb{
		Abort, Alias, Call, Clock, Environ, Exit, Goexit, Guard, IO, Keep, MayGoexit,
		Once, Print, Random, ResultCalls, ResultCallsOnce, Spawn, Sync, Wrap, Write,
	}
}

// operands says whether v takes operands and whether it needs one; known is
// false if v is no verb.
func (v Verb) operands() (takes, needs, known bool) {
	switch v {
	case Print, IO, Random, Write, Wrap, Alias:
		return true, false, true
	case Keep, Call, Once, Spawn, ResultCalls, ResultCallsOnce:
		return true, true, true
	case Clock, Environ, Sync, Abort, Goexit, MayGoexit, Exit, Guard:
		return false, false, true
	}
	return false, false, false
}

// An Action is one thing that a function does when it is called.
type Action struct {
	Verb Verb
	// On is what the verb acts on, or None.
	On Operand
	// Into is where Keep stores On; None for other verbs.
	Into Operand
}

// String returns a as the table spells it.
func (a Action) String() string {
	text := string(a.Verb)
	if a.On != None {
		text += " " + a.On.String()
	}
	if a.Into != None {
		text += " in " + a.Into.String()
	}
	return text
}
