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
	objects, err := apply.Documents(manifests, "manifests")
	if err != nil {
		return err
	}
	applier, err := apply.New(config)
	if err != nil {
		return err
	}
	if err := applier.All(ctx, objects); err != nil {
		return fmt.Errorf("give the users their rights: %w", err)
	}
	return nil
}
