package clamp

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(3, 2) != 2 || Clamp(1, 2) != 1 {
		t.Fail()
	}
}
