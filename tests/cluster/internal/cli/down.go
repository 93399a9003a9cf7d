package cli

import (
	"os"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/control"
)

func down() *cobra.Command {
	var dir string
	var remove bool
	command := &cobra.Command{
		Use:   "down --dir DIR",
		Short: "End what up started, and nothing else",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path, err := absolute(dir)
			if err != nil {
				return err
			}
			return control.Down(path, remove, os.Stdout)
		},
	}
	dirFlag(command, &dir)
	command.Flags().BoolVar(&remove, "delete", false, "remove the folder as well")
	return command
}
