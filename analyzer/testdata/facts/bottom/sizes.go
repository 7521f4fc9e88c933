package bottom

// Widen gives as many numbers as it gets.
func Widen(tokens []int32) []float32 { // want Widen:`size of result 0 changes with parameters \[0\]$`
	out := make([]float32, len(tokens))
	for i, token := range tokens {
		out[i] = float32(token)
	}
	return out
}

// PadTo gives n numbers.
func PadTo(tokens []int32, n int) []int32 { // want PadTo:`size of result 0 changes with parameters \[1\]$`
	out := make([]int32, n)
	copy(out, tokens)
	return out
}

// Split gives a rune's number for each rune.
func Split(text string) (tokens []int32, err error) { // want Split:`size of result 0 changes with parameters \[0\]$`
	for _, r := range text {
		tokens = append(tokens, r)
	}
	return tokens, nil
}

// Total is a number: callers may make something of that size.
func Total(rows [][]int32) (total int) { // want Total:`size of result 0 changes with parameters \[0\]$`
	for _, row := range rows {
		total += len(row)
	}
	return total
}
