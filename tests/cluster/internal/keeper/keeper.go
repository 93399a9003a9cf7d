// Package keeper is the part that looks after the cluster's files: it keeps the logs from growing without
// bound, and writes the lines that a followed pod log shows.
package keeper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"porthole/cluster/internal/logs"
)

// The largest a log gets before it is cut, and what is left of it then.
const (
	logLimit    = 16 << 20
	logKeep     = 1 << 20
	podLogLimit = 1 << 20
	podLogKeep  = 256 << 10
)

// Run works until the context ends or the folder is gone. Pod logs are written where a folder for them is given.
func Run(ctx context.Context, dir, podLogs string) error {
	if podLogs != "" {
		if err := first(podLogs); err != nil {
			return fmt.Errorf("write the pod logs: %w", err)
		}
	}
	trim := time.NewTicker(10 * time.Second)
	defer trim.Stop()
	line := time.NewTicker(time.Second)
	defer line.Stop()
	for number := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-line.C:
			if podLogs == "" {
				continue
			}
			if err := write(filepath.Join(podLogs, "live.log"), number, time.Now()); err != nil {
				return fmt.Errorf("write the pod logs: %w", err)
			}
			number++
		case <-trim.C:
			if _, err := os.Stat(dir); err != nil {
				return nil
			}
			sweep(filepath.Join(dir, "logs"), logLimit, logKeep)
			if podLogs != "" {
				sweep(podLogs, podLogLimit, podLogKeep)
			}
		}
	}
}

// sweep trims every log of a folder. One that cannot be trimmed is said so in the keeper's own log.
func sweep(folder string, limit, keep int64) {
	files, _ := filepath.Glob(filepath.Join(folder, "*.log"))
	for _, file := range files {
		if err := logs.Trim(file, limit, keep); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}
