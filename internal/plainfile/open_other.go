//go:build !unix

package plainfile

// nonblocking is for systems that have pipes among their files.
const nonblocking = 0
