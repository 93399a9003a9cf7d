package ports

import (
	"net"
	"slices"
	"testing"
)

func TestFreePortsAreDifferent(t *testing.T) {
	found, err := Free(20)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if len(slices.Compact(found)) != 20 {
		t.Errorf("got %v", found)
	}
}

func TestCheckTellsATakenPort(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := Check(listener.Addr().(*net.TCPAddr).Port); err == nil {
		t.Error("a taken port passes for a free one")
	}
}
