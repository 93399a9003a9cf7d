// Package kubeconfig writes the files that clients find the cluster and their user in.
package kubeconfig

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"porthole/cluster/internal/pki"
)

// Cluster is what all users of a cluster have in common.
type Cluster struct {
	// Name is the cluster's and, with the user's, the context's name.
	Name string
	// Server is the API server's address.
	Server string
	// Authority is the certificate, in PEM, that the API server is known by.
	Authority []byte
}

// Write writes a file with one context: the user of that name, known by that certificate. All is in the file
// itself, so that it can be copied anywhere.
func (c Cluster) Write(path, user string, pair pki.Pair) error {
	config := api.NewConfig()
	config.Clusters[c.Name] = &api.Cluster{Server: c.Server, CertificateAuthorityData: c.Authority}
	config.AuthInfos[user] = &api.AuthInfo{ClientCertificateData: pair.Certificate, ClientKeyData: pair.Key}
	context := user + "@" + c.Name
	config.Contexts[context] = &api.Context{Cluster: c.Name, AuthInfo: user}
	config.CurrentContext = context
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("write the kubeconfig of %s: %w", user, err)
	}
	return nil
}
