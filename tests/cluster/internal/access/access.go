// Package access gives the cluster's users beside the administrator their rights.
package access

import (
	"context"
	"embed"
	"fmt"

	"k8s.io/client-go/rest"

	"porthole/cluster/internal/apply"
)

//go:embed manifests/*.yaml
var manifests embed.FS

// The users, by the names in their certificates.
const (
	Administrator = "administrator"
	Reader        = "reader"
	Restricted    = "restricted"
)

// Users and the groups their certificates put them in.
var Users = map[string][]string{
	Administrator: {"system:masters"},
	Reader:        nil,
	Restricted:    nil,
}

// Grant applies the roles and bindings, and the namespace the restricted user lives in.
func Grant(ctx context.Context, config *rest.Config) error {
	if _, err := apply.Folder(ctx, config, manifests, "manifests"); err != nil {
		return fmt.Errorf("give the users their rights: %w", err)
	}
	return nil
}
