package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/bulk"
)

func load() *cobra.Command {
	var on target
	var pods int
	command := &cobra.Command{
		Use:   "load --dir DIR --pods N",
		Short: "Bring the number of bulk pods to N and wait until they run",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if pods < 0 {
				return fmt.Errorf("--pods %d: give the number of bulk pods that there shall be", pods)
			}
			kubeconfig, err := on.path()
			if err != nil {
				return err
			}
			return loadPods(command.Context(), kubeconfig, pods)
		},
	}
	on.flags(command)
	command.Flags().IntVar(&pods, "pods", -1, "number of bulk pods (required)")
	return command
}

func loadPods(ctx context.Context, kubeconfig string, pods int) error {
	to, err := client(kubeconfig)
	if err != nil {
		return err
	}
	return bulk.Load(ctx, to, pods, os.Stderr)
}
