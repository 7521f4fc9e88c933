module example.com/engine

go 1.26.5

require (
	example.com/tape v0.0.0
	github.com/tracelint/tracelint v0.0.0
)

replace (
	example.com/tape => ./tape
	github.com/tracelint/tracelint => ../..
)
