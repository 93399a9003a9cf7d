// Package ports finds free ports on the loopback address.
package ports

import (
	"fmt"
	"net"
)

// Free returns count different ports of 127.0.0.1 that nobody listens on. All are held at once, so that no two
// are the same, and let go together: somebody else could take one before its owner listens, and that owner
// then fails to start and says so.
func Free(count int) ([]int, error) {
	found := make([]int, 0, count)
	for range count {
		listener, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port on 127.0.0.1: %w", err)
		}
		defer listener.Close()
		found = append(found, listener.Addr().(*net.TCPAddr).Port)
	}
	return found, nil
}

// Check says why a port that was asked for cannot be had.
func Check(port int) error {
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("port %d of 127.0.0.1 cannot be had (%w): choose another one, or none to get a free one", port, err)
	}
	return listener.Close()
}
