package fleet

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Release takes the nodes' leases away. kwok plays a node only while it holds the node's lease, under a name it
// makes up at each start: one that follows another would wait for the other's leases to run out.
func Release(ctx context.Context, client kubernetes.Interface) error {
	err := client.CoordinationV1().Leases(corev1.NamespaceNodeLease).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("release the nodes' leases: %w", err)
	}
	return nil
}
