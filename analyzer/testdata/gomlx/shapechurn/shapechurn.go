// Package shapechurn holds the cases of rule shape-churn: wrappers called with new dimensions again and
// again.
package shapechurn

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/core/tensors/bucketing"

	"example.com/fixtures/shapechurn/helper"
)

func sum(x *graph.Node) *graph.Node { return graph.ReduceAllSum(x) }

func pick(logits *tensors.Tensor) int32 { return int32(tensors.ToScalar[float32](logits)) }

// Slices cuts and makes.
func Slices(backend compute.Backend, x []float32, limit int) {
	exec := graph.MustNewExec(backend, sum)
	for n := 1; n <= len(x); n++ {
		exec.MustCall1(x[:n]) // want `exec\.MustCall1 with x\[:n\] traces for each new shape in a loop: its dimensions change with n.*; pad to a few sizes.*\(shape-churn\)$`
	}
	for i := range x {
		exec.MustCall1(x[i:]) // want `change with i.*\(shape-churn\)$`
	}
	for n := range limit {
		fmt.Println(exec.MustCall1(make([]float32, n+1)).Value()) // want `change with n.*\(shape-churn\)$`
	}
	for n := range limit {
		input := tensors.FromShape(shapes.Make(dtypes.Float32, 1, n))
		if _, err := exec.Call(input); err != nil { // want `exec\.Call with input.*\(shape-churn\)$`
			panic(err)
		}
	}
	for n := range limit {
		flat := make([]float32, 2*n)
		exec.MustCall1(tensors.FromFlatDataAndDimensions(flat, 2, n)) // want `\(shape-churn\)$`
	}
	for n := range limit {
		part := x[:n]
		exec.MustCall1([][]float32{part, part}) // want `\(shape-churn\)$`
	}
	for n := range limit {
		defer func() { fmt.Println(n) }()
		if n > 3 {
			exec.MustCall1(tensors.FromValue(x[n:])) // want `\(shape-churn\)$`
		}
	}
	for len(x) > 0 {
		exec.MustCall1(x) // want `change by x = x\[1:\] \(shapechurn\.go:\d+\).*\(shape-churn\)$`
		x = x[1:]
	}
}

// Windows are of constant length.
func Windows(backend compute.Backend, x []float32, size int, feed <-chan float32) {
	exec := graph.MustNewExec(backend, sum)
	for i := 0; i+size <= len(x); i++ {
		exec.MustCall1(x[i : i+size]) // a window
	}
	for i := 0; i < len(x); i += size {
		end := i + size
		if end > len(x) {
			end = len(x)
		}
		exec.MustCall1(x[i:end]) // full batches and a last one
	}
	for i := 0; i < len(x); i += size {
		exec.MustCall1(x[i:min(i+size, len(x))]) // the same
		n := min(size, len(x)-i)
		exec.MustCall1(make([]float32, n)) // and again
	}
	for b := range len(x) / 8 {
		exec.MustCall1(x[b*8 : (b+1)*8]) // batches of 8
	}
	for i := range x {
		start := max(0, i-size)
		exec.MustCall1(x[len(x)-size:]) // the end
		exec.MustCall1(x[start:][:8])   // 8 each
	}
	var window []float32
	for value := range feed {
		window = append(window, value)
		if len(window) > 8 {
			window = window[1:]
		}
		exec.MustCall1(window) // grows to 8 and stays
	}
	for value := range feed {
		window = append(window[1:], value)
		exec.MustCall1(window) // as long as before
	}
	var batch []float32
	for value := range feed {
		batch = append(batch, value)
		if len(batch) == 16 {
			exec.MustCall1(batch) // full
			batch = batch[:0]
		}
	}
	if len(batch) > 0 {
		exec.MustCall1(batch) // the last one, once
	}
	for range 10 {
		var row []float32
		for range 4 {
			row = append(row, 1)
		}
		exec.MustCall1(row)                  // 4
		exec.MustCall1([]float32{1, 2, 3})   // 3
		exec.MustCall1(make([]float32, 128)) // 128
	}
}

