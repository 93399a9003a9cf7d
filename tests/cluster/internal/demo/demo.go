// Package demo is the demo load: what a person meets in a real cluster, in a few namespaces.
package demo

import (
	"context"
	"embed"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"porthole/cluster/internal/apply"
)

//go:embed manifests/*.yaml
var manifests embed.FS

// Apply applies the demo load; a second time changes nothing but the times of its events.
func Apply(ctx context.Context, config *rest.Config, progress io.Writer) error {
	start := time.Now()
	count, err := apply.Folder(ctx, config, manifests, "manifests")
	if err != nil {
		return fmt.Errorf("apply the demo load: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, finish := range []func(context.Context, kubernetes.Interface) error{record, cordon, terminate} {
		if err := finish(ctx, client); err != nil {
			return fmt.Errorf("finish the demo load: %w", err)
		}
	}
	fmt.Fprintf(progress, "the demo load of %d objects is applied after %.1f s\n", count, time.Since(start).Seconds())
	return nil
}
