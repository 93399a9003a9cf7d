package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/connect"
	"porthole/cluster/internal/demo"
)

func demoLoad() *cobra.Command {
	var on target
	command := &cobra.Command{
		Use:   "demo --dir DIR | --kubeconfig FILE",
		Short: "Apply the demo load: what a person meets in a real cluster",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			kubeconfig, err := on.path()
			if err != nil {
				return err
			}
			return applyDemo(command.Context(), kubeconfig)
		},
	}
	on.flags(command)
	return command
}

func applyDemo(ctx context.Context, kubeconfig string) error {
	config, err := connect.Config(kubeconfig)
	if err != nil {
		return err
	}
	return demo.Apply(ctx, config, os.Stderr)
}
