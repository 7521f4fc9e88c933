package analyzer_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestFixtures holds the analyzer against every fixture package, each module with the layout of GoMLX's packages of one
// version, or with findings that have fixes.
func TestFixtures(t *testing.T) {
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23", "fixes", "fixes26"} {
		t.Run(module, func(t *testing.T) {
			fixtures := loadFixtures(t, module)
			require.NotEmpty(t, fixtures)
			for dir, fixture := range fixtures {
				t.Run(dir, func(t *testing.T) {
					for _, mismatch := range fixture.mismatches() {
						t.Error(mismatch)
					}
				})
			}
		})
	}
}

func TestFixturesFailWhenFindingsDiffer(t *testing.T) {
	at := func(n int) line { return line{"a.go", n} }
	rx := func(patterns ...string) (all []*regexp.Regexp) {
		for _, pattern := range patterns {
			all = append(all, regexp.MustCompile(pattern))
		}
		return all
	}
	f := fixture{
		wanted: map[line][]*regexp.Regexp{at(1): rx("one", "two"), at(2): rx("three"), at(3): rx("four", "four"), at(5): rx("six")},
		found:  map[line][]string{at(1): {"two", "one"}, at(3): {"four"}, at(4): {"five"}, at(5): {"seven"}},
	}
	require.Empty(t, cmp.Diff([]string{
		"a.go:2: not found: three",
		"a.go:3: not found: four",
		"a.go:4: not wanted: five",
		"a.go:5: not found: six",
		"a.go:5: not wanted: seven",
	}, f.mismatches()))
}
