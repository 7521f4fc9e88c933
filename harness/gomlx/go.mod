module github.com/tracelint/tracelint/harness/gomlx

go 1.26.5

require github.com/gomlx/gomlx v0.28.2 // indirect
