// Package cli is the commands and flags of the program.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/control"
)

// errSilent ends the program with 1 where everything has been said already.
var errSilent = errors.New("")

// Run runs the command line and returns the exit code.
func Run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errSilent) {
			fmt.Fprintln(os.Stderr, "cluster:", err)
		}
		return 1
	}
	return 0
}

func root() *cobra.Command {
	command := &cobra.Command{
		Use:           "cluster",
		Short:         "A real Kubernetes control plane on this machine, with nodes that are only played",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	command.CompletionOptions.DisableDefaultCmd = true
	command.AddCommand(up(), down(), status(), startPart(), load(), demoLoad(), churn(), keep())
	command.AddCommand(
		doToPart("stop", "End one part, kube-apiserver for example", control.Stop),
		doToPart("kill", "End one part without asking it, as a crash does", control.Kill),
		doToPart("pause", "Keep one part from running: its connections stay open, and nobody answers", control.Pause),
		doToPart("resume", "Let a paused part run on", control.Resume),
	)
	return command
}

// dirFlag adds --dir, which every command has.
func dirFlag(command *cobra.Command, dir *string) {
	command.Flags().StringVar(dir, "dir", "", "folder of the cluster (required)")
}

// absolute makes the folder independent of where a part runs.
func absolute(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no folder given: name the cluster's with --dir DIR")
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the folder %s: %w", dir, err)
	}
	return path, nil
}
