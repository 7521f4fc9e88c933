module github.com/tracelint/tracelint/integration/nogo

go 1.26.5

tool (
	github.com/bazelbuild/rules_go/go/tools/builders
	github.com/tracelint/tracelint/cmd/tracelint
)

require (
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.12.1
	github.com/tracelint/tracelint v0.0.0-00010101000000-000000000000
)

require (
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/bazelbuild/rules_go v0.65.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/tracelint/tracelint => ../..
