package bulk

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// podKey is a pod's place.
type podKey struct{ namespace, name string }

// found is what is remembered of a bulk pod.
type found struct {
	key      podKey
	restarts int32
}

// list reads the bulk pods that are there, in pages: tens of thousands in one piece are a burden to the server.
func list(ctx context.Context, client kubernetes.Interface) (map[string]found, error) {
	pods := map[string]found{}
	options := metav1.ListOptions{LabelSelector: Selector, Limit: 2000}
	for {
		page, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, options)
		if err != nil {
			return nil, fmt.Errorf("list bulk pods: %w", err)
		}
		for i := range page.Items {
			pod := &page.Items[i]
			one := found{key: podKey{namespace: pod.Namespace, name: pod.Name}}
			if len(pod.Status.ContainerStatuses) > 0 {
				one.restarts = pod.Status.ContainerStatuses[0].RestartCount
			}
			pods[pod.Namespace+"/"+pod.Name] = one
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return pods, nil
		}
	}
}

// idle counts the bulk pods that do not run yet, up to 500 of them. The server is only asked for those: it is
// busy enough with starting them.
func idle(ctx context.Context, client kubernetes.Interface) (int, error) {
	options := metav1.ListOptions{LabelSelector: Selector, FieldSelector: "status.phase!=Running", Limit: 500}
	page, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, options)
	if err != nil {
		return 0, fmt.Errorf("list bulk pods that do not run: %w", err)
	}
	return len(page.Items), nil
}
