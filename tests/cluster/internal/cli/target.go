package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"k8s.io/client-go/kubernetes"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/connect"
	"porthole/cluster/internal/control"
)

// target is the cluster a command works on: one of ours, or that of any kubeconfig.
type target struct {
	dir, kubeconfig string
}

func (t *target) flags(command *cobra.Command) {
	command.Flags().StringVar(&t.dir, "dir", "", "folder of the cluster")
	command.Flags().StringVar(&t.kubeconfig, "kubeconfig", "", "kubeconfig of any cluster, instead of --dir")
}

// path is the kubeconfig to use.
func (t *target) path() (string, error) {
	switch {
	case t.dir != "" && t.kubeconfig != "":
		return "", errors.New("--dir and --kubeconfig name a cluster each: give one of them")
	case t.kubeconfig != "":
		return t.kubeconfig, nil
	case t.dir == "":
		return "", errors.New("no cluster given: name its folder with --dir DIR, or --kubeconfig FILE")
	}
	dir, err := absolute(t.dir)
	if err != nil {
		return "", err
	}
	return control.Kubeconfig(dir, access.Administrator), nil
}

// client is a client of the typed APIs that speaks protobuf, which costs the server least.
func client(kubeconfig string) (kubernetes.Interface, error) {
	config, err := connect.Config(kubeconfig)
	if err != nil {
		return nil, err
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return kubernetes.NewForConfig(config)
}
