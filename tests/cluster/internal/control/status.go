package control

import (
	"fmt"
	"io"

	"porthole/cluster/internal/logs"
	"porthole/cluster/internal/state"
)

// Status prints each part's state and says whether all of them run.
func Status(dir string, out io.Writer) (bool, error) {
	now, err := state.Load(dir)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "API server: %s\n", now.Server)
	healthy := true
	for _, part := range now.Parts {
		if part.Alive() {
			fmt.Fprintf(out, "%-24s running, pid %d\n", part.Name, part.PID)
			continue
		}
		healthy = false
		fmt.Fprintf(out, "%-24s dead; the end of its log (%s):\n%s", part.Name, part.Log, logs.Tail(part.Log, logLines))
	}
	return healthy, nil
}
