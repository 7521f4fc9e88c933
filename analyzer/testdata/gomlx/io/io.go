// Package io holds the cases of rule io: files, network, processes and databases at trace time.
package io

import (
	"bufio"
	"bytes"
	"database/sql"
	"embed"
	"encoding/csv"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"example.com/fixtures/helper"
)

//go:embed io.go
var embedded embed.FS

// Flagged wraps each function of this file that has findings.
func Flagged(backend compute.Backend, db *sql.DB, out *os.File) []*model.Exec {
	store := model.NewStore()
	return []*model.Exec{
		model.MustNewExec(backend, store, files),
		model.MustNewExec(backend, store, network),
		model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			_, _ = db.Exec("insert into traces values (1)") // want `Exec.*\(io\)$`
			row := db.QueryRow("select 1")                  // want `QueryRow.*\(io\)$`
			_ = row
			_, _ = out.Write([]byte("x")) // want `Write.*\(io\)$`
			return x
		}),
	}
}

func files(scope *model.Scope, x *graph.Node) *graph.Node {
	data, err := os.ReadFile("weights.bin") // want `os\.ReadFile.*\(io\)$`
	helper.Must(err)
	helper.Must(os.WriteFile("copy.bin", data, 0o600)) // want `os\.WriteFile.*\(io\)$`
	f, err := os.Open("weights.bin")                   // want `os\.Open.*\(io\)$`
	helper.Must(err)
	_ = f
	helper.Must(os.MkdirAll("out", 0o700)) // want `os\.MkdirAll.*\(io\)$`
	_, err = os.Stat("weights.bin")        // want `os\.Stat.*\(io\)$`
	helper.Must(err)
	helper.Must(os.Remove("copy.bin"))   // want `os\.Remove.*\(io\)$`
	names, err := filepath.Glob("*.bin") // want `filepath\.Glob.*\(io\)$`
	helper.Must(err)
	entries, err := os.ReadDir(".") // want `os\.ReadDir.*\(io\)$`
	helper.Must(err)
	table := helper.Table("table.bin") // want `helper\.Table: os\.ReadFile.*\(io\)$`
	return graph.AddScalar(x, float64(len(names)+len(entries)+len(table)))
}

func network(scope *model.Scope, x *graph.Node) *graph.Node {
	response, err := http.Get("http://localhost/weights") // want `http\.Get.*\(io\)$`
	helper.Must(err)
	conn, err := net.Dial("tcp", "localhost:80") // want `net\.Dial.*\(io\)$`
	helper.Must(err)
	_ = conn
	out, err := exec.Command("true").Output() // want `Output.*\(io\)$`
	helper.Must(err)
	return graph.AddScalar(x, float64(response.StatusCode+len(out)))
}

// Silent wraps each function of this file that must have no finding.
func Silent(backend compute.Backend) []*model.Exec {
	store := model.NewStore()
	weights, err := os.ReadFile("weights.bin") // host code
	helper.Must(err)
	return []*model.Exec{
		model.MustNewExec(backend, store, inMemory),
		model.MustNewExec(backend, store, func(scope *model.Scope, x *graph.Node) *graph.Node {
			return graph.Add(x, graph.Const(x.Graph(), len(weights))) // read before wrapping
		}),
	}
}

func inMemory(scope *model.Scope, x *graph.Node) *graph.Node {
	source, err := embedded.ReadFile("io.go") // part of the program
	helper.Must(err)
	same, err := fs.ReadFile(embedded, "io.go") // the same
	helper.Must(err)
	all, err := io.ReadAll(strings.NewReader("1 2 3")) // in memory
	helper.Must(err)
	var copied bytes.Buffer
	_, err = io.Copy(&copied, bytes.NewReader(source)) // in memory
	helper.Must(err)
	line, err := bufio.NewReader(&copied).ReadString('\n') // in memory
	helper.Must(err)
	rows, err := csv.NewReader(strings.NewReader("1,2\n")).ReadAll() // in memory
	helper.Must(err)
	words := bufio.NewScanner(strings.NewReader("a b")) // in memory
	for words.Scan() {                                  // the same
		line += words.Text()
	}
	request, err := http.NewRequest(http.MethodGet, "http://localhost", nil) // made, not sent
	helper.Must(err)
	if ip := net.ParseIP(request.Host); ip != nil && !os.IsNotExist(err) { // texts and errors
		line += ip.String()
	}
	var config struct{ Width int }
	helper.Must(json.Unmarshal([]byte(`{"Width": 2}`), &config)) // in memory
	address, err := url.Parse("http://localhost/weights")        // parses, fetches nothing
	helper.Must(err)
	name := filepath.Join(filepath.Base(address.Path), http.StatusText(200)) // paths and texts
	return graph.AddScalar(x, float64(len(same)+len(all)+len(line)+len(rows)+config.Width+len(name)))
}

// Load is a run-once trace: it reads as often as it is called.
func Load(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(g *graph.Graph) *graph.Node {
		data, err := os.ReadFile("weights.bin") // a note
		helper.Must(err)
		return graph.Const(g, data)
	})
}

// Train reads and writes between steps.
func Train(trainer *train.Trainer, ds train.Dataset) error {
	loop := train.NewLoop(trainer)
	loop.OnStep("save", 0, func(loop *train.Loop, metrics []*tensors.Tensor) error {
		return os.WriteFile("step", []byte(metrics[0].String()), 0o600) // a host callback
	})
	_, err := loop.RunSteps(ds, 10)
	return err
}
