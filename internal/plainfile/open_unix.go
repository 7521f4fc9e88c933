//go:build unix

package plainfile

import "syscall"

// nonblocking keeps the opening of a pipe that has just taken a file's place from waiting for a writer.
const nonblocking = syscall.O_NONBLOCK
