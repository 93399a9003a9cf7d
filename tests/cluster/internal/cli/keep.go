package cli

import (
	"github.com/spf13/cobra"

	"porthole/cluster/internal/keeper"
)

// keep is what up runs beside the control plane; nobody types it.
func keep() *cobra.Command {
	var dir, podLogs string
	command := &cobra.Command{
		Use:    "keeper --dir DIR",
		Short:  "Look after the files of a running cluster",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			path, err := absolute(dir)
			if err != nil {
				return err
			}
			return keeper.Run(command.Context(), path, podLogs)
		},
	}
	dirFlag(command, &dir)
	command.Flags().StringVar(&podLogs, "pod-logs", "", "folder to write pod logs in (default: none are written)")
	return command
}
