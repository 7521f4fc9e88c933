package report

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressAfter is how long one reads without progress, which would only
// flicker.
const progressAfter = 500 * time.Millisecond

// Progress shows on a terminal how much of the input is read, if that takes
// long.
type Progress struct {
	terminal io.Writer // nil if there is none
	next     time.Time
	shown    bool
}

// NewProgress returns progress for a file, which may be none for a terminal:
// nothing is shown then.
func NewProgress(file *os.File) *Progress {
	p := &Progress{next: time.Now().Add(progressAfter)}
	if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		p.terminal = file
	}
	return p
}

// Show is for [Options.Progress].
func (p *Progress) Show(read, all int64) {
	now := time.Now()
	if p.terminal == nil || now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(progressAfter/5), true
	fmt.Fprintf(p.terminal, "\rreading traces: %d%% of %d MB", 100*read/max(all, 1), all/1e6)
}

// Done takes away what was shown.
func (p *Progress) Done() {
	if p.shown {
		fmt.Fprint(p.terminal, "\r\x1b[K")
	}
}
