package clip

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// JSON returns a JSON text with escapes for what a terminal obeys and encoding/json leaves as it is, control characters
// beyond ASCII and marks that reverse the order of letters. The values stay the same.
func JSON(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if !obeyed(r) {
			escaped.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	return escaped.String()
}

// obeyed tells of characters that stand in JSON inside of strings alone: all of ASCII's control characters are escaped there.
func obeyed(r rune) bool { return r >= 0x7f && unprintable(r) }
