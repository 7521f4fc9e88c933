package report

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tracelint/tracelint/internal/clip"
)

// mostText bounds the bytes of a text that a report keeps of a log.
const mostText = 400

// shown returns a text of a log as people may see it: not too long, and without
// what a terminal or a browser would act on instead of showing it.
func shown(text string) string { return printable(clip.Middle(text, mostText)) }

// printable escapes what is not printed.
func printable(text string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if utf8.ValidString(text) && !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// count returns a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

// A digest stands for texts of any length, so that they need not be kept.
type digest [16]byte

func digestOf(texts ...string) digest {
	var key []byte
	for _, text := range texts {
		key = binary.AppendUvarint(key, uint64(len(text)))
		key = append(key, text...)
	}
	hash := sha256.Sum256(key)
	return digest(hash[:len(digest{})])
}
