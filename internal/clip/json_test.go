package clip_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/clip"
)

func TestJSONEscapesWhatTerminalsObeyAndKeepsValues(t *testing.T) {
	for value, want := range map[string]string{
		"plain ü":       `"plain ü"`,
		"\x7f\u009b2J":  `"\u007f\u009b2J"`,
		"a\u202eb":      `"a\u202eb"`,
		"\U000e0001tag": `"\udb40\udc01tag"`,
		"\x1b[31m\n":    `"\u001b[31m\n"`,
	} {
		encoded, err := json.Marshal(value)
		require.NoError(t, err)
		text := clip.JSON(string(encoded))
		require.Equal(t, want, text)
		var again string
		require.NoError(t, json.Unmarshal([]byte(text), &again))
		require.Equal(t, value, again)
	}
}
