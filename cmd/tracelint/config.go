package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
)

// configFiles lists the files of settings that the analyzer reads for packages of the main modules: the one around the
// current directory, or those of a workspace.
func configFiles() ([]string, error) {
	var where struct{ GOMOD, GOWORK string }
	if err := askGo(&where, "env", "-json", "GOMOD", "GOWORK"); err != nil {
		return nil, err
	}
	var modules []string
	switch {
	case where.GOWORK != "" && where.GOWORK != "off":
		var work struct{ Use []struct{ DiskPath string } }
		if err := askGo(&work, "work", "edit", "-json", where.GOWORK); err != nil {
			return nil, err
		}
		for _, use := range work.Use {
			dir := filepath.FromSlash(use.DiskPath)
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(filepath.Dir(where.GOWORK), dir)
			}
			modules = append(modules, dir)
		}
	case filepath.Base(where.GOMOD) == "go.mod": // neither empty nor the null device
		modules = append(modules, filepath.Dir(where.GOMOD))
	}
	var files []string
	for _, dir := range modules {
		if file := analyzer.ConfigFile(dir); file != "" {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// askGo runs the go command and decodes the JSON that it prints.
func askGo(answer any, args ...string) error {
	var stderr strings.Builder
	command := exec.Command(goCommand(), args...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return nil
}

// goCommand is the go command that runs tracelint, if one does: it says by GOROOT where it lies, which need not be in PATH.
func goCommand() string {
	if root := os.Getenv("GOROOT"); root != "" {
		if path, err := exec.LookPath(filepath.Join(root, "bin", "go")); err == nil {
			return path
		}
	}
	return "go"
}

// checkConfigFiles reports what is wrong with the settings that are going to be read, once instead of for each package.
// The argument is the value of -config.
func checkConfigFiles(config string) error {
	files := []string{config}
	switch config {
	case analyzer.NoConfigFile:
		return nil
	case "":
		var err error
		if files, err = configFiles(); err != nil {
			return fmt.Errorf("looking for settings: %w", err)
		}
	default:
		if err := insideTree(config); err != nil {
			return fmt.Errorf("settings: %w", err)
		}
	}
	for _, file := range files {
		if err := analyzer.CheckConfigFile(file); err != nil {
			return err
		}
	}
	return nil
}