// Generate grows token by token.
func Generate(backend compute.Backend, prompt []int32, limit int) []int32 {
	exec, err := graph.NewExec(backend, sum)
	if err != nil {
		panic(err)
	}
	tokens := slices.Clone(prompt)
	for len(tokens) < limit {
		logits := exec.MustCall1(tokens) // want `exec\.MustCall1 with tokens.*change by tokens = append\(tokens, next\) \(shapechurn\.go:\d+\).*\(shape-churn\)$`
		next := pick(logits)
		if next == 0 {
			break
		}
		tokens = append(tokens, next)
	}
	return tokens
}

// GenerateInBuffer fills a buffer of constant length.
func GenerateInBuffer(backend compute.Backend, prompt []int32, limit int) []int32 {
	exec := graph.MustNewExec(backend, func(x, n *graph.Node) *graph.Node { return graph.Add(sum(x), n) })
	buffer := make([]int32, limit)
	n := copy(buffer, prompt)
	for ; n < limit; n++ {
		buffer[n] = pick(exec.MustCall1(buffer, int32(n))) // a constant buffer, the position beside it
	}
	return buffer
}

// tokenize cuts a text.
func tokenize(text string) []int32 {
	var tokens []int32
	for _, r := range text {
		tokens = append(tokens, int32(r))
	}
	return tokens
}

// tokenizer is what tokenizers look like.
type tokenizer interface {
	Encode(text string) []int
	EncodeBatch(texts []string) [][]int32
}

// Texts follows texts.
func Texts(backend compute.Backend, texts []string, t tokenizer, in io.Reader) {
	exec := graph.MustNewExec(backend, sum)
	wide := graph.MustNewExec(backend, sum)
	raw := graph.MustNewExec(backend, sum)
	batches := graph.MustNewExec(backend, sum)
	for _, text := range texts {
		exec.MustCall1(tokenize(text)) // want `\(shape-churn\)$`
		ids := t.Encode(text)
		wide.MustCall1(ids)         // want `follow the tokens of t\.Encode\(text\) .*\(shape-churn\)$`
		raw.MustCall1([]byte(text)) // want `follow the text text.*\(shape-churn\)$`
	}
	for _, ids := range t.EncodeBatch(texts) {
		batches.MustCall1([][]int32{ids}) // want `\(shape-churn\)$`
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		wide.MustCall1(t.Encode(lines.Text())) // want `\(shape-churn\)$`
	}
	for range 10 {
		wide.MustCall1(t.Encode("the same text")) // one length
	}
	ids := t.Encode(texts[0])
	for range 10 {
		wide.MustCall1(ids) // one length
	}
	wide.MustCall1(t.Encode(texts[0])) // no loop
}

// Padded pads texts before the call.
func Padded(backend compute.Backend, texts []string, t tokenizer, length int) {
	exec := graph.MustNewExec(backend, sum)
	for _, text := range texts {
		ids := tokenize(text)
		for len(ids) < length {
			ids = append(ids, 0)
		}
		exec.MustCall1(ids) // padded to a length

		ids = tokenize(text)
		if len(ids) > length {
			ids = ids[:length]
		}
		if pad := length - len(ids); pad > 0 {
			ids = append(ids, make([]int32, pad)...)
		}
		exec.MustCall1(ids) // cut or padded to a length

		ids = tokenize(text)
		if len(ids) < length {
			ids = append(ids, make([]int32, length-len(ids))...)
		} else {
			ids = ids[:length]
		}
		exec.MustCall1(ids) // the same

		padded := make([]int32, length)
		copy(padded, tokenize(text))
		exec.MustCall1(padded) // a constant buffer

		var fixed [128]int32
		copy(fixed[:], tokenize(text))
		exec.MustCall1(fixed[:])                      // an array
		exec.MustCall1(helper.PadTo(ids, 128))        // a helper that pads
		exec.MustCall1(padTo(tokenize(text), length)) // another one
	}
}

func padTo(ids []int32, n int) []int32 {
	if len(ids) >= n {
		return ids[:n]
	}
	return append(ids, make([]int32, n-len(ids))...)
}

// roundUp gives one of few sizes.
func roundUp(n, to int) int { return (n + to - 1) / to * to }

