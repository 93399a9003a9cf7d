package cli

import (
	"os"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/control"
)

func doToPart(name, short string, deed control.Deed) *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   name + " --dir DIR PART",
		Short: short,
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, arguments []string) error {
			path, err := absolute(dir)
			if err != nil {
				return err
			}
			return control.Part(deed, path, arguments[0], os.Stdout)
		},
	}
	dirFlag(command, &dir)
	return command
}

func startPart() *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "start --dir DIR PART",
		Short: "Start one part again as it was, and wait until it is ready",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			path, err := absolute(dir)
			if err != nil {
				return err
			}
			return control.StartPart(command.Context(), path, arguments[0], os.Stdout)
		},
	}
	dirFlag(command, &dir)
	return command
}
