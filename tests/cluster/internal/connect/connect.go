// Package connect reads kubeconfigs for clients that are not held back.
package connect

import (
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Config is the configuration of a kubeconfig's current context, without a limit of requests a second:
// loading and changing thousands of pods is what it is used for.
func Config(path string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig %s: %w", path, err)
	}
	config.QPS = -1
	config.UserAgent = "porthole-cluster"
	// Warnings of the server, of deprecated kinds for example, are of no use to whoever loads a test cluster.
	config.WarningHandler = rest.NoWarnings{}
	return config, nil
}
