package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/control"
)

func up() *cobra.Command {
	var options control.Options
	var controlPlane string
	var pods int
	var withDemo bool
	command := &cobra.Command{
		Use:   "up --dir DIR",
		Short: "Start a cluster, or say that it runs; the last line printed names its kubeconfig",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			if options.Dir, err = absolute(options.Dir); err != nil {
				return err
			}
			if options.Nodes < 0 || pods < 0 || pods > 0 && options.Nodes == 0 {
				return fmt.Errorf("--nodes %d --pods %d: pods need a node, and neither can be negative", options.Nodes, pods)
			}
			if options.Self, err = os.Executable(); err != nil {
				return fmt.Errorf("find this program: %w", err)
			}
			if options.ControlPlane, err = findControlPlane(controlPlane, options.Self); err != nil {
				return err
			}
			options.Assets = os.Getenv("KUBEBUILDER_ASSETS")
			options.Progress = os.Stderr
			if err := control.Up(command.Context(), options); err != nil {
				return err
			}
			kubeconfig := control.Kubeconfig(options.Dir, access.Administrator)
			if withDemo {
				if err := applyDemo(command.Context(), kubeconfig); err != nil {
					return err
				}
			}
			if pods > 0 {
				if err := loadPods(command.Context(), kubeconfig, pods); err != nil {
					return err
				}
			}
			fmt.Printf("kubeconfig: %s\n", kubeconfig)
			return nil
		},
	}
	dirFlag(command, &options.Dir)
	flags := command.Flags()
	flags.StringVar(&controlPlane, "control-plane", "", "the program control-plane (default: the one beside this program)")
	flags.IntVar(&options.Port, "port", 0, "port of the API server (default: a free one)")
	flags.IntVar(&options.Nodes, "nodes", 3, "number of nodes")
	flags.IntVar(&pods, "pods", 0, "number of bulk pods")
	flags.BoolVar(&withDemo, "demo", false, "apply the demo load")
	flags.BoolVar(&options.Logs, "logs", false, "let the nodes answer requests for logs")
	flags.BoolVar(&options.Exec, "exec", false, "let the nodes run commands: they run on this machine, as you")
	flags.BoolVar(&options.Metrics, "metrics", false, "let the nodes answer requests for metrics")
	flags.StringSliceVar(&options.WithoutControllers, "without-controllers", nil, "controllers that kube-controller-manager does not run, such as replicaset-controller")
	flags.BoolVar(&options.Audit, "audit", false, "write down each request in logs/audit.jsonl")
	flags.BoolVar(&options.ReadableStorage, "readable-storage", false, "keep objects in etcd as JSON, for those who watch it there")
	return command
}

// findControlPlane is the program that was named, or else the one beside our own.
func findControlPlane(named, self string) (string, error) {
	path := named
	if path == "" {
		path = filepath.Join(filepath.Dir(self), "control-plane")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return path, nil
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("find the control plane: %w", err)
	}
	return "", fmt.Errorf("no program at %s: build it with `go build -o %s ./cmd/control-plane`, or name another one with --control-plane PATH", path, path)
}
