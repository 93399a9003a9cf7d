package cli

import (
	"os"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/control"
)

func status() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "status --dir DIR",
		Short: "Say which parts run; exit with 1 when one does not",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			path, err := absolute(dir)
			if err != nil {
				return err
			}
			healthy, err := control.Status(path, os.Stdout)
			if err == nil && !healthy {
				return errSilent
			}
			return err
		},
	}
	dirFlag(command, &dir)
	return command
}
