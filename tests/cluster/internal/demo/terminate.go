package demo

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// terminate deletes what the demo has only to be seen while it is being deleted: a finalizer nobody answers
// holds it. It is started first, so that it is a running pod that ends.
func terminate(ctx context.Context, client kubernetes.Interface) error {
	const namespace, name = "platform", "drain-me"
	pods := client.CoreV1().Pods(namespace)
	for end := time.Now().Add(10 * time.Second); ; {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("look for pod %s: %w", name, err)
		}
		if pod.DeletionTimestamp != nil {
			return nil
		}
		if pod.Status.Phase == corev1.PodRunning || time.Now().After(end) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err := pods.Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !errors.IsNotFound(err) {
		return fmt.Errorf("delete pod %s: %w", name, err)
	}
	return nil
}
