package clip

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoteLimit is how many bytes of somebody's file a message shows.
const quoteLimit = 80

// Quote returns a text as a Go string literal for a message, cut in the middle if it is long.
func Quote(text string) string { return strconv.Quote(Middle(text, quoteLimit)) }

// Printable returns a text for a terminal: what is no printable character, such as the escape sequences that move the
// cursor and the marks that reverse the order of letters, stands there as in a Go string literal. Tabs stay.
func Printable(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 && utf8.ValidString(text) {
		return text
	}
	var printable strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if unprintable(r) || r == utf8.RuneError && size == 1 {
			quoted := strconv.Quote(text[:size])
			printable.WriteString(quoted[1 : len(quoted)-1])
		} else {
			printable.WriteString(text[:size])
		}
		text = text[size:]
	}
	return printable.String()
}

// Message returns the text of an error about somebody's file for a terminal, with each long word cut in the middle: names
// are quoted whole there.
func Message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.Split(line, " ")
		for j, word := range words {
			words[j] = Middle(word, quoteLimit)
		}
		lines[i] = strings.Join(words, " ")
	}
	return PrintableLines(strings.Join(lines, "\n"))
}

// PrintableLines is Printable for a text of several lines, which it keeps.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

func unprintable(r rune) bool { return r != '\t' && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) }
