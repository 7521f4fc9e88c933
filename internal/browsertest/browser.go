// Package browsertest drives a Chromium in tests, by the DevTools protocol over
// a pipe.
package browsertest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long the browser may take for one command.
const patience = time.Minute

// A Page is one tab of a browser of its own, which ends with the test.
type Page struct {
	t       *testing.T
	input   *os.File
	output  *bufio.Reader
	session string
	id      int
	// Console holds what the page printed and which errors it met.
	Console []string
}

// A command of the protocol.
type command struct {
	ID      int    `json:"id"`
	Session string `json:"sessionId,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// A reply is a command's result, or an event, which has no ID.
type reply struct {
	ID            int
	Result, Error json.RawMessage
	Method        string
	Params        json.RawMessage
}

// Open shows a file in a new browser, one named chromium.
func Open(t *testing.T, file string) *Page {
	t.Helper()
	executable, err := exec.LookPath("chromium")
	require.NoError(t, err, "these tests need a browser: .ci/chromium installs it")
	commandRead, commandWrite := pipe(t)
	replyRead, replyWrite := pipe(t)
	browser := exec.Command(executable, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	browser.ExtraFiles = []*os.File{commandRead, replyWrite} // 3 and 4 by the protocol
	require.NoError(t, browser.Start())
	require.NoError(t, commandRead.Close())
	require.NoError(t, replyWrite.Close())

	p := &Page{t: t, input: commandWrite, output: bufio.NewReader(replyRead)}
	t.Cleanup(func() {
		require.NoError(t, commandWrite.Close()) // the browser ends with its pipe
		require.NoError(t, browser.Wait())
		require.NoError(t, replyRead.Close())
	})
	require.NoError(t, replyRead.SetReadDeadline(time.Now().Add(patience)))
	var target struct{ TargetID string }
	p.command("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	p.command("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p.session = attached.SessionID
	p.command("Runtime.enable", nil, nil)
	p.command("Log.enable", nil, nil)
	p.command("Page.enable", nil, nil)
	absolute, err := filepath.Abs(file)
	require.NoError(t, err)
	p.command("Page.navigate", map[string]any{"url": "file://" + filepath.ToSlash(absolute)}, nil)
	p.Wait("location.protocol === 'file:' && document.readyState === 'complete'")
	return p
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	return r, w
}

// command runs a command of the protocol and decodes its result.
func (p *Page) command(method string, params, result any) {
	p.t.Helper()
	p.id++
	text, err := json.Marshal(command{p.id, p.session, method, params})
	require.NoError(p.t, err)
	_, err = p.input.Write(append(text, 0))
	require.NoError(p.t, err)
	for {
		r := p.read()
		if r.ID != p.id {
			p.note(r)
			continue
		}
		require.Empty(p.t, string(r.Error), method)
		if result != nil {
			require.NoError(p.t, json.Unmarshal(r.Result, result))
		}
		return
	}
}

func (p *Page) read() (r reply) {
	p.t.Helper()
	text, err := p.output.ReadBytes(0)
	require.NoError(p.t, err)
	require.NoError(p.t, json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &r))
	return r
}

// note keeps the events that a page without errors does not cause.
func (p *Page) note(event reply) {
	switch event.Method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
		p.Console = append(p.Console, event.Method+" "+string(event.Params))
	}
}

// Eval returns the value of a JavaScript expression.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	var reply struct {
		Result struct {
			Value T
		}
		ExceptionDetails json.RawMessage
	}
	p.command("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &reply)
	require.Empty(p.t, string(reply.ExceptionDetails), expression)
	return reply.Result.Value
}

// Wait waits until an expression is true.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for end := time.Now().Add(patience); !Eval[bool](p, expression); time.Sleep(10 * time.Millisecond) {
		require.True(p.t, time.Now().Before(end), "waited in vain for %s", expression)
	}
}

// Press presses and releases a key as a person does: `Tab`, `Enter`.
func (p *Page) Press(key string) {
	p.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, " ": 32}[key]
	require.NotZero(p.t, code, "key %q is not known here", key)
	text := map[string]string{"Enter": "\r", " ": " "}[key]
	for _, kind := range []string{"keyDown", "keyUp"} {
		p.command("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}, nil)
		text = ""
	}
}

// Type types a text into what has the focus.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.command("Input.insertText", map[string]any{"text": text}, nil)
}

// Scheme switches between light and dark.
func (p *Page) Scheme(name string) {
	p.t.Helper()
	p.command("Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": name}},
	}, nil)
}

// Resize sets the size of the window in pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.command("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Screenshot returns what the window shows, as PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	var reply struct{ Data string }
	p.command("Page.captureScreenshot", nil, &reply)
	image, err := base64.StdEncoding.DecodeString(reply.Data)
	require.NoError(p.t, err)
	return image
}

// Accessible returns what a screen reader is told, a line `role: name` each.
func (p *Page) Accessible() []string {
	p.t.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name value
		}
	}
	p.command("Accessibility.getFullAXTree", nil, &tree)
	var lines []string
	for _, n := range tree.Nodes {
		if !n.Ignored {
			lines = append(lines, fmt.Sprintf("%v: %v", n.Role.Value, n.Name.Value))
		}
	}
	return lines
}
