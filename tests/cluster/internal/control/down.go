package control

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"porthole/cluster/internal/process"
	"porthole/cluster/internal/state"
)

// stopPatience is how long a part may take to end before it is killed.
const stopPatience = 8 * time.Second

// Down ends what Up started in the folder, and with remove takes the folder away too.
func Down(dir string, remove bool, out io.Writer) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(out, "no cluster in %s\n", dir)
		return nil
	}
	now, err := state.Load(dir)
	if errors.Is(err, state.ErrNone) {
		// A folder without a state is not ours to delete.
		fmt.Fprintf(out, "no cluster in %s\n", dir)
		return nil
	}
	if err != nil {
		return err
	}
	release, err := lock(dir)
	if err != nil {
		return err
	}
	defer release()
	if err := errors.Join(end(now, out)...); err != nil {
		return err
	}
	if remove {
		if err := empty(dir); err != nil {
			return fmt.Errorf("remove the folder of the cluster: %w", err)
		}
		fmt.Fprintf(out, "removed %s\n", dir)
	}
	return nil
}

// made is everything that Up makes in the folder.
var made = []string{
	"etcd", "kubeconfig", "logs", "parts", "pki", "pod-logs", "reader.kubeconfig", "restricted.kubeconfig", "scratch",
	"state.json", "lock",
}

// empty removes what Up made, and the folder once it is empty: somebody may have named one with files of theirs.
func empty(dir string) error {
	for _, name := range made {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return os.Remove(dir)
}

// end stops all parts, the last started first: those that need the API server go before it, and it goes before
// etcd, so that none of them waits for what is gone.
func end(now *state.State, out io.Writer) []error {
	var failed []error
	for _, part := range slices.Backward(now.Parts) {
		running, err := process.Stop(part.Identity, stopPatience)
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("end %s: %w", part.Name, err))
		case running:
			fmt.Fprintf(out, "ended %s (pid %d)\n", part.Name, part.PID)
		case part.PID != 0:
			fmt.Fprintf(out, "%s (pid %d) did not run\n", part.Name, part.PID)
		}
	}
	return failed
}