// bucket gives one of few sizes.
func bucket(n int) int {
	for _, size := range []int{16, 64, 256} {
		if n <= size {
			return size
		}
	}
	return n
}

// Buckets rounds to few sizes.
func Buckets(backend compute.Backend, texts []string, t tokenizer) {
	exec := graph.MustNewExec(backend, sum)
	wide := graph.MustNewExec(backend, sum)
	strategy := bucketing.Pow2()
	for _, text := range texts {
		ids := t.Encode(text)
		exec.MustCall1(make([]int32, strategy.Bucket(len(ids))))   // GoMLX's buckets
		exec.MustCall1(make([]int32, helper.Pow2(len(ids))))       // powers of two
		exec.MustCall1(make([]int32, 1<<bits.Len(uint(len(ids))))) // the same
		exec.MustCall1(make([]int32, roundUp(len(ids), 64)))       // multiples
		exec.MustCall1(make([]int32, bucket(len(ids))))            // a table
		exec.MustCall1(make([]int32, (len(ids)+31)/32*32))         // multiples
		exec.MustCall1(make([]int32, (len(ids)+31)&^31))           // multiples
		size := len(ids)
		switch {
		case size <= 32:
			size = 32
		case size <= 128:
			size = 128
		default:
			size = 512
		}
		exec.MustCall1(make([]int32, size)) // one of three
		width := 1
		for width < len(ids) {
			width *= 2
		}
		exec.MustCall1(make([]int32, width)) // powers of two
		for len(ids)%16 != 0 {
			ids = append(ids, 0)
		}
		wide.MustCall1(ids) // multiples
	}
	for _, n := range []int{1, 8, 64} {
		exec.MustCall1(make([]int32, n)) // chosen sizes
	}
}

// Longest pads batches to their own longest text.
func Longest(backend compute.Backend, batches [][]string, t tokenizer) {
	exec := graph.MustNewExec(backend, sum)
	batchExec := graph.MustNewExec(backend, sum)
	short := graph.MustNewExec(backend, sum)
	for _, batch := range batches {
		encoded := t.EncodeBatch(batch)
		longest := 0
		for _, ids := range encoded {
			if len(ids) > longest {
				longest = len(ids)
			}
		}
		flat := make([]int32, 8*longest)
		exec.MustCall1(tensors.FromFlatDataAndDimensions(flat, 8, longest)) // want `the longest of encoded.*\(shape-churn\)$`
		fixed := make([]int32, 8*128)
		for i, ids := range encoded {
			copy(fixed[i*128:(i+1)*128], ids)
		}
		exec.MustCall1(tensors.FromFlatDataAndDimensions(fixed, 8, 128)) // a constant width
		batchExec.MustCall1(pad(encoded))                                // want `\(shape-churn\)$`
		short.MustCall1(make([]int32, helper.Pow2(longest)))             // rounded
	}
}

// pad makes all rows as long as the longest.
func pad(rows [][]int32) [][]int32 {
	longest := 0
	for _, row := range rows {
		longest = max(longest, len(row))
	}
	out := make([][]int32, len(rows))
	for i, row := range rows {
		out[i] = make([]int32, longest)
		copy(out[i], row)
	}
	return out
}

// Options set the wrapper up for it.
func Options(backend compute.Backend, x []float32) {
	dynamic := graph.MustNewExec(backend, sum).WithDynamicAxes([]string{"batch"})
	large := graph.MustNewExec(backend, sum).SetMaxCache(-1)
	later := graph.MustNewExec(backend, sum)
	later.SetMaxCache(512)
	unbounded := helper.Unbounded(backend, sum)
	plain := helper.Plain(backend, sum)
	m := helper.New(backend, sum)
	own := bounded(backend)
	for n := range x {
		dynamic.MustCall1(x[:n])   // dynamic axes
		large.MustCall1(x[:n])     // a cache without bound, on purpose
		later.MustCall1(x[:n])     // the same
		unbounded.MustCall1(x[:n]) // by a helper
		m.Exec.MustCall1(x[:n])    // by a constructor
		own.MustCall1(x[:n])       // by a function here
		plain.MustCall1(x[:n])     // want `\(shape-churn\)$`
	}
}

