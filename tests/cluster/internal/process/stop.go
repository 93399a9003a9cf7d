package process

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Stop ends the process: it is asked first and killed when it still runs after the patience. It says whether
// there was anything to end; a process that is gone, or whose pid has another owner now, is left alone.
func Stop(id Identity, patience time.Duration) (bool, error) {
	if !id.Alive() {
		return false, nil
	}
	if err := signal(id, syscall.SIGTERM); err != nil {
		return true, err
	}
	if id.endsWithin(patience) {
		return true, nil
	}
	return Kill(id)
}

func (id Identity) endsWithin(limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !id.Alive() {
			return true
		}
	}
	return !id.Alive()
}

// Kill ends the process without asking it. It says whether there was anything to end.
func Kill(id Identity) (bool, error) {
	if !id.Alive() {
		return false, nil
	}
	if err := signal(id, syscall.SIGKILL); err != nil {
		return true, err
	}
	if id.endsWithin(5 * time.Second) {
		return true, nil
	}
	return true, fmt.Errorf("process %d still runs after it was killed", id.PID)
}

// Pause keeps the process from running: its connections stay open, and nobody answers on them. It says whether it
// runs at all.
func Pause(id Identity) (bool, error) { return id.Alive(), signal(id, syscall.SIGSTOP) }

// Resume lets a paused process run on.
func Resume(id Identity) (bool, error) { return id.Alive(), signal(id, syscall.SIGCONT) }

// signal takes a handle of the process first and looks at the start time afterwards: the handle keeps meaning
// the same process, so the pid cannot pass to another one between the look and the signal.
func signal(id Identity, what os.Signal) error {
	handle, err := os.FindProcess(id.PID)
	if err != nil {
		return fmt.Errorf("find process %d: %w", id.PID, err)
	}
	defer handle.Release()
	if !id.Alive() {
		return nil
	}
	if err := handle.Signal(what); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal process %d: %w", id.PID, err)
	}
	return nil
}
