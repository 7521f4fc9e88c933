package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// Options say how logs are read.
type Options struct {
	// Dir is the directory to which the files of call sites are shown relative,
	// if they lie below it.
	Dir string
	// Progress, if not nil, is called now and then with the bytes read so far
	// and the bytes that there are.
	Progress func(read, all int64)
}

// Load reads logs: files, and in directories those that end in
// [tracelog.Extension]. Lines that cannot be used become [Report.Problems]; an
// error is returned if a file cannot be read, or if there is none.
func Load(paths []string, options Options) (*Report, error) {
	files, all, err := find(paths)
	if err != nil {
		return nil, err
	}
	l := loader{collector: newCollector(options.Dir, defaultLimits()), progress: func(int64) {}}
	if options.Progress != nil {
		l.progress = func(read int64) { options.Progress(read, all) }
	}
	for _, file := range files {
		if err := l.file(file); err != nil {
			return nil, err
		}
	}
	return l.result(), nil
}

// find returns the files that paths name, each once, and their size.
func find(paths []string) (files []string, size int64, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, 0, err
		case !info.IsDir():
			files = append(files, filepath.Clean(path))
			continue
		}
		logs, err := logsIn(path)
		if err != nil {
			return nil, 0, err
		}
		files = append(files, logs...)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, 0, err
		}
		size += info.Size()
	}
	return files, size, nil
}

// logsIn returns the logs that lie in a directory.
func logsIn(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if filepath.Ext(file) != tracelog.Extension || e.IsDir() {
			continue
		}
		// To read a pipe that nobody writes to would wait for ever.
		if info, err := os.Stat(file); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file: name the logs to read instead of their directory", file)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("directory %s holds no *%s file: record traces with TRACELINT_TRACE=DIR go test -count=1 ./..., where DIR is absolute", dir, tracelog.Extension)
	}
	return files, nil
}

// A loader reads logs.
type loader struct {
	*collector
	progress func(read int64)
	read     int64
}

func (l *loader) file(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := l.log(path, file); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// log reads one log. Several may have been put into one file.
func (l *loader) log(name string, input io.Reader) error {
	defer l.finish()
	r := tracelog.NewReader(&meter{input, l})
	for {
		line, err := r.Next()
		var broken *tracelog.LineError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken):
			l.problem(name, broken.Error())
			continue
		case err != nil:
			return err
		case line.Process != nil:
			l.begin(*line.Process)
			continue
		case l.process == nil: // the line about the process is broken
			l.begin(tracelog.Process{Program: filepath.Base(name), Start: line.Trace.Start})
		}
		if !l.add(line.Trace) {
			l.problem(name, fmt.Sprintf("line %d repeats trace %d of recorder %d", r.Line(), line.Trace.ID, line.Trace.Recorder))
		}
	}
}

// problem notes what is wrong with a line.
func (l *loader) problem(name, text string) {
	r := l.report
	r.broken++
	if len(r.Problems) < r.limits.problems {
		r.Problems = append(r.Problems, printable(name+": "+text))
	}
}

// A meter tells the loader's progress of what is read.
type meter struct {
	input io.Reader
	l     *loader
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.input.Read(p)
	m.l.read += int64(n)
	m.l.progress(m.l.read)
	return n, err
}
