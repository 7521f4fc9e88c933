// Package top is two imports away from the effects.
package top

import "example.com/facts/middle"

func Print() { middle.Print() } // want Print:`^print: middle\.Print -> inner -> bottom\.Print: slog\.Info$`

func Fresh() { middle.Fresh() } // no effect
