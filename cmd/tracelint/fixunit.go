package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

// unitOfFix is set in the environment of the process that fixes the files of one package.
const unitOfFix = "TRACELINT_UNIT_OF_FIX"

// fixUnit has another process write the archive of fixed files, since x/tools' driver exits when it has, and gives the files
// in it the line ends and the byte order mark that they had: formatting takes them away.
func (c command) fixUnit(archive string, args []string) int {
	self, err := os.Executable()
	if err != nil {
		c.printError(fmt.Sprintf("finding the tool that fixes the package: %v", err))
		return exitError
	}
	unit := exec.Command(self, args...)
	unit.Env = append(os.Environ(), unitOfFix+"=1")
	unit.Stdin, unit.Stdout, unit.Stderr = os.Stdin, c.stdout, c.stderr
	code := exitClean
	if exit := (*exec.ExitError)(nil); errors.As(unit.Run(), &exit) {
		code = max(exit.ExitCode(), exitError) // -1 is a signal's
	} else if unit.ProcessState == nil {
		c.printError("the process that fixes the package did not start")
		return exitError
	}
	if err := keepForm(archive); err != nil {
		c.printError(fmt.Sprintf("keeping the form of fixed files: %v", err))
		return exitError
	}
	return code
}

// keepForm rewrites the fixed files of an archive whose originals, which the entries are named after, end each line with
// CR LF or begin with a byte order mark.
func keepForm(archive string) error {
	reader, err := zip.OpenReader(archive)
	if errors.Is(err, os.ErrNotExist) {
		return nil // there was nothing to fix
	} else if err != nil {
		return err
	}
	defer reader.Close()
	var rewritten bytes.Buffer
	writer := zip.NewWriter(&rewritten)
	for _, entry := range reader.File {
		if err := copyEntry(writer, entry); err != nil {
			return err
		}
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return os.WriteFile(archive, rewritten.Bytes(), 0o666)
}

func copyEntry(to *zip.Writer, entry *zip.File) error {
	original, err := os.ReadFile(entry.Name)
	if err != nil {
		return err
	}
	marked, returns := bytes.HasPrefix(original, byteOrderMark), endsLinesWithCRLF(original)
	if !marked && !returns {
		return to.Copy(entry)
	}
	from, err := entry.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	fixed, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	out, err := to.Create(entry.Name)
	if err != nil {
		return err
	}
	if returns {
		fixed = withCRLF(fixed)
	}
	if marked && !bytes.HasPrefix(fixed, byteOrderMark) {
		fixed = append(slices.Clone(byteOrderMark), fixed...)
	}
	_, err = out.Write(fixed)
	return err
}

var (
	byteOrderMark = []byte("\ufeff")
	lf            = []byte("\n")
	crlf          = []byte("\r\n")
)

func endsLinesWithCRLF(text []byte) bool {
	lines := bytes.Count(text, lf)
	return lines > 0 && bytes.Count(text, crlf) == lines
}

func withCRLF(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}