func bounded(backend compute.Backend) *graph.Exec {
	exec := graph.MustNewExec(backend, sum)
	exec.SetMaxCache(100)
	return exec
}

// Unknown takes a wrapper from who knows where: a plain one.
func Unknown(exec *graph.Exec, x []float32) {
	for n := range x {
		exec.MustCall1(x[:n]) // want `\(shape-churn\)$`
	}
}

// Helpers hide the flow.
func Helpers(backend compute.Backend, texts []string, x []int32) {
	exec := graph.MustNewExec(backend, sum)
	for n := range x {
		exec.MustCall1(helper.Widen(x[:n])) // want `\(shape-churn\)$`
		exec.MustCall1(helper.Zeros(n))     // want `\(shape-churn\)$`
		exec.MustCall1(helper.Widen(x))     // one length
		exec.MustCall1(helper.Zeros(8))     // one length
		helper.Embed(exec, x[:n])           // want `helper\.Embed: exec\.MustCall1 with tokens.*\(shape-churn\)$`
		helper.Embed(exec, x)               // one length
	}
	for _, text := range texts {
		helper.Embed(exec, tokenize(text)) // want `helper\.Embed: .*\(shape-churn\)$`
	}
	helper.Embed(exec, x) // no loop
}

// model keeps its wrapper.
type model struct {
	exec   *graph.Exec
	rows   *graph.Exec
	tokens []int32
	t      tokenizer
}

// Embed is called in a loop with texts.
func (m *model) Embed(text string) *tensors.Tensor {
	return m.exec.MustCall1(m.t.Encode(text)) // want `m\.exec\.MustCall1 with m\.t\.Encode\(text\).*, which Run changes in a loop.*\(shape-churn\)$`
}

// Rows is called in a loop with rows of one length.
func (m *model) Rows(row []float32) *tensors.Tensor {
	return m.rows.MustCall1(row) // rows as they come
}

// Step grows a field.
func (m *model) Step() {
	m.tokens = append(m.tokens, pick(m.exec.MustCall1(m.tokens))) // want `\(shape-churn\)$`
}

// Once is called once.
func (m *model) Once(text string) *tensors.Tensor {
	return m.exec.MustCall1(m.t.Encode(text)) // no loop calls it
}

// Run loops.
func (m *model) Run(texts []string, rows [][]float32) {
	for _, text := range texts {
		m.Embed(text)
	}
	for _, row := range rows {
		m.Rows(row)
		m.rows.MustCall1(row) // as they come
	}
	for range 100 {
		m.Step()
	}
	m.Once(texts[0])
	for {
		m.exec.MustCall1(m.tokens) // want `change by m\.tokens = append\(m\.tokens, next\).*\(shape-churn\)$`
		m.add(1)
	}
}

func (m *model) add(next int32) { m.tokens = append(m.tokens, next) }

// Reset starts anew in each turn.
func (m *model) Reset(prompts [][]int32) {
	for range prompts {
		m.tokens = m.tokens[:0]
		m.tokens = append(m.tokens, 1)
		m.exec.MustCall1(m.tokens) // 1
	}
}

// InGraph pads where it is too late.
func InGraph(backend compute.Backend, texts []string) {
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		zero := graph.ScalarZero(x.Graph(), x.DType())
		return sum(graph.Pad(x, zero, compute.PadAxis{End: 128 - x.Shape().Dim(0)}))
	})
	for _, text := range texts {
		exec.MustCall1(tokenize(text)) // want `that the traced function pads does not help, as the key is taken before.*\(shape-churn\)$`
	}
}

// Rebuilt wrappers have caches of their own.
func Rebuilt(backend compute.Backend, x []float32, execs []*graph.Exec, byLength map[int]*graph.Exec) {
	for n := range x {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { return graph.MulScalar(x, n) })
		exec.MustCall1(x[:n])        // another wrapper in each turn
		execs[n].MustCall1(x[:n])    // one of many
		byLength[n].MustCall1(x[:n]) // one for each length
	}
}
