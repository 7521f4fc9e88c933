module example.com/fixtures

go 1.26.5

require (
	github.com/gomlx/compute v0.1.2
	github.com/gomlx/exceptions v0.0.3
	github.com/gomlx/gomlx v0.28.2
	github.com/google/uuid v1.6.0
	github.com/pkg/errors v0.9.1
	github.com/rs/zerolog v1.35.1
	github.com/sirupsen/logrus v1.10.2
	github.com/stretchr/testify v1.12.1
	github.com/tracelint/tracelint/harness/gomlx v0.0.0
	go.uber.org/zap v1.28.0
	golang.org/x/sync v0.24.0
	k8s.io/klog/v2 v2.140.0
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/gofrs/flock v0.13.0 // indirect
	github.com/gomlx/bsplines v0.2.0 // indirect
	github.com/gomlx/go-xla v0.4.1 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/tracelint/tracelint v0.0.0 // indirect
	go.uber.org/multierr v1.10.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/exp v0.0.0-20260410095643-746e56fc9e2f // indirect
	golang.org/x/sys v0.43.0 // indirect
	golang.org/x/term v0.40.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)

replace (
	github.com/tracelint/tracelint => ../../..
	github.com/tracelint/tracelint/harness/gomlx => ../../../harness/gomlx
)
