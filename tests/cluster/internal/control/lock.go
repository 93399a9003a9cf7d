package control

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock keeps a second command from changing the cluster of the same folder at the same time. The lock goes
// with the process that holds it, however that ends.
func lock(dir string) (release func(), err error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the cluster in %s: %w", dir, err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		file.Close()
		return nil, fmt.Errorf("another command is changing the cluster in %s: wait for it to end", dir)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("lock the cluster in %s: %w", dir, err)
	}
	return func() { file.Close() }, nil
}
