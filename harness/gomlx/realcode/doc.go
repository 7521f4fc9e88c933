// Package realcode holds what tracelint finds in code that people run: each finding stands in a list with a verdict.
package realcode
