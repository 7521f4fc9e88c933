package harness

import (
	"github.com/tracelint/tracelint/harness/internal/value"
	"github.com/tracelint/tracelint/internal/clip"
)

// What a recorder keeps of a signature: enough for people, whatever is passed.
const (
	maxSignature = 24 << 10 // bytes
	maxArg       = 1 << 10  // bytes of an argument without its elements
	maxName      = 128      // bytes
	maxRank      = 64
)

// bounded returns the signature as a recorder keeps it: what is cut off is
// replaced by a key.
func (s Signature) bounded() Signature {
	if s == nil {
		return nil
	}
	c := cutter{left: maxSignature}
	if c.fits(s, 1) {
		return s
	}
	c.left = maxSignature
	args, rest := c.cut(s, 1)
	if len(rest) > 0 {
		args = append(args, Arg{Kind: Structure, Omitted: len(rest), Key: Signature(rest).Key()})
	}
	return args
}

// A cutter takes what arguments need off what is left.
type cutter struct{ left int }

// size returns about how many bytes an argument takes in logs and messages, its
// elements aside.
func (a *Arg) size() int {
	return 48 + len(a.Name) + len(a.Type) + len(a.Value) + len(a.Key) + 8*len(a.Dims)
}

func (c *cutter) fits(args []Arg, depth int) bool {
	for i := range args {
		a := &args[i]
		size := a.size()
		c.left -= size
		if c.left < 0 || size > maxArg || len(a.Name) > maxName || depth > maxDepth || !c.fits(a.Elems, depth+1) {
			return false
		}
	}
	return true
}

// cut returns the first arguments as far as there is room for them, and the
// rest.
func (c *cutter) cut(args []Arg, depth int) (kept, rest []Arg) {
	kept = make([]Arg, 0, min(len(args), maxSignature/48))
	for i := range args {
		a := args[i]
		a.Name = clip.Middle(a.Name, maxName)
		isCut := a.size()+len(args[i].Name)-len(a.Name) > maxArg
		if isCut {
			a.Type = clip.Middle(a.Type, maxName)
			a.Value = clip.Middle(a.Value, value.MaxText)
			if len(a.Value) < len(args[i].Value) {
				a.Value += " " + value.Sum(args[i].Value)
			}
			a.Dims = a.Dims[:min(len(a.Dims), maxRank)]
		}
		c.left -= a.size()
		if c.left < 0 || depth > maxDepth {
			return kept, args[i:]
		}
		var omitted []Arg
		if len(a.Elems) > 0 {
			a.Elems, omitted = c.cut(a.Elems, depth+1)
			a.Omitted += len(omitted)
		}
		if isCut || len(omitted) > 0 {
			a.Key = value.Digest(args[i].appendKey(nil))
		}
		kept = append(kept, a)
	}
	return kept, nil
}
