// Package helper logs for others.
package helper

import "fmt"

// Log prints.
func Log(message string) { fmt.Println(message) }
