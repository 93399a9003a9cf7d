package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/bulk"
)

func churn() *cobra.Command {
	var on target
	var rate, seconds float64
	command := &cobra.Command{
		Use:   "churn --dir DIR --rate R --seconds S",
		Short: "Change bulk pods, R times a second for S seconds",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if rate <= 0 || seconds <= 0 {
				return fmt.Errorf("--rate %g --seconds %g: both have to be more than 0", rate, seconds)
			}
			kubeconfig, err := on.path()
			if err != nil {
				return err
			}
			to, err := client(kubeconfig)
			if err != nil {
				return err
			}
			length := time.Duration(seconds * float64(time.Second))
			result, err := bulk.Churn(command.Context(), to, rate, length)
			if err != nil {
				return err
			}
			took := result.Elapsed.Seconds()
			fmt.Printf("%d changes in %.1f s, %.1f a second\n", result.Done, took, float64(result.Done)/took)
			return nil
		},
	}
	on.flags(command)
	command.Flags().Float64Var(&rate, "rate", 10, "changes a second")
	command.Flags().Float64Var(&seconds, "seconds", 10, "how long")
	return command
}
