package demo

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"porthole/cluster/internal/fleet"
)

// cordon takes the last node out of scheduling and taints it, where it is not the only one. Nodes that are not
// played stay as they are.
func cordon(ctx context.Context, client kubernetes.Interface) error {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: fleet.Label})
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	if len(nodes.Items) < 2 {
		return nil
	}
	last := nodes.Items[len(nodes.Items)-1]
	for _, taint := range last.Spec.Taints {
		if taint.Key == "porthole.example/maintenance" {
			return nil
		}
	}
	patch := fmt.Appendf(nil, `{"spec":{"unschedulable":true,"taints":[{"key":"porthole.example/maintenance","value":"disk","effect":%q}]}}`, corev1.TaintEffectNoSchedule)
	_, err = client.CoreV1().Nodes().Patch(ctx, last.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("cordon %s: %w", last.Name, err)
	}
	return nil
}
